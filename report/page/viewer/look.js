// SPDX-License-Identifier: Apache-2.0
// The state that all planes share.

/** What is looked at, for all planes; whoever changes it says so. */
export class Look {
  constructor(data) {
    this.at = data.size.map((n) => Math.floor(n / 2));
    this.zoom = 1;
    this.centre = data.size.map((n) => n / 2);
    // Over an image nothing is painted until somebody wants it.
    this.paint = data.grey || data.photo ? "none" : "votes";
    this.veil = 0.55;
    this.cut = 0.5; // levels above it are inside
    this.bare = false;
    this.window = data.greyScale ? [...data.greyScale.window] : null;
    this.smooth = false;
    this.method = 0;
    this.raters = data.raters.map(() => true);
    this.ab = null; // two masks that are compared
    this.others = null; // labels besides this one
    this.brush = null; // the tool that is in the hand
    this.lit = null; // the rater that is pointed at
    this.lines = data.methods.map((_, m) => m === 0);
    this.hover = null;
    this.watchers = [];
    this.ends = [];
    this.dusk = matchMedia("(prefers-color-scheme: dark)");
    this.turned = () => this.set({});
    this.dusk.addEventListener("change", this.turned);
  }

  /** Lets go of all who watch, and of what they hold: the browser would keep them. */
  forget() {
    this.dusk.removeEventListener("change", this.turned);
    this.watchers = [];
    for (const f of this.ends) f();
  }

  /** What is to be done when nobody looks any more. */
  atEnd(f) {
    this.ends.push(f);
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
