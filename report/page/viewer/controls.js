// SPDX-License-Identifier: Apache-2.0
// What can be switched: what is painted, whose lines are drawn.
import { grouped, make, nameOf, sample } from "../format.js";
import { imageChoice } from "./imagery.js";
import { lineOf } from "./palette.js";
import { MANY } from "./strokes.js";
import { voteShare } from "./paint.js";

const PAINTS = [
  ["votes", "how many raters"],
  ["level", "level of"],
  ["subcrowns", "subcrowns"],
  ["none", "nothing"],
];

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
    "aria-label": "Method whose levels are painted",
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
  const veil = make("input", {
    type: "range", min: "0", max: "1", step: "0.05", value: String(look.veil), "aria-label": "opacity of what is painted",
    oninput: () => look.set({ veil: Number(veil.value) }),
  });
  return { box: make("fieldset", {}, make("legend", {}, "Painted"), ...choices,
    data.grey || data.photo ? make("label", { class: "choice wide" }, "opacity", veil) : null), select };
}

/** Where levels are cut, for all lines; of raters who gave levels alone. */
function cutChoice(data, look) {
  if (!data.raterLevels) return null;
  const words = make("output", { id: "cut-words" });
  const slider = make("input", {
    type: "range", id: "cut", min: "0.05", max: "0.95", step: "0.01", value: String(look.cut),
    "aria-label": "level at which lines are drawn", oninput: () => look.set({ cut: Number(slider.value) }),
  });
  let shown = null;
  const refresh = () => {
    const method = data.methods[0];
    const key = `${look.cut} ${method.stamp ?? 0}`;
    if (shown === key) return;
    shown = key;
    let inside = 0;
    for (let place = 0; place < data.rowOf.length; ++place) inside += method.levelAt(data.rowOf, place) > look.cut ? 1 : 0;
    slider.value = String(look.cut);
    words.textContent = `${look.cut.toFixed(2)}: ${method.name} has ${grouped(inside)} ${data.meta.grid.size[2] === 1 ? "pixels" : "voxels"} above it`;
  };
  look.watch(refresh);
  refresh();
  return make("fieldset", {}, make("legend", {}, "Cut"), make("label", { class: "choice wide" }, "level", slider), words);
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
      make("label", {
        class: "choice rater", onpointerenter: () => look.set({ lit: k }), onpointerleave: () => look.set({ lit: null }),
        onfocusin: () => look.set({ lit: k }), onfocusout: () => look.set({ lit: null }),
      }, boxes[k], sample(rater), nameOf(rater.name))), all,
    data.raters.length > MANY ? make("p", { class: "note" }, "Lines are grey; point at a name to highlight its line.") : null);
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
      const { colour, width, dash } = lineOf(m);
      return make("label", { class: "choice" }, box, sample({ colour, width, dash: dash.join(" ") }), method.name);
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
      main.plane.count > 1 ? button("most disputed slice", () => jumps.disputed(), { id: "disputed" }) : null,
      button("‹", () => jumps.step(-1), { "aria-label": "previous component" }),
      jumps.label,
      button("›", () => jumps.step(1), { "aria-label": "next component" }),
      button("−", () => main.zoomBy(0.8), { "aria-label": "zoom out" }),
      button("+", () => main.zoomBy(1.25), { "aria-label": "zoom in" }),
      button("whole", () => main.zoomBy(0))),
    paint.box, cutChoice(data, look), imageChoice(data, look), lines.box, raterChoice(data, look));
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
