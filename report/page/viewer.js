// SPDX-License-Identifier: Apache-2.0
// One plane on its canvas, and the state that all planes share.
import { clamp, make, roundLength } from "./format.js";
import { drew } from "./data.js";
import { lanes, pathOf, trace } from "./contours.js";
import { lineOf } from "./palette.js";
import { maskOf, paintSlice } from "./paint.js";

/** What is looked at, for all planes; whoever changes it says so. */
export class Look {
  constructor(data) {
    this.at = data.size.map((n) => Math.floor(n / 2));
    this.zoom = 1;
    this.centre = data.size.map((n) => n / 2);
    this.paint = "votes";
    this.method = 0;
    this.raters = data.raters.map(() => true);
    this.lines = data.methods.map((_, m) => m === 0);
    this.hover = null;
    this.watchers = [];
    this.dusk = matchMedia("(prefers-color-scheme: dark)");
    this.turned = () => this.set({});
    this.dusk.addEventListener("change", this.turned);
  }

  /** Lets go of all who watch, and of what they hold: the browser would keep them. */
  forget() {
    this.dusk.removeEventListener("change", this.turned);
    this.watchers = [];
  }

  get dark() {
    return this.dusk.matches;
  }

  watch(f) {
    this.watchers.push(f);
  }

  set(changes) {
    Object.assign(this, changes);
    for (const f of this.watchers) f(changes);
  }
}

const colourOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export class PlaneView {
  constructor(data, look, plane, name) {
    this.data = data;
    this.look = look;
    this.plane = plane;
    this.name = name;
    this.slice = document.createElement("canvas");
    this.kept = new Map();
    this.canvas = make("canvas", { tabindex: "0", role: "img" });
    this.slider = make("input", {
      type: "range", min: "0", max: String(plane.count - 1), "aria-label": `${name}: slice`,
      oninput: () => this.go(Number(this.slider.value)),
    });
    this.label = make("output", {});
    this.box = make("div", { class: "plane" }, make("div", { class: "frame" }, this.canvas),
      make("div", { class: "along" }, this.slider, this.label));
    this.listen();
    // Pointing at something else draws nothing new.
    look.watch((changes) => {
      if (Object.keys(changes).join() !== "hover") this.ask();
    });
    new ResizeObserver(() => this.ask()).observe(this.box);
  }

  get index() {
    return this.look.at[this.plane.axis];
  }

  /** Goes to a slice. */
  go(index) {
    const at = [...this.look.at];
    at[this.plane.axis] = clamp(index, 0, this.plane.count - 1);
    this.look.set({ at });
  }

  zoomBy(factor) {
    const zoom = clamp(this.look.zoom * factor, 1, 40);
    this.look.set(zoom === 1 ? { zoom, centre: this.data.size.map((n) => n / 2) }
      : { zoom, centre: this.look.zoom === 1 ? this.look.at.map((v) => v + 0.5) : this.look.centre });
  }

  listen() {
    this.canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (event.ctrlKey || event.metaKey) this.zoomBy(event.deltaY < 0 ? 1.25 : 0.8);
      else this.go(this.index + Math.sign(event.deltaY));
    }, { passive: false });
    this.canvas.addEventListener("keydown", (event) => this.press(event));
    this.canvas.addEventListener("pointermove", (event) => this.point(event));
    this.canvas.addEventListener("pointerleave", () => this.look.set({ hover: null }));
    this.canvas.addEventListener("pointerdown", (event) => {
      this.drag = { x: event.clientX, y: event.clientY, centre: this.look.centre, moved: false };
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener("pointerup", (event) => {
      const clicked = this.drag && !this.drag.moved;
      this.drag = null;
      const voxel = this.voxelAt(event);
      if (clicked && voxel) this.look.set({ at: voxel });
    });
  }

  press(event) {
    const keys = {
      ArrowUp: () => this.go(this.index + 1), ArrowRight: () => this.go(this.index + 1),
      ArrowDown: () => this.go(this.index - 1), ArrowLeft: () => this.go(this.index - 1),
      PageUp: () => this.go(this.index + 10), PageDown: () => this.go(this.index - 10),
      Home: () => this.go(0), End: () => this.go(this.plane.count - 1),
      "+": () => this.zoomBy(1.25), "=": () => this.zoomBy(1.25), "-": () => this.zoomBy(0.8),
      0: () => this.zoomBy(0),
    };
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  }

  point(event) {
    if (this.drag) {
      const dx = event.clientX - this.drag.x;
      const dy = event.clientY - this.drag.y;
      this.drag.moved ||= Math.hypot(dx, dy) > 4;
      if (this.drag.moved && this.look.zoom > 1) this.pan(dx, dy);
      return;
    }
    this.look.set({ hover: this.voxelAt(event) });
  }

  pan(dx, dy) {
    const centre = [...this.drag.centre];
    [dx, dy].forEach((moved, n) => {
      const voxels = (moved * devicePixelRatio) / (this.scale * this.plane.cell[n]);
      centre[this.plane.axes[n]] += this.plane.backwards[n] ? voxels : -voxels;
    });
    this.look.set({ centre });
  }

  voxelAt(event) {
    if (!this.scale) return null;
    const frame = this.canvas.getBoundingClientRect();
    const x = (event.clientX - frame.left) * devicePixelRatio;
    const y = (event.clientY - frame.top) * devicePixelRatio;
    const column = Math.floor((x - this.left) / (this.scale * this.plane.cell[0]));
    const row = Math.floor((y - this.top) / (this.scale * this.plane.cell[1]));
    const inside = column >= 0 && row >= 0 && column < this.plane.columns && row < this.plane.rows;
    return inside ? this.plane.voxel(this.index, column, row) : null;
  }

  /** Draws once before the next frame, however often it is asked. */
  ask() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.draw();
    });
  }

  /** To scale: as large as fits at zoom 1. */
  layOut() {
    const { plane, look } = this;
    const wide = plane.columns * plane.cell[0];
    const high = plane.rows * plane.cell[1];
    const width = this.canvas.parentElement.clientWidth;
    this.canvas.style.height = `${Math.round(width * clamp(high / wide, 0.35, 1.1))}px`;
    this.canvas.width = Math.round(width * devicePixelRatio);
    this.canvas.height = Math.round(this.canvas.clientHeight * devicePixelRatio);
    this.scale = Math.min(this.canvas.width / wide, this.canvas.height / high) * look.zoom;
    const middle = plane.cellOf(look.centre.map((c) => c - 0.5)).map((c) => c + 0.5);
    this.left = this.canvas.width / 2 - middle[0] * plane.cell[0] * this.scale;
    this.top = this.canvas.height / 2 - middle[1] * plane.cell[1] * this.scale;
  }

  draw() {
    const { data, look, plane } = this;
    if (!this.canvas.parentElement.clientWidth) return;
    this.layOut();
    const key = `${look.paint} ${look.method} ${data.methods[look.method].stamp ?? 0} ${colourOf("--paper")}`;
    if (this.painted !== `${key} ${this.index}`) {
      paintSlice(data, plane, this.index, look, this.slice, colourOf("--paper").split(" ").map(Number));
      this.painted = `${key} ${this.index}`;
    }
    const context = this.canvas.getContext("2d");
    context.imageSmoothingEnabled = false;
    context.fillStyle = `rgb(${colourOf("--paper")})`;
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    const cell = plane.cell.map((c) => c * this.scale);
    context.drawImage(this.slice, this.left, this.top, plane.columns * cell[0], plane.rows * cell[1]);
    this.drawLines(context, cell);
    this.drawCross(context, cell);
    this.drawWords(context);
    this.tell();
  }

  /** The loops of a mask on this slice; found once for a slice. */
  loops(key, test) {
    if (this.keptIndex !== this.index) this.kept.clear();
    this.keptIndex = this.index;
    if (!this.kept.has(key))
      this.kept.set(key, trace(maskOf(this.data, this.plane, this.index, test), this.plane.columns, this.plane.rows));
    return this.kept.get(key);
  }

  drawLines(context, cell) {
    const { data, look } = this;
    const ratio = devicePixelRatio;
    const insets = lanes(data.raters.length, Math.min(...cell));
    const line = (loops, inset, colour, width, dash) => {
      context.strokeStyle = colour;
      context.lineWidth = width * ratio;
      context.setLineDash(dash.map((d) => d * ratio));
      context.stroke(pathOf(loops, [this.left, this.top], cell, inset));
    };
    context.lineJoin = "round";
    data.raters.forEach((rater, k) => {
      if (!look.raters[k]) return;
      const loops = this.loops(`rater ${k}`, (row) => row !== 0 && drew(data.rows, row, k));
      line(loops, insets[k], rater.colour, 1.5, rater.dash ? rater.dash.split(" ").map(Number) : []);
    });
    data.methods.forEach((method, m) => {
      if (!look.lines[m]) return;
      const loops = this.loops(`method ${m} ${method.stamp ?? 0}`,
        (row, place) => method.levelAt(data.rowOf, place) > 0.5);
      const style = lineOf(m);
      line(loops, 0, colourOf("--halo"), style.width + 2, []);
      line(loops, 0, colourOf("--line"), style.width, style.dash);
    });
    context.setLineDash([]);
  }

  drawCross(context, cell) {
    const [column, row] = this.plane.cellOf(this.look.at);
    const x = this.left + (column + 0.5) * cell[0];
    const y = this.top + (row + 0.5) * cell[1];
    context.strokeStyle = colourOf("--cross");
    context.lineWidth = devicePixelRatio;
    context.beginPath();
    for (const side of [-1, 1]) {
      const gap = side * 9 * devicePixelRatio;
      context.moveTo(x + gap, y);
      context.lineTo(side < 0 ? 0 : this.canvas.width, y);
      context.moveTo(x, y + gap);
      context.lineTo(x, side < 0 ? 0 : this.canvas.height);
    }
    context.stroke();
  }

  drawWords(context) {
    const ratio = devicePixelRatio;
    const { width, height } = this.canvas;
    context.font = `600 ${13 * ratio}px system-ui, sans-serif`;
    const write = (text, x, y, align) => {
      context.textAlign = align;
      context.lineWidth = 3 * ratio;
      context.strokeStyle = colourOf("--halo");
      context.strokeText(text, x, y);
      context.fillStyle = colourOf("--line");
      context.fillText(text, x, y);
    };
    const [left, right, top, bottom] = [...this.plane.letters.padEnd(4)];
    write(left, 8 * ratio, height / 2, "left");
    write(right, width - 8 * ratio, height / 2, "right");
    write(top, width / 2, 17 * ratio, "center");
    write(bottom, width / 2, height - 8 * ratio, "center");
    const length = roundLength(width / 4 / this.scale);
    context.fillStyle = colourOf("--line");
    context.fillRect(10 * ratio, height - 9 * ratio, length * this.scale, 2.5 * ratio);
    write(`${length} ${this.data.meta.unit}`, 10 * ratio, height - 14 * ratio, "left");
  }

  tell() {
    const axis = "xyz"[this.plane.axis];
    const number = this.index + this.data.low[this.plane.axis];
    this.slider.value = String(this.index);
    this.label.textContent = `${this.name} · ${axis} = ${number}`;
    this.canvas.setAttribute("aria-label",
      `${this.name} slice ${axis} = ${number} with the raters’ contours; arrow keys change the slice, plus and minus zoom`);
  }
}
