// SPDX-License-Identifier: Apache-2.0
// The consensus as a solid, raters as glass around it.
import { grouped, make } from "../format.js";
import { drew } from "../data.js";
import { parsedColour, shadesOf } from "../viewer/palette.js";
import { voteShare } from "../viewer/paint.js";
import { Handling } from "./handling.js";
import { bricksOf, firstAlong, surfaceOf } from "./mesh.js";
import { Orbit } from "./orbit.js";
import { drawOver } from "./over.js";
import { Scene } from "./scene.js";

/** All raters together hide about this much of what is behind them. */
const GLASS = 0.4;

const part = ([red, green, blue], opacity) => [red / 255, green / 255, blue / 255, opacity];

export class Solid {
  constructor(data, look) {
    this.data = data;
    this.look = look;
    this.orbit = new Orbit(data);
    this.scene = null;
    this.bricks = null;
    this.made = new Map(); // surfaces by name, and the stamp of the method they are of
    this.canvas = make("canvas", {
      tabindex: "0", role: "img", "aria-label": "the consensus in three dimensions with the raters around it; arrow keys turn it, plus and minus zoom, a click moves the planes there",
    });
    this.over = make("canvas", { class: "over", "aria-hidden": "true" });
    this.note = make("p", { class: "note", role: "status" });
    this.method = make("select", { "aria-label": "consensus in three dimensions", onchange: () => this.follow() });
    this.glass = make("input", { type: "checkbox", checked: true, onchange: () => this.follow() });
    this.box = make("div", { class: "plane solid", hidden: true },
      make("div", { class: "frame" }, this.canvas, this.over),
      make("div", { class: "along" }, make("label", { class: "choice" }, "surface of ", this.method),
        make("label", { class: "choice" }, this.glass, "raters"),
        make("button", { type: "button", onclick: () => this.reset() }, "from the front"), this.note));
    this.button = make("button", { type: "button", id: "solid-button", "aria-pressed": "false", onclick: () => this.toggle() }, "3-D");
    this.handling = new Handling(this.canvas, this.orbit, () => this.ask(), (event) => this.pick(event));
    this.canvas.addEventListener("webglcontextlost", () => this.lost());
    look.watch((changes) => {
      if (this.shown && Object.keys(changes).join() !== "hover") this.follow();
    });
    look.atEnd(() => this.scene?.end());
    new ResizeObserver(() => this.ask()).observe(this.box);
  }

  get shown() {
    return !this.box.hidden;
  }

  /** Shows it or hides it; the first time everything is made. */
  toggle() {
    const planes = this.button.closest("#viewer").querySelector(".planes");
    if (!this.box.isConnected) planes.prepend(this.box);
    this.box.hidden = !this.box.hidden;
    planes.classList.toggle("with-solid", this.shown);
    this.button.setAttribute("aria-pressed", String(this.shown));
    if (!this.shown) return;
    try {
      if (!this.scene) {
        this.scene = new Scene(this.canvas);
        this.reset();
      }
    } catch {
      this.note.textContent = "This browser has no WebGL2, or it is switched off; use the three planes instead.";
      this.box.classList.add("lacking");
      return;
    }
    this.follow();
  }

  lost() {
    if (!this.shown || !this.scene) return;
    this.scene = null;
    this.made.clear();
    this.note.textContent = "The graphics card became unavailable; reload the page.";
    this.box.classList.add("lacking");
  }

  /** Which voxels a method has. */
  insideOf(method) {
    const { rowOf } = this.data;
    if (!method.rows) return (place) => method.levelAt(rowOf, place) > 0.5;
    const rows = Uint8Array.from(method.rows, (level) => Number(level > 0.5));
    return (place) => rows[rowOf[place]] === 1;
  }

  /** Which voxels a rater drew. */
  drawnBy(k) {
    const { rows, rowOf } = this.data;
    const own = Uint8Array.from({ length: rows.count }, (_, row) => Number(row !== 0 && drew(rows, row, k)));
    return (place) => own[rowOf[place]] === 1;
  }

