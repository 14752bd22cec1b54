// SPDX-License-Identifier: Apache-2.0
// What if: one rater less, another weight, another distance, and the consensus follows.
import { grouped, make, nameOf, plural, swatch } from "./format.js";
import { Engine } from "./engine.js";

const METHODS = ["jaccard", "dice", "soergel", "tanimoto", "dice1", "dice2", "majority", "average"];
const WEIGHTS = [["1", "counts once"], ["2", "counts double"], ["0.5", "counts half"], ["out", "left out"]];

function choice(label, values, chosen, onchange) {
  const select = make("select", { "aria-label": label, onchange }, ...values.map(([value, words]) =>
    make("option", { value, selected: value === chosen }, words)));
  return select;
}

/** Chooses a value where there is such a one. */
function pick(select, value) {
  if ([...select.options].some((option) => option.value === value)) select.value = value;
}

const weightsFor = (weight) => (WEIGHTS.some(([value]) => value === weight) ? WEIGHTS
  : [[weight, `counts ${weight} times`], ...WEIGHTS]);

const plain = (values) => values.map((value) => [value, value]);

export class WhatIf {
  constructor(data, look, panel, engine) {
    this.data = data;
    this.look = look;
    this.panel = panel;
    this.engine = engine;
    const { meta } = data;
    const change = () => this.follow();
    const flat = meta.grid.size[2] === 1 || meta.slice_wise !== null;
    this.weights = data.raters.map((rater, k) => {
      const weight = String(meta.weights[k] ?? 1);
      return choice(`weight of ${rater.name}`, weightsFor(weight), weight, change);
    });
    this.method = choice("distance or vote", plain(METHODS), data.methods[0].name, change);
    this.blocks = choice("blocks", [["subcrown", "subcrown"], ["crown", "crown"], ["group", "group: the best there is"]],
      meta.blocks, change);
    this.tie = choice("exact ties", plain(["background", "foreground"]), meta.tie, change);
    this.near = choice("neighbours", plain(flat ? ["8", "4"] : ["26", "18", "6"]), String(meta.connectivity), change);
    this.prove = make("input", { type: "checkbox", onchange: change });
    this.outcome = make("div", { id: "whatif-outcome", "aria-live": "polite" });
  }

  /** What is chosen, as settings of the program. */
  settings() {
    const { meta } = this.data;
    const settings = { method: this.method.value, tie: this.tie.value, connectivity: this.near.value };
    const out = this.weights.flatMap((select, k) => (select.value === "out" ? [k] : []));
    const weights = this.weights.map((select) => (select.value === "out" ? "1" : select.value));
    if (out.length) settings.without = out.join(",");
    if (weights.some((weight) => weight !== "1")) settings.weights = weights.join(",");
    if (!["majority", "average"].includes(this.method.value)) {
      settings.blocks = this.blocks.value;
      if (this.prove.checked) settings.certify = "True";
    }
    if (meta.slice_wise !== null) settings.slice_wise = "xyz"[meta.slice_wise];
    return settings;
  }

  follow() {
    try {
      const start = performance.now();
      const answer = this.engine.ask(this.settings());
      this.show(answer, performance.now() - start);
    } catch (error) {
      this.outcome.replaceChildren(make("p", { class: "note" }, error.message));
    }
  }

  /** Into the viewer as one more consensus, and into the table. */
  show(answer, milliseconds) {
    const { data, look } = this;
    const at = data.methods.findIndex((method) => method.what_if);
    const n = at < 0 ? data.methods.length : at;
    data.methods[n] = {
      name: "what if", what_if: true, stamp: (data.methods[n]?.stamp ?? 0) + 1,
      levelAt: (_, place) => answer.levels[place],
    };
    const lines = [...look.lines];
    if (at < 0) lines.push(true);
    look.set({ lines, stamp: data.methods[n].stamp });
    this.panel.refresh();
    this.outcome.replaceChildren(this.summary(answer, milliseconds), this.table(answer));
  }

