// SPDX-License-Identifier: Apache-2.0
// Brush and eraser: what a stroke passes over becomes runs of voxels.
import { clamp, make } from "../format.js";
import { offsetOf } from "./decide.js";

const MOST_RADIUS = 30;

/** Voxels of the box as runs of the image, [first, length], in order. */
export function runsOf(data, places) {
  const offsets = [...places].map((place) => offsetOf(data, place)).sort((a, b) => a - b);
  const runs = [];
  for (const offset of offsets) {
    const last = runs.at(-1);
    if (last && last[0] + last[1] === offset) ++last[1];
    else runs.push([offset, 1]);
  }
  return runs;
}

export class Brush {
  constructor(desk) {
    this.desk = desk;
    this.look = desk.look;
    this.action = null;
    this.radius = 2;
    this.stroke = null;
    this.size = make("input", {
      type: "range", min: "0", max: String(MOST_RADIUS), value: String(this.radius), "aria-label": "radius of the brush in voxels",
      oninput: () => this.grow(Number(this.size.value) - this.radius),
    });
    this.width = make("output", { class: "reach" });
    const button = (key, words, action) => make("button", {
      type: "button", "aria-keyshortcuts": key, "aria-pressed": "false", "data-brush": action, onclick: () => this.take(action),
    }, make("kbd", {}, key), words);
    this.buttons = [button("B", "brush", "draw"), button("E", "eraser", "erase")];
    this.box = make("div", { class: "buttons brush" }, ...this.buttons, this.size, this.width);
    this.grow(0);
  }

  /** Takes a tool, or puts it away where it was in the hand. */
  take(action) {
    this.action = this.action === action ? null : action;
    for (const button of this.buttons) button.setAttribute("aria-pressed", String(button.dataset.brush === this.action));
    this.look.set({ brush: this.action ? this : null });
  }

  grow(by) {
    this.radius = clamp(this.radius + by, 0, MOST_RADIUS);
    this.size.value = String(this.radius);
    this.width.textContent = `${2 * this.radius + 1} wide`;
    this.look.set({ brush: this.look.brush ?? null });
  }

  /** How far the brush reaches on a plane, in its unit. */
  reach(plane) {
    return this.radius * Math.min(...plane.cell);
  }

  begin(view, voxel) {
    this.stroke = { view, places: new Set(), last: view.plane.cellOf(voxel) };
    this.desk.ready();
    this.dab(this.stroke.last);
    this.desk.touch();
  }

  /** A stroke at the crosshair, for the keyboard. */
  stamp(view) {
    this.begin(view, this.look.at);
    this.end();
  }

  /** On to a voxel, without gaps however quick the pointer is. */
  extend(voxel) {
    const { view, last } = this.stroke;
    const next = view.plane.cellOf(voxel);
    const steps = Math.max(...next.map((v, n) => Math.abs(v - last[n])));
    for (let s = 1; s <= steps; ++s) this.dab(last.map((v, n) => Math.round(v + ((next[n] - v) * s) / steps)));
    this.stroke.last = next;
    if (steps) this.desk.touch();
  }

  dab([column, row]) {
    const { view, places } = this.stroke;
    const { plane } = view;
    const reach = this.reach(plane);
    const [wide, high] = plane.cell.map((cell) => Math.floor(reach / cell + 1e-9));
    for (let r = Math.max(row - high, 0); r <= Math.min(row + high, plane.rows - 1); ++r)
      for (let c = Math.max(column - wide, 0); c <= Math.min(column + wide, plane.columns - 1); ++c) {
        if (Math.hypot((c - column) * plane.cell[0], (r - row) * plane.cell[1]) > reach + 1e-9) continue;
        const place = plane.place(view.index, c, r);
        places.add(place);
        this.desk.current[place] = this.action === "draw" ? 1 : 0;
      }
  }

  /** What was painted is a decision. */
  end() {
    const stroke = this.stroke;
    this.stroke = null;
    if (stroke) this.desk.keep(this.action, runsOf(this.desk.data, stroke.places));
  }

  /** The stroke never was. */
  drop() {
    this.stroke = null;
    this.desk.follow();
  }
}
