// SPDX-License-Identifier: Apache-2.0
// What if: one rater less, another weight, another distance, and the consensus follows.
import { make, nameOf, sample } from "./format.js";
import { Stopped, wordsOf } from "./engine.js";
import { summaryOf, tableOf } from "./outcome.js";

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
  : [[weight, `counts ${Number(Number(weight).toPrecision(3))} times`], ...WEIGHTS]);

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
    this.method = choice("distance or vote", plain(meta.what_if.map(({ name }) => name)), data.methods[0].name, change);
    const blocks = [["subcrown", "subcrown"], ["crown", "crown"], ["group", "group: the best possible"]];
    // Slow, so that it is offered only where it was chosen.
    if (meta.blocks === "voxel") blocks.push(["voxel", "voxel"]);
    this.blocks = choice("blocks", blocks, meta.blocks, change);
    this.tie = choice("exact ties", plain(["background", "foreground"]), meta.tie, change);
    this.near = choice("neighbours", plain(flat ? ["8", "4"] : ["26", "18", "6"]), String(meta.connectivity), change);
    this.prove = make("input", { type: "checkbox", onchange: change });
    this.outcome = make("div", { id: "whatif-outcome", "aria-live": "polite" });
    this.busy = make("p", { id: "whatif-busy", class: "busy", role: "status", hidden: true }, "Fusing … ",
      make("button", { type: "button", onclick: () => this.stop() }, "stop"));
    look.atEnd(() => engine.stop());
  }

  /** What is chosen, as settings of the program. */
  settings() {
    const { meta } = this.data;
    const settings = { method: this.method.value, connectivity: this.near.value };
    const out = this.weights.flatMap((select, k) => (select.value === "out" ? [k] : []));
    const weights = this.weights.map((select) => (select.value === "out" ? "1" : select.value));
    const method = meta.what_if.find(({ name }) => name === this.method.value);
    if (out.length) settings.without = out.join(",");
    if (weights.some((weight) => weight !== "1")) settings.weights = weights.join(",");
    if (method.criterion && !this.data.raterLevels) settings.blocks = this.blocks.value;
    if (method.tie) settings.tie = this.tie.value;
    if (method.empty_test && !meta.empty_test) settings.empty_test = "False";
    if (method.proof && this.prove.checked) settings.certify = "True";
    if (meta.slice_wise !== null) settings.slice_wise = "xyz"[meta.slice_wise];
    return settings;
  }

  async follow() {
    const start = performance.now();
    this.busy.hidden = false;
    try {
      const answer = await this.engine.ask(this.settings());
      this.show(answer, performance.now() - start);
      this.busy.hidden = true;
    } catch (error) {
      // Another question took its place, or somebody stopped it.
      if (error instanceof Stopped) return;
      this.busy.hidden = true;
      this.outcome.replaceChildren(make("p", { class: "note" }, wordsOf(error)));
    }
  }

  stop() {
    this.engine.stop();
    this.busy.hidden = true;
    this.outcome.replaceChildren(make("p", { class: "note" }, "Stopped; the line “what if” shows the last answer, if any."));
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
    this.outcome.replaceChildren(summaryOf(data, answer, milliseconds), tableOf(data, answer));
  }

  reset() {
    const { meta } = this.data;
    this.weights.forEach((select, k) => pick(select, String(meta.weights[k] ?? 1)));
    pick(this.method, this.data.methods[0].name);
    pick(this.blocks, meta.blocks);
    pick(this.tie, meta.tie);
    pick(this.near, String(meta.connectivity));
    this.prove.checked = false;
    return this.follow();
  }

  box() {
    const levels = this.data.raterLevels !== null;
    const label = (words, control) => make("label", { class: "choice" }, words, control);
    return make("div", {},
      make("div", { class: "controls" },
        make("fieldset", {}, make("legend", {}, "Raters"), ...this.data.raters.map((rater, k) =>
          make("div", { class: "choice rater" }, sample(rater), nameOf(rater.name), this.weights[k]))),
        make("fieldset", {}, make("legend", {}, "Method"), label("distance", this.method),
          levels ? null : label("blocks", this.blocks), label("exact ties go to", this.tie),
          label("neighbours", this.near), label("prove the gap", this.prove)),
        make("button", { type: "button", onclick: () => this.reset() }, "as in the page")),
      this.data.meta.label ? make("p", { class: "note" }, "This label is fused alone here, as if there were no others: " +
        "where several labels claimed a voxel, the consensus of the page may differ.") : null,
      make("p", { class: "note" }, "A rater left out is removed completely: components are computed again from " +
        `the ${levels ? "levels" : "masks"} of the others, so their numbers may change. ` +
        "The result is the line “what if” of the viewer."),
      levels ? make("p", { class: "note" }, "The page keeps levels in 255 steps: where a voxel lies on the " +
        "edge of a decision, crema fuse may decide otherwise, and criteria differ by about a thousandth.") : null,
      this.busy, this.outcome);
  }
}

/** Fills the section where the page can compute; else it keeps what it says. */
export function startWhatIf(data, look, panel, engine) {
  const place = document.getElementById("whatif-box");
  if (!place || !engine) return null;
  const what = new WhatIf(data, look, panel, engine);
  place.replaceChildren(what.box());
  return what;
}
