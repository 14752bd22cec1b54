// SPDX-License-Identifier: Apache-2.0
// One plane on its canvas.
import { clamp, make } from "../format.js";
import { trace } from "./contours.js";
import { Gestures } from "./gestures.js";
import { maskOf, paintBeneath, paintSlice } from "./paint.js";
import { colourOf, drawBrush, drawCross, drawLines, drawWords } from "./strokes.js";

export class PlaneView {
  constructor(data, look, plane, name) {
    this.data = data;
    this.look = look;
    this.plane = plane;
    this.name = name;
    this.slice = document.createElement("canvas");
    this.beneath = data.grey || data.photo ? document.createElement("canvas") : null;
    this.kept = new Map();
    this.canvas = make("canvas", { tabindex: "0", role: "img" });
    this.slider = make("input", {
      type: "range", min: "0", max: String(plane.count - 1), "aria-label": `${name}: slice`,
      oninput: () => this.go(Number(this.slider.value)),
    });
    this.label = make("output", {});
    this.box = make("div", { class: "plane" }, make("div", { class: "frame" }, this.canvas),
      plane.count > 1 ? make("div", { class: "along" }, this.slider, this.label) : null);
    this.gestures = new Gestures(this);
    this.canvas.addEventListener("keydown", (event) => this.press(event));
    // Pointing at something else draws nothing new.
    look.watch((changes) => {
      if (Object.keys(changes).join() !== "hover" || look.brush) this.ask();
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

  /** What lies beneath a pointer stays there. */
  zoomAt(factor, event) {
    const { look, plane } = this;
    const zoom = clamp(look.zoom * factor, 1, 40);
    if (zoom === 1 || !this.scale) {
      this.zoomBy(0);
      return;
    }
    this.place(); // several turns of a wheel may come before the next picture
    const scale = (this.scale * zoom) / look.zoom;
    const centre = look.zoom === 1 ? look.at.map((v) => v + 0.5) : [...look.centre];
    this.pixelOf(event).forEach((pixel, n) => {
      const start = n === 0 ? this.left : this.top;
      const half = (n === 0 ? this.canvas.width : this.canvas.height) / 2;
      const beneath = (pixel - start) / (this.scale * plane.cell[n]);
      const middle = beneath + (half - pixel) / (scale * plane.cell[n]);
      const count = n === 0 ? plane.columns : plane.rows;
      centre[plane.axes[n]] = plane.backwards[n] ? count - middle : middle;
    });
    look.set({ zoom, centre });
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
    const step = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    if (event.shiftKey && step) keys[event.key] = () => this.walk(step);
    if (this.look.brush) keys.Enter = () => this.look.brush.stamp(this);
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  }

  /** Moves the crosshair on the plane by a cell. */
  walk(step) {
    const { plane, look } = this;
    const [column, row] = plane.cellOf(look.at).map((v, n) => clamp(v + step[n], 0, (n === 0 ? plane.columns : plane.rows) - 1));
    look.set({ at: plane.voxel(this.index, column, row) });
  }

  /** Moves the plane by so many pixels of the page from where its middle was. */
  pan(from, dx, dy) {
    const centre = [...from];
    [dx, dy].forEach((moved, n) => {
      const voxels = (moved * devicePixelRatio) / (this.scale * this.plane.cell[n]);
      centre[this.plane.axes[n]] += this.plane.backwards[n] ? voxels : -voxels;
    });
    this.look.set({ centre });
  }

  /** Where a pointer is, in pixels of the canvas. */
  pixelOf(event) {
    const frame = this.canvas.getBoundingClientRect();
    return [(event.clientX - frame.left) * devicePixelRatio, (event.clientY - frame.top) * devicePixelRatio];
  }

  voxelAt(event) {
    if (!this.scale) return null;
    const [x, y] = this.pixelOf(event);
    const column = Math.floor((x - this.left) / (this.scale * this.plane.cell[0]));
    const row = Math.floor((y - this.top) / (this.scale * this.plane.cell[1]));
    const inside = column >= 0 && row >= 0 && column < this.plane.columns && row < this.plane.rows;
    return inside ? this.plane.voxel(this.index, column, row) : null;
  }

  /** Draws once before the next frame, however often it is requested. */
  ask() {
    if (this.requested) return;
    this.requested = true;
    requestAnimationFrame(() => {
      this.requested = false;
      this.draw();
    });
  }

  /** To scale: as large as fits at zoom 1. */
  layOut() {
    const { plane } = this;
    const width = this.canvas.parentElement.clientWidth;
    const [wide, high] = [plane.columns * plane.cell[0], plane.rows * plane.cell[1]];
    // A flat image has no other planes: what is zoomed gets the room that they would take.
    this.canvas.style.height = `${Math.round(width * clamp(high / wide, plane.count === 1 ? 0.75 : 0.35, 1.1))}px`;
    this.canvas.width = Math.round(width * devicePixelRatio);
    this.canvas.height = Math.round(this.canvas.clientHeight * devicePixelRatio);
    this.place();
  }

  /** Where the slice lies on the canvas. */
  place() {
    const { plane, look } = this;
    const [wide, high] = [plane.columns * plane.cell[0], plane.rows * plane.cell[1]];
    this.scale = Math.min(this.canvas.width / wide, this.canvas.height / high) * look.zoom;
    const middle = plane.cellOf(look.centre.map((c) => c - 0.5)).map((c) => c + 0.5);
    this.left = this.canvas.width / 2 - middle[0] * plane.cell[0] * this.scale;
    this.top = this.canvas.height / 2 - middle[1] * plane.cell[1] * this.scale;
  }

  /** Paints what changed since the last time. */
  paint() {
    const { data, look, plane, index } = this;
    const key = `${look.paint} ${look.veil} ${look.bare} ${look.method} ${data.methods[look.method].stamp ?? 0} ${look.dark} ${look.ab?.mode} ${look.ab?.turn} ${index}`;
    if (this.painted !== key) paintSlice(data, plane, index, look, this.slice);
    this.painted = key;
    const shaded = `${look.window} ${index}`;
    if (this.beneath && this.shaded !== shaded) paintBeneath(data, plane, index, look.window, this.beneath);
    this.shaded = shaded;
  }

  draw() {
    const { look, plane } = this;
    if (!this.canvas.parentElement.clientWidth) return;
    this.layOut();
    this.paint();
    const context = this.canvas.getContext("2d");
    context.fillStyle = `rgb(${colourOf("--paper")})`;
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    const cell = plane.cell.map((c) => c * this.scale);
    const put = (picture) => context.drawImage(picture, this.left, this.top, plane.columns * cell[0], plane.rows * cell[1]);
    context.imageSmoothingEnabled = look.smooth;
    if (this.beneath) put(this.beneath);
    context.imageSmoothingEnabled = false;
    put(this.slice);
    if (!look.bare) drawLines(this, context, cell);
    drawCross(this, context, cell);
    if (look.brush) drawBrush(this, context, cell);
    drawWords(this, context);
    this.refresh();
  }

  /** The loops of a mask on this slice; found once for a slice. */
  loops(key, test) {
    if (this.keptIndex !== this.index) this.kept.clear();
    this.keptIndex = this.index;
    if (!this.kept.has(key))
      this.kept.set(key, trace(maskOf(this.data, this.plane, this.index, test), this.plane.columns, this.plane.rows));
    return this.kept.get(key);
  }

  refresh() {
    const axis = "xyz"[this.plane.axis];
    const number = this.index + this.data.low[this.plane.axis];
    this.slider.value = String(this.index);
    this.label.textContent = `${this.name} · ${axis} = ${number}`;
    this.canvas.setAttribute("aria-label", this.plane.count === 1
      ? "the image with the raters’ contours; plus and minus zoom"
      : `${this.name} slice ${axis} = ${number} with the raters’ contours; arrow keys change the slice, with Shift they move the crosshair, plus and minus zoom`);
  }
}
