// SPDX-License-Identifier: Apache-2.0
// What can be switched: what is painted, whose lines are drawn.
import { make, nameOf, swatch } from "./format.js";
import { lineOf } from "./palette.js";
import { voteShare } from "./paint.js";

const PAINTS = [
  ["votes", "how many raters"],
  ["level", "level of"],
  ["subcrowns", "subcrowns"],
  ["none", "nothing"],
];

/** A short piece of a method's line. */
function sample(method) {
  const { width, dash } = lineOf(method);
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  for (const [name, value] of Object.entries({ width: 30, height: 10, "aria-hidden": "true", class: "sample" }))
    picture.setAttribute(name, value);
  for (const [name, value] of Object.entries({ d: "M0 5H30", "stroke-width": width, "stroke-dasharray": dash.join(" ") }))
    line.setAttribute(name, value);
  picture.append(line);
  return picture;
}

/** What the shades of votes stand for. */
function scale(data, look) {
  const raters = data.raters.length;
  const { shades } = data.meta;
  const steps = Array.from({ length: raters }, (_, n) =>
    make("span", {}, raters <= 12 || n === 0 || n === raters - 1 ? String(n + 1) : ""));
  const colour = () => steps.forEach((step, n) => {
    const share = voteShare(n + 1, raters, look.dark);
    step.style.background = shades[Math.round(share * (shades.length - 1))];
    step.style.color = share < 0.7 ? "#2a1a10" : "#ffffff";
  });
  look.watch(colour);
  colour();
  return make("div", { class: "scale" }, ...steps);
}

function paintChoice(data, look) {
  const select = make("select", {
    "aria-label": "Method whose level is painted",
    onchange: () => look.set({ method: Number(select.value), paint: "level" }),
  }, ...data.methods.map((method, m) => make("option", { value: String(m) }, method.name)));
  const choices = PAINTS.map(([value, words]) => {
    const radio = make("input", {
      type: "radio", name: "paint", value, checked: value === look.paint, onchange: () => look.set({ paint: value }),
    });
    look.watch(() => (radio.checked = look.paint === value));
    return make("div", { class: "choice" }, make("label", {}, radio, words),
      value === "level" ? select : value === "votes" ? scale(data, look) : null);
  });
  look.watch(() => (select.value = String(look.method)));
  return { box: make("fieldset", {}, make("legend", {}, "Painted"), ...choices), select };
}

function raterChoice(data, look) {
  const boxes = data.raters.map((rater, k) => make("input", {
    type: "checkbox", checked: true, "data-rater": String(k),
    onchange: () => look.set({ raters: look.raters.map((on, n) => (n === k ? boxes[k].checked : on)) }),
  }));
  const all = make("button", {
    type: "button",
    onclick: () => {
      const on = !look.raters.every(Boolean);
      boxes.forEach((box) => (box.checked = on));
      look.set({ raters: look.raters.map(() => on) });
    },
  }, "all or none");
  return make("fieldset", {}, make("legend", {}, "Raters’ contours"),
    ...data.raters.map((rater, k) =>
      make("label", { class: "choice rater" }, boxes[k], swatch(rater.colour), nameOf(rater.name))), all);
}

/** Lines of consensuses; the box grows when a method is added. */
function lineChoice(data, look) {
  const list = make("div", {});
  const fill = () => {
    list.replaceChildren(...data.methods.map((method, m) => {
      const box = make("input", {
        type: "checkbox", checked: look.lines[m], "data-method": method.name,
        onchange: () => look.set({ lines: look.lines.map((on, n) => (n === m ? box.checked : on)) }),
      });
      return make("label", { class: "choice" }, box, sample(m), method.name);
    }));
  };
  fill();
  return { box: make("fieldset", {}, make("legend", {}, "Consensus lines"), list), fill };
}

/** Everything beside the planes. */
export function controls(data, look, views, jumps) {
  const main = views[0];
  const button = (words, onclick, more = {}) => make("button", { type: "button", onclick, ...more }, words);
  const paint = paintChoice(data, look);
  const lines = lineChoice(data, look);
  const box = make("div", { class: "controls" },
    make("div", { class: "buttons" },
      button("most disputed slice", () => jumps.disputed(), { id: "disputed" }),
      button("‹", () => jumps.step(-1), { "aria-label": "previous component" }),
      jumps.label,
      button("›", () => jumps.step(1), { "aria-label": "next component" }),
      button("−", () => main.zoomBy(0.8), { "aria-label": "zoom out" }),
      button("+", () => main.zoomBy(1.25), { "aria-label": "zoom in" }),
      button("whole", () => main.zoomBy(0))),
    paint.box, raterChoice(data, look), lines.box);
  return {
    box,
    /** After a method was added to the data. */
    refresh() {
      lines.fill();
      paint.select.replaceChildren(...data.methods.map((m, n) => make("option", { value: String(n) }, m.name)));
      paint.select.value = String(look.method);
    },
  };
}
