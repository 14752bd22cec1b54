// SPDX-License-Identifier: Apache-2.0
// All labels of a case beside the one that is shown: whose eye is open, and who calls a voxel what.
import { make, nameOf, raterMark } from "./format.js";
import { drew, placeOf } from "./data.js";

/** Up to so many labels are drawn to begin with, and of so many the voxels are read ahead. */
const OPEN_EYES = 12;
const READ_AHEAD = 40;

/** A label's colour and name. */
export function labelMark({ name, colour }) {
  const dot = make("i", {});
  dot.style.background = colour;
  return make("span", { class: "rater" }, dot, nameOf(name));
}

export class Labels {
  /** `names` have colours; `peek` reads a structure, `peekDesk` what is to be decided about it alone. */
  constructor({ names }, peek, peekDesk) {
    this.names = names;
    this.peek = peek;
    this.peekDesk = peekDesk;
    this.list = names.map(() => null);
    this.desks = names.map(() => null);
    this.kept = {}; // what goes on from label to label
    this.eyes = names.map(() => names.length <= OPEN_EYES);
    this.shown = 0;
    this.look = null;
    this.turn = null; // shows the label with a number, once there is a chooser
    this.turning = false;
  }

  /** Reads what is missing, one after the other; pictures and lists follow. */
  async load() {
    for (let n = 0; n < this.names.length; ++n) {
      const voxels = n < READ_AHEAD || this.eyes[n];
      if (this.list[n] || (!voxels && this.desks[n])) continue;
      if (voxels) this.list[n] = await this.peek(n);
      this.desks[n] ??= voxels ? this.list[n].meta.desk : await this.peekDesk(n);
      this.look?.set({ labels: n });
    }
  }

  /** Another label is looked at. */
  turnTo(number, look) {
    this.shown = number;
    this.look = look;
    look.others = this;
    if (this.list.every(Boolean)) look.set({ labels: number });
  }

  setEye(number, open) {
    this.eyes[number] = open;
    this.load().then(() => this.look?.set({ labels: number }));
  }

  /** Labels besides the one that is shown whose eye is open, [number, data]. */
  seen() {
    return this.list.map((data, n) => [n, data]).filter(([n, data]) => data && n !== this.shown && this.eyes[n]);
  }

  /** Whether the consensus of a label has a voxel of the box of another. */
  testOf(number, { size, low }) {
    const other = this.list[number];
    const method = other.methods[0];
    const [wide, tall] = size;
    return (place) => {
      const at = [place % wide, Math.floor(place / wide) % tall, Math.floor(place / wide / tall)].map((v, a) => v + low[a] - other.low[a]);
      return at.every((v, a) => v >= 0 && v < other.size[a]) && method.levelAt(other.rowOf, placeOf(other.size, at)) > 0.5;
    };
  }

  /** For a voxel of the image: for each label that is read, who drew it, whether it took the voxel when it was alone, and whether the consensus has it. */
  callsAt(image) {
    return this.list.flatMap((data, n) => {
      const at = data?.low.map((v, a) => image[a] - v);
      if (!data || !at.every((v, a) => v >= 0 && v < data.size[a])) return [];
      const place = placeOf(data.size, at);
      const row = data.rowOf[place];
      const raters = row === 0 ? [] : data.raters.flatMap((_, k) => (drew(data.rows, row, k) ? [k] : []));
      return raters.length ? [{ number: n, raters, claims: data.meta.alone?.[row - 1] === 1, given: data.methods[0].levelAt(data.rowOf, place) > 0.5 }] : [];
    });
  }

  /** How labels that claimed this voxel were settled, in words; null where fewer than two did. */
  settledWords(calls) {
    const claimants = calls.filter((call) => call.claims);
    if (claimants.length < 2) return null;
    const given = calls.find((call) => call.given);
    return `claimed by ${claimants.map((call) => this.names[call.number].name).join(" and ")}; ` +
      `given to ${given ? this.names[given.number].name : "none"}, where the total criterion is least`;
  }

  /** Pairs of a term and what is said of it: who calls a voxel what. */
  factsAt(image, raters) {
    const calls = this.callsAt(image);
    const called = new Set(calls.flatMap((call) => call.raters));
    const silent = raters.flatMap((rater, k) => (called.has(k) ? [] : [raterMark(rater)]));
    const line = (mark, list) => make("p", { class: "call" }, mark, ": ", ...list.flatMap((one) => [one, " "]));
    const lines = calls.map((call) => line(labelMark(this.names[call.number]), call.raters.map((k) => raterMark(raters[k]))));
    if (!calls.length) return [["labels", "no rater gave it a label"]];
    if (silent.length) lines.push(line("no label", silent));
    const given = calls.filter((call) => call.given).map((call) => labelMark(this.names[call.number]));
    const words = this.settledWords(calls);
    return [["labels", lines], ["consensus", given.length ? given : ["no label"]], ...(words ? [["settled", words]] : [])];
  }

  /** An eye beside the button of each label. */
  chips(buttons) {
    buttons.forEach((button, n) => {
      const eye = make("input", { type: "checkbox", checked: this.eyes[n], "aria-label": `draw ${this.names[n].name}`, onchange: () => this.setEye(n, eye.checked) });
      const chip = make("span", { class: "chip" });
      button.replaceWith(chip);
      chip.append(button, make("label", { class: "eye", title: "drawn or not" }, eye, make("span", { "aria-hidden": "true" })));
    });
  }
}
