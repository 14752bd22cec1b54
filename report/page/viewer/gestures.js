// SPDX-License-Identifier: Apache-2.0
// Mouse, pen and fingers on a plane.
import { clamp } from "../format.js";

/** A finger goes so far for one slice. */
const SLICE_PIXELS = 14;

const far = ([a, b]) => Math.hypot(a.x - b.x, a.y - b.y);
const between = ([a, b]) => ({ clientX: (a.x + b.x) / 2, clientY: (a.y + b.y) / 2 });

export class Gestures {
  constructor(view) {
    this.view = view;
    this.pointers = new Map();
    this.drag = null;
    const { canvas, look } = view;
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerleave", () => look.set({ hover: null }));
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointerup", (event) => this.release(event));
    canvas.addEventListener("pointercancel", (event) => this.cancel(event));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  wheel(event) {
    event.preventDefault();
    const { view } = this;
    if (event.ctrlKey || event.metaKey || view.plane.count === 1) view.zoomAt(event.deltaY < 0 ? 1.25 : 0.8, event);
    else view.go(view.index + Math.sign(event.deltaY));
  }

  /** What a drag that begins so does. */
  kindOf(event) {
    const { look, plane } = this.view;
    if (look.brush && event.button === 0 && !event.shiftKey) return "brush";
    if (look.ab?.mode === "swipe" && Math.abs(this.shareOf(event) - look.ab.share) * this.view.canvas.clientWidth < 12) return "divide";
    if ((event.button === 2 || event.shiftKey) && look.window) return "window";
    return event.pointerType === "touch" && plane.count > 1 ? "swipe" : "pan";
  }

  /** Where a pointer is between left and right. */
  shareOf(event) {
    const frame = this.view.canvas.getBoundingClientRect();
    return clamp((event.clientX - frame.left) / frame.width, 0, 1);
  }

  press(event) {
    const { view } = this;
    view.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const { centre, window, zoom } = view.look;
    if (this.pointers.size === 2) {
      if (this.drag?.kind === "brush") view.look.brush?.drop();
      const both = [...this.pointers.values()];
      this.drag = { kind: "pinch", zoom, far: far(both), middle: between(both), moved: true };
      return;
    }
    this.drag = { kind: this.kindOf(event), x: event.clientX, y: event.clientY, centre, window, index: view.index, moved: false };
    const voxel = this.drag.kind === "brush" ? view.voxelAt(event) : null;
    if (voxel) view.look.brush.begin(view, voxel);
  }

  move(event) {
    const { view, drag } = this;
    if (this.pointers.has(event.pointerId)) this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (!drag) {
      view.look.set({ hover: view.voxelAt(event) });
      return;
    }
    if (drag.kind === "brush") {
      this.paint(event);
      return;
    }
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    drag.moved ||= Math.hypot(dx, dy) > 4;
    if (!drag.moved) return;
    if (drag.kind === "pinch") this.pinch();
    else if (drag.kind === "divide") view.look.set({ ab: { ...view.look.ab, share: this.shareOf(event) } });
    else if (drag.kind === "window") this.shade(dx, dy);
    else if (drag.kind === "swipe") view.go(drag.index - Math.trunc(dy / SLICE_PIXELS));
    else if (view.look.zoom > 1) view.pan(drag.centre, dx, dy);
  }

  /** A stroke may leave the image and come back. */
  paint(event) {
    const { view } = this;
    const voxel = view.voxelAt(event);
    view.look.set({ hover: voxel });
    const { brush } = view.look;
    if (!voxel || !brush) return;
    if (brush.stroke) brush.extend(voxel);
    else brush.begin(view, voxel);
  }

  /** Two fingers zoom where they are, and move the plane along. */
  pinch() {
    if (this.pointers.size !== 2) return;
    const both = [...this.pointers.values()];
    const { view, drag } = this;
    const middle = between(both);
    view.zoomAt((drag.zoom * far(both)) / Math.max(drag.far, 1) / view.look.zoom, drag.middle);
    view.place();
    if (view.look.zoom > 1) view.pan(view.look.centre, middle.clientX - drag.middle.clientX, middle.clientY - drag.middle.clientY);
    drag.middle = middle;
  }

  /** To the right the window is wider, upwards it is brighter. */
  shade(dx, dy) {
    const { look, data } = this.view;
    const [low, high] = this.drag.window;
    const width = Math.max((high - low) * Math.exp(dx / 200), data.greyScale.step);
    const level = (low + high) / 2 + ((high - low) * dy) / 300;
    look.set({ window: [level - width / 2, level + width / 2] });
  }

  /** A drag that ends, however it does; what is left of a pinch is none. */
  cancel(event) {
    this.pointers.delete(event.pointerId);
    if (this.pointers.size === 0) this.drag = null;
    else if (this.drag) this.drag.kind = "none";
  }

  release(event) {
    const { view, drag } = this;
    if (drag?.kind === "brush") view.look.brush?.end();
    const clicked = drag && !drag.moved && !["none", "brush"].includes(drag.kind);
    this.cancel(event);
    const voxel = view.voxelAt(event);
    if (clicked && voxel) view.look.set({ at: voxel.map((v, a) => clamp(v, 0, view.data.size[a] - 1)) });
  }
}
