// SPDX-License-Identifier: Apache-2.0
// Ways to a component, a place, or the slice on which raters disagree most.
import { clamp, make, plural } from "../format.js";
import { placeOf } from "../data.js";

/** The middle of the voxels on a slice for which a test of rows holds, moved to the nearest of them. */
function middle(data, axis, index, [low, high], test) {
  const found = [];
  const range = [0, 1, 2].map((a) => (a === axis ? [index, index + 1] : [low[a], high[a]]));
  for (let z = range[2][0]; z < range[2][1]; ++z)
    for (let y = range[1][0]; y < range[1][1]; ++y)
      for (let x = range[0][0]; x < range[0][1]; ++x)
        if (test(data.rowOf[placeOf(data.size, [x, y, z])])) found.push([x, y, z]);
  if (!found.length) return null;
  const mean = [0, 1, 2].map((a) => found.reduce((sum, at) => sum + at[a], 0) / found.length);
  const far = (at) => at.reduce((sum, v, a) => sum + (v - mean[a]) ** 2, 0);
  return found.reduce((best, at) => (far(at) < far(best) ? at : best));
}

/** At least so much is seen around a small place, in voxels of the finest axis. */
const LEAST_SEEN = 16;

/** How a box of the image is seen as large as fits. */
export function fitTo(data, box) {
  const [low, high] = box.map((corner) => corner.map((v, a) => clamp(v - data.low[a], 0, data.size[a])));
  const finest = Math.min(...data.spacing);
  const seen = (length, a) => Math.max(length + Math.max(4, length / 5), (LEAST_SEEN * finest) / data.spacing[a]);
  const room = high.map((end, a) => data.size[a] / seen(end - low[a], a)).filter((_, a) => data.size[a] > 1);
  return { zoom: clamp(Math.min(...room), 1, 40), centre: low.map((v, a) => (v + high[a]) / 2) };
}

export class Jumps {
  constructor(data, look) {
    this.data = data;
    this.look = look;
    this.component = null;
    this.label = make("output", { class: "which" });
    this.say();
  }

  /** A voxel of the image as one of the box; null where the page does not hold it. */
  inBox(voxel) {
    const at = voxel.map((v, a) => v - this.data.low[a]);
    return at.every((v, a) => v >= 0 && v < this.data.size[a]) ? at : null;
  }

  to(at, component, words, fit = null) {
    this.component = component;
    this.say(at ? words : `${words}: not in this page`);
    const centre = this.look.zoom > 1 ? { centre: at?.map((v) => v + 0.5) } : {};
    if (at) this.look.set({ at, hover: null, ...(fit ?? centre) });
  }

  /** Another way led to a component. */
  mark(c) {
    this.component = c;
    this.say(this.wordsOf(c));
  }

  wordsOf(c) {
    return `component ${c + 1} of ${this.data.meta.components.length}`;
  }

  /** To the slice of a component on which its raters disagree most; the whole of it is seen. */
  toComponent(c) {
    const { data } = this;
    const { box, slice } = data.meta.components[c];
    const axis = data.meta.main;
    const index = slice - data.low[axis];
    const clipped = box.map((corner) => corner.map((v, a) => clamp(v - data.low[a], 0, data.size[a])));
    const at = index >= 0 && index < data.size[axis]
      ? middle(data, axis, index, clipped, (row) => data.componentOf[row] === c) : null;
    this.to(at, c, this.wordsOf(c), fitTo(data, box));
  }

  toPlace(voxel) {
    this.to(this.inBox(voxel), null, "finding");
  }

  disputed() {
    const { data } = this;
    const axis = data.meta.main;
    const index = clamp(data.meta.disputed - data.low[axis], 0, data.size[axis] - 1);
    const raters = data.raters.length;
    const all = [[0, 0, 0], data.size];
    const split = (row) => row !== 0 && data.rows.votes[row] < raters;
    const at = middle(data, axis, index, all, split) ?? middle(data, axis, index, all, (row) => row !== 0);
    this.to(at ?? this.look.at.map((v, a) => (a === axis ? index : v)), null,
      this.data.meta.grid.size[2] === 1 ? undefined : "most disputed slice");
  }

  step(by) {
    const count = this.data.meta.components.length;
    const from = this.component ?? (by > 0 ? -1 : 0);
    this.toComponent((from + by + count) % count);
  }

  say(words) {
    this.label.textContent = words ?? plural(this.data.meta.components.length, "component", "components");
    for (const row of document.querySelectorAll("#components tr.here")) row.classList.remove("here");
    if (this.component === null) return;
    const link = document.querySelector(`#components a[data-component="${this.component + 1}"]`);
    link?.closest("tr").classList.add("here");
  }

  /** Links of the tables lead into the viewer. */
  listen(root = document) {
    root.addEventListener("click", (event) => {
      const link = event.target.closest?.("a[data-component], a[data-place]");
      if (!link) return;
      if (link.dataset.component) this.toComponent(Number(link.dataset.component) - 1);
      else this.toPlace(link.dataset.place.split(",").map(Number));
    });
  }
}