  /** Makes a surface; how many faces it has, null where they are too many. */
  make(name, stamp, inside, smooth) {
    const { data } = this;
    // A brush may have been where nobody drew.
    if (stamp > 0 || !this.bricks) this.bricks = bricksOf(data, stamp > 0 ? inside : null);
    const surface = surfaceOf(data.size, this.bricks, inside, (place) => data.rows.votes[data.rowOf[place]], smooth);
    if (surface) this.scene.put(name, surface);
    else this.scene.drop(name);
    this.made.set(name, stamp);
    return surface?.quads ?? null;
  }

  fill() {
    const { methods } = this.data;
    if (this.method.options.length === methods.length) return;
    const chosen = this.method.value || "0";
    this.method.replaceChildren(...methods.map((method, m) => make("option", { value: String(m) }, method.name)));
    this.method.value = chosen;
  }

  /** The consensus at once; raters one after the other, so that the page goes on. */
  follow() {
    if (!this.scene) return;
    this.fill();
    const m = Number(this.method.value);
    const method = this.data.methods[m];
    const stamp = method.stamp ?? 0;
    if (this.made.get(`method ${m}`) !== stamp) {
      this.inside = this.insideOf(method);
      this.quads = this.make(`method ${m}`, stamp, this.inside, true);
      this.note.textContent = this.quads === null ? "This surface has too many faces to draw." : `${grouped(this.quads)} faces`;
    }
    this.inside = this.insideOf(method);
    this.ask();
    this.next();
  }

  next() {
    if (this.waiting || !this.glass.checked) return;
    const k = this.data.raters.findIndex((_, n) => this.look.raters[n] && !this.made.has(`rater ${n}`));
    if (k < 0) return;
    this.waiting = setTimeout(() => {
      this.waiting = null;
      if (!this.shown || !this.scene) return;
      this.make(`rater ${k}`, 0, this.drawnBy(k), false);
      this.ask();
      this.next();
    });
  }

  reset() {
    this.orbit.reset(this.canvas.clientWidth / this.canvas.clientHeight || 1);
    this.ask();
  }

  /** Draws once before the next frame. */
  ask() {
    if (this.requested || !this.shown) return;
    this.requested = true;
    requestAnimationFrame(() => {
      this.requested = false;
      this.draw();
    });
  }

  /** What is drawn, in its order: the solid first, then glass. */
  list() {
    const { data, look } = this;
    const solid = [[`method ${this.method.value}`, [1, 1, 1, 1]]];
    if (!this.glass.checked) return solid;
    const seen = data.raters.map((_, k) => k).filter((k) => look.raters[k]);
    const each = 1 - (1 - GLASS) ** (1 / Math.max(seen.length, 1));
    return [...solid, ...seen.map((k) => [`rater ${k}`, part(parsedColour(data.raters[k].colour), k === look.lit ? 0.5 : each)])];
  }

  draw() {
    if (!this.scene || !this.canvas.clientWidth) return;
    const { data, look, canvas } = this;
    const shade = shadesOf(data.meta.shades);
    const tints = Array.from({ length: data.raters.length + 1 }, (_, n) =>
      part(shade(voteShare(n, data.raters.length, look.dark)), 1).slice(0, 3));
    canvas.width = Math.round(canvas.clientWidth * devicePixelRatio);
    canvas.height = Math.round(canvas.clientHeight * devicePixelRatio);
    this.scene.draw(this.orbit, this.list(), tints);
    drawOver(this);
    this.drawnAt ??= performance.now();
  }

  /** A click leads the planes to the voxel that is seen there. */
  pick(event) {
    if (!this.scene) return;
    const frame = this.canvas.getBoundingClientRect();
    const half = frame.height / 2;
    const { from, along } = this.orbit.lineAt((event.clientX - frame.left - frame.width / 2) / half, (frame.top + half - event.clientY) / half);
    const { data, look } = this;
    const tests = this.glass.checked ? data.raters.flatMap((_, k) => (look.raters[k] ? [this.drawnBy(k)] : [])) : [];
    const at = firstAlong(data.size, this.inside, from, along) ??
      firstAlong(data.size, (place) => tests.some((test) => test(place)), from, along);
    if (at) look.set({ at, hover: null, ...(look.zoom > 1 ? { centre: at.map((v) => v + 0.5) } : {}) });
  }
}