  summary(answer, milliseconds) {
    const first = this.data.methods[0];
    let same = 0;
    let own = 0;
    let theirs = 0;
    answer.levels.forEach((level, place) => {
      const before = first.levelAt(this.data.rowOf, place) > 0.5;
      const now = level > 0.5;
      same += before && now ? 1 : 0;
      own += before ? 1 : 0;
      theirs += now ? 1 : 0;
    });
    const change = theirs - own;
    const kept = answer.components.filter((component) => component.kept).length;
    const gap = answer.lower_bound === undefined ? ""
      : ` It is at most ${(answer.lmsd > 0 ? (100 * Math.max(0, answer.lmsd - answer.lower_bound)) / answer.lmsd : 0)
        .toPrecision(2)} % from the best there is${answer.proven ? ", proven" : ""}.`;
    return make("p", { class: "headline" },
      `${plural(answer.raters, "rater", "raters")}: ${kept} of ${answer.components.length} components kept, ` +
      `${grouped(answer.voxels)} voxels, ${(answer.volume_mm3 / 1000).toPrecision(3)} ml, ` +
      `${change >= 0 ? "+" : "−"}${grouped(Math.abs(change))} voxels against the consensus of the page` +
      `${own + theirs > 0 ? ` (Dice ${((2 * same) / (own + theirs)).toFixed(3)})` : ""}. ` +
      `LMSD ${answer.lmsd.toFixed(4)} in ${answer.distance}.${gap} Found in ${Math.round(milliseconds)} ms.`);
  }

  table(answer) {
    const rows = answer.components.map((one, c) => [one, c]).sort((a, b) => b[0].union_voxels - a[0].union_voxels)
      .slice(0, 200).map(([one, c]) => make("tr", {},
        make("th", { scope: "row" }, String(c + 1)),
        make("td", {}, ...one.present.flatMap((k) =>
          [make("span", { class: "rater" }, swatch(this.data.raters[k].colour), nameOf(this.data.raters[k].name)), " "])),
        make("td", { class: "number" }, grouped(one.union_voxels)),
        make("td", { class: one.kept ? "kept" : "dropped" }, one.kept ? `kept ${grouped(one.voxels)}` : "left out"),
        make("td", { class: "number" }, one.margin === null ? "–" : one.margin.toFixed(4))));
    const head = ["Component", "Drawn by", "Union, voxels", "Decision, voxels", "Margin"];
    return make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Components of the what-if" },
      make("table", { id: "whatif-components" },
        make("thead", {}, make("tr", {}, ...head.map((words) => make("th", { scope: "col" }, words)))),
        make("tbody", {}, ...rows)));
  }

  reset() {
    const { meta } = this.data;
    this.weights.forEach((select, k) => pick(select, String(meta.weights[k] ?? 1)));
    pick(this.method, this.data.methods[0].name);
    pick(this.blocks, meta.blocks);
    pick(this.tie, meta.tie);
    pick(this.near, String(meta.connectivity));
    this.prove.checked = false;
    this.follow();
  }

  box() {
    const label = (words, control) => make("label", { class: "choice" }, words, control);
    return make("div", {},
      make("div", { class: "controls" },
        make("fieldset", {}, make("legend", {}, "Raters"), ...this.data.raters.map((rater, k) =>
          make("div", { class: "choice rater" }, swatch(rater.colour), nameOf(rater.name), this.weights[k]))),
        make("fieldset", {}, make("legend", {}, "Method"), label("distance", this.method), label("blocks", this.blocks),
          label("exact ties go to", this.tie), label("neighbours", this.near), label("prove the gap", this.prove)),
        make("button", { type: "button", onclick: () => this.reset() }, "as in the page")),
      make("p", { class: "note" }, "A rater who is left out is taken out altogether: components are formed anew from " +
        "the masks of the others, so that their numbers may change. The result is the line “what if” of the viewer."),
      this.outcome);
  }
}

/** Fills the section where the page can compute; else it keeps what it says. */
export async function startWhatIf(data, look, panel) {
  const place = document.getElementById("whatif-box");
  const engine = place ? await Engine.load(data) : null;
  if (!engine) return null;
  const what = new WhatIf(data, look, panel, engine);
  place.replaceChildren(what.box());
  return what;
}
