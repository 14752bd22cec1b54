// SPDX-License-Identifier: Apache-2.0
// Mouse, fingers and keys on the solid.

const TURN = 0.009; // of a pixel, as an angle
const KEY_TURN = 0.15;

/** Lets a canvas be turned, moved, zoomed and clicked; `changed` follows each, `click` gets the pointer. */
export class Handling {
  constructor(canvas, orbit, changed, click) {
    this.canvas = canvas;
    this.orbit = orbit;
    this.changed = changed;
    this.click = click;
    this.pointers = new Map();
    this.moved = false;
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.release(event));
    canvas.addEventListener("pointercancel", (event) => this.pointers.delete(event.pointerId));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  press(event) {
    this.canvas.setPointerCapture(event.pointerId);
    if (!this.pointers.size) this.moved = false;
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY, startX: event.clientX, startY: event.clientY });
  }

  move(event) {
    const own = this.pointers.get(event.pointerId);
    if (!own) return;
    const apart = () => {
      const [a, b] = [...this.pointers.values()];
      return Math.hypot(a.x - b.x, a.y - b.y);
    };
    const before = this.pointers.size === 2 ? apart() : 0;
    const [dx, dy] = [event.clientX - own.x, event.clientY - own.y];
    this.moved ||= Math.hypot(event.clientX - own.startX, event.clientY - own.startY) > 4;
    [own.x, own.y] = [event.clientX, event.clientY];
    if (!this.moved) return;
    if (this.pointers.size === 2) this.orbit.zoomBy(apart() / Math.max(before, 1));
    else if (event.shiftKey || (event.buttons & 2) !== 0) this.slide(dx, dy);
    else this.orbit.rotate(dx * TURN, dy * TURN);
    this.changed();
  }

  slide(dx, dy) {
    const half = this.canvas.clientHeight / 2;
    this.orbit.move(dx / half, -dy / half);
  }

  release(event) {
    const known = this.pointers.delete(event.pointerId);
    if (known && !this.moved && event.button === 0) this.click(event);
  }

  wheel(event) {
    event.preventDefault();
    this.orbit.zoomBy(event.deltaY < 0 ? 1.15 : 1 / 1.15);
    this.changed();
  }

  key(event) {
    const { orbit } = this;
    const keys = {
      ArrowLeft: () => orbit.rotate(-KEY_TURN, 0), ArrowRight: () => orbit.rotate(KEY_TURN, 0),
      ArrowUp: () => orbit.rotate(0, -KEY_TURN), ArrowDown: () => orbit.rotate(0, KEY_TURN),
      "+": () => orbit.zoomBy(1.25), "=": () => orbit.zoomBy(1.25), "-": () => orbit.zoomBy(0.8), 0: () => orbit.reset(this.canvas.clientWidth / this.canvas.clientHeight),
    };
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
    this.changed();
  }
}
