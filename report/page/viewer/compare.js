// SPDX-License-Identifier: Apache-2.0
// Two masks beside each other: any two of raters, methods, the what-if, decisions and a file.
import { grouped, make } from "../format.js";
import { drew } from "../data.js";
import { DIFFERENCE } from "./palette.js";
import { maskFromFile } from "./dropin.js";
import { overlapOf, startHd95 } from "./surfaces.js";

const MODES = [["difference", "gained and lost"], ["swipe", "swipe"], ["blink", "blink"]];
const BLINK_MS = 700;

/** Everything that can be compared: a key, words, and whether a voxel is in. */
function sourcesOf(data, files) {
  return [
    ...data.raters.map((rater, k) => [`rater ${k}`, rater.name, (row) => row !== 0 && drew(data.rows, row, k)]),
    ...data.methods.map((method, m) => [`method ${m}`, method.name, (row, place) => method.levelAt(data.rowOf, place) > 0.5]),
    ...files.map(({ name, mask }, n) => [`file ${n}`, name, (row, place) => mask[place] === 1]),
  ];
}

/** Connected places where two masks differ, the largest first, as one voxel of each: neighbours share a side. */
function differencesOf(a, b, size) {
  const seen = new Uint8Array(a.length);
  const strides = [1, size[0], size[0] * size[1]];
  const found = [];
  for (let start = 0; start < a.length; ++start) {
    if (seen[start] || a[start] === b[start]) continue;
    const list = [start];
    seen[start] = 1;
    for (let n = 0; n < list.length; ++n) {
      const at = [list[n] % size[0], Math.floor(list[n] / size[0]) % size[1], Math.floor(list[n] / strides[2])];
      for (let axis = 0; axis < 3; ++axis)
        for (const step of [-1, 1]) {
          const to = list[n] + step * strides[axis];
          if (at[axis] + step < 0 || at[axis] + step >= size[axis] || seen[to] || a[to] === b[to]) continue;
          seen[to] = 1;
          list.push(to);
        }
    }
    found.push([list.length, list[Math.floor(list.length / 2)]]);
  }
  return found.sort((one, other) => other[0] - one[0] || one[1] - other[1])
    .map(([, place]) => [place % size[0], Math.floor(place / size[0]) % size[1], Math.floor(place / strides[2])]);
}

/** What the colours of “gained and lost” stand for. */
function differenceLegend() {
  const entry = ([name, words]) => {
    const mark = make("i");
    mark.style.background = `rgb(${DIFFERENCE[name].join()})`;
    return make("span", {}, mark, words);
  };
  return make("p", { class: "legend", hidden: true }, ...[["gained", "only in “to”"], ["lost", "only in “from”"], ["both", "in both"]].map(entry));
}

export class Compare {
  constructor(data, look) {
    this.data = data;
    this.look = look;
    this.files = [];
    this.next = 0;
    this.hd95 = null;
    const select = (label) => make("select", { "aria-label": label, onchange: () => this.follow() });
    this.first = select("compare from");
    this.second = select("compare to");
    this.mode = make("select", { "aria-label": "how to compare two masks", onchange: () => this.follow() },
      make("option", { value: "" }, "off"), ...MODES.map(([value, words]) => make("option", { value }, words)));
    this.share = make("input", {
      type: "range", min: "0", max: "1", step: "0.01", value: "0.5", "aria-label": "where the swipe is",
      oninput: () => this.slide(Number(this.share.value)),
    });
    this.file = make("input", { type: "file", accept: ".nii,.gz", "aria-label": "a mask to compare with, .nii or .nii.gz", onchange: () => this.take() });
    this.summary = make("p", { id: "compare-summary", class: "note", role: "status" });
    this.legend = differenceLegend();
    this.onward = make("button", { type: "button", onclick: () => this.step() }, "next difference");
    look.atEnd(() => this.end());
    look.watch(({ stamp }) => {
      if (stamp) this.follow();
    });
    this.fill();
  }

  /** Keeps what was chosen where it is still there. */
  fill() {
    const sources = sourcesOf(this.data, this.files);
    [this.first, this.second].forEach((select, n) => {
      const chosen = select.value || (n === 0 ? "rater 0" : "method 0");
      select.replaceChildren(...sources.map(([key, words]) => make("option", { value: key }, words)));
      select.value = sources.some(([key]) => key === chosen) ? chosen : sources[0][0];
    });
  }

  maskOf(key) {
    const test = sourcesOf(this.data, this.files).find(([own]) => own === key)[2];
    return Uint8Array.from(this.data.rowOf, (row, place) => Number(test(row, place)));
  }

  end() {
    clearInterval(this.timer);
    this.hd95?.stop();
  }

  /** What is chosen is shown and measured. */
  follow() {
    this.end();
    this.fill();
    const mode = this.mode.value;
    this.share.closest("label")?.toggleAttribute("hidden", mode !== "swipe");
    this.legend.hidden = mode !== "difference";
    if (!mode) {
      this.summary.textContent = "";
      if (this.look.ab) this.look.set({ ab: null });
      return;
    }
    const [a, b] = [this.maskOf(this.first.value), this.maskOf(this.second.value)];
    this.next = 0;
    this.differences = null;
    this.look.set({ ab: { mode, a, b, share: Number(this.share.value), second: false, turn: (this.look.ab?.turn ?? 0) + 1 } });
    if (mode === "blink") this.timer = setInterval(() => this.blink(), BLINK_MS);
    this.measure(a, b);
  }

  blink() {
    this.look.set({ ab: { ...this.look.ab, second: !this.look.ab.second } });
  }

  slide(share) {
    this.share.value = String(share);
    this.look.set({ ab: { ...this.look.ab, share } });
  }

  measure(a, b) {
    const { data } = this;
    const { both, lost, gained } = overlapOf(a, b);
    const dice = 2 * both + lost + gained ? ((2 * both) / (2 * both + lost + gained)).toFixed(4) : "–";
    const words = `Dice ${dice}, ${grouped(gained)} gained, ${grouped(lost)} lost`;
    this.summary.textContent = `${words}, HD95 …`;
    this.hd95 = startHd95({ a, b, size: data.size, spacing: data.spacing }, (distance) => {
      this.summary.textContent = `${words}, HD95 ${distance === null ? "–" : `${distance.toFixed(2)} ${data.meta.unit}`}.`;
    });
  }

  /** To the next place where they differ, the largest first. */
  step() {
    const { ab } = this.look;
    if (!ab) {
      this.mode.value = "difference";
      this.follow();
      this.step();
      return;
    }
    this.differences ??= differencesOf(ab.a, ab.b, this.data.size);
    const count = this.differences.length;
    this.onward.textContent = count ? `next difference (${(this.next % count) + 1} of ${count})` : "no difference";
    if (!count) return;
    const at = this.differences[this.next++ % count];
    this.look.set({ at, hover: null, centre: at.map((v) => v + 0.5), zoom: Math.max(this.look.zoom, 3) });
  }

  /** A mask from a file is one more to compare with. */
  async take() {
    const file = this.file.files[0];
    if (!file) return;
    try {
      const { mask, beyond } = await maskFromFile(this.data, file);
      this.files.push({ name: beyond ? `${file.name} (${grouped(beyond)} voxels beyond the page)` : file.name, mask });
      this.fill();
      this.second.value = `file ${this.files.length - 1}`;
      this.mode.value ||= "difference";
      this.follow();
    } catch (error) {
      this.summary.textContent = error.message;
    }
  }

  box() {
    const line = (words, ...controls) => make("label", { class: "choice wide" }, words, ...controls);
    const swipe = line("divider", this.share);
    swipe.hidden = true;
    return make("fieldset", { id: "compare" }, make("legend", {}, "Compare"), line("from", this.first), line("to", this.second),
      line("how", this.mode), swipe, this.legend, this.summary, make("div", { class: "buttons" }, this.onward), line("file", this.file));
  }
}
