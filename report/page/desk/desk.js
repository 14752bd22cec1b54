// SPDX-License-Identifier: Apache-2.0
// The queue of decisions beside the viewer: one after the other, by keyboard or by button.
import { clamp, make, raterMark } from "../format.js";
import { fitTo } from "../viewer/jumps.js";
import { Brush } from "./brush.js";
import { baseOf, decided, isStroke, placesOf } from "./decide.js";
import { loadDecisions, saveDecisions, saveMask } from "./files.js";
import { Ledger } from "./ledger.js";
import { leaveField, pressed } from "./keys.js";
import { misfitOf } from "./load.js";
import { itemsOf, QueueList } from "./list.js";
import { doneWords, KEEPING, progressOf, wordsAbout } from "./words.js";

const isSame = (one, other) => one.number === other?.number && one.component === other.component && one.zone === other.zone;

export class Desk {
  constructor(shown, kept) {
    this.shown = shown;
    this.data = shown.data;
    this.look = shown.look;
    this.panel = shown.panel;
    this.labels = shown.labels ?? null;
    this.number = shown.number ?? 0;
    this.kept = kept;
    this.ledger = kept.ledger;
    this.others = shown.others;
    this.items = itemsOf(shown);
    this.base = baseOf(this.data);
    this.places = new Map();
    this.current = null;
    this.now = 0;
    this.begun = false; // until a decision was looked at, none is taken
    this.brush = new Brush(this);
    this.progress = make("output", { class: "progress", "aria-live": "polite" });
    this.list = new QueueList(this);
    this.hint = make("p", { class: "hint", "aria-live": "polite" });
    this.words = make("div", {});
    this.about = make("div", { class: "about", tabindex: "0", role: "group", "aria-label": "the decision" }, this.hint, this.words);
    this.note = make("p", { class: "note", role: "status" });
    this.keeping = make("span", {});
    this.reason = make("input", {
      type: "text", maxlength: "2000", "aria-label": "reason (optional)", placeholder: "reason (optional)", onkeydown: leaveField,
    });
    this.name = make("input", {
      type: "text", maxlength: "200", "aria-label": "your name (optional)", placeholder: "your name (optional)",
      value: this.ledger.name, onkeydown: leaveField, onchange: () => this.ledger.setName(this.name.value),
    });
    this.file = make("input", {
      type: "file", accept: ".json,application/json", "aria-label": "decisions.json to continue",
      onchange: () => {
        if (this.file.files.length) loadDecisions(this, this.file.files[0]);
        this.file.value = "";
      },
    });
    this.onKey = (event) => pressed(this, event);
    document.addEventListener("keydown", this.onKey);
    this.onStorage = (event) => {
      if (event.key === this.ledger.key && this.ledger.reload()) this.again();
    };
    addEventListener("storage", this.onStorage);
    this.look.watch(({ labels }) => {
      if (labels !== undefined) this.gather();
    });
  }

  /** The keys are free again. */
  forget() {
    document.removeEventListener("keydown", this.onKey);
    removeEventListener("storage", this.onStorage);
  }

  /** Another label was read: its decisions join the list. */
  gather() {
    const items = itemsOf(this.shown);
    if (items.length === this.items.length) return;
    const at = items.findIndex((item) => isSame(item, this.items[this.now]));
    this.items = items;
    this.now = Math.max(at, 0);
    this.refresh();
  }

  find(verdict) {
    const key = `${verdict.component}/${verdict.zone ?? ""}`;
    if (!this.places.has(key)) this.places.set(key, placesOf(this.data, verdict));
    return this.places.get(key);
  }

  get verdicts() {
    return this.ledger.of(this.data.meta.desk.label);
  }

  mask() {
    return decided(this.data, this.base, this.verdicts, (verdict) => this.find(verdict));
  }

  decide(action, rater = null) {
    const item = this.items[this.now];
    if (!item) return;
    if (!this.begun || !this.isInSight()) {
      this.go(this.begun ? this.now : this.list.first());
      this.hint.textContent = "Preview; press the same key again to decide.";
      return;
    }
    const { label, component, zone } = item;
    // What comes next is found before: a decided one may leave the list.
    const onward = this.list.onward(this.now);
    this.ledger.put({ label, component, zone, action, rater, reason: this.reason.value.trim() });
    this.reason.value = "";
    this.follow();
    this.go(onward);
    if (this.items.every((one) => this.ledger.lastWord(one))) this.hint.textContent = doneWords(this);
  }

  undo() {
    const last = this.ledger.undo();
    this.follow();
    const number = last ? this.labels?.desks.findIndex((desk) => desk?.label === last.label) ?? this.number : this.number;
    if (last && isStroke(last)) {
      if (number !== this.number) this.turn(number);
      else this.refresh();
      return;
    }
    const at = last ? this.items.findIndex((item) => isSame(item, { ...last, number })) : -1;
    this.go(at >= 0 ? at : this.now);
  }

  /** To the decision that lies so many behind; at first to the one that waits in the list as it is shown. */
  move(by) {
    this.go(this.begun ? this.list.step(by) : this.list.first());
  }

  /** Shows another label, and there a decision; keys wait until it is seen. */
  async turn(number, wanted = null) {
    if (number < 0 || !this.labels?.turn) return;
    this.labels.turning = true;
    try {
      await this.labels.turn(number);
      const { desk } = globalThis.crema;
      const at = wanted ? desk.items.findIndex((item) => isSame(item, wanted)) : -1;
      if (at >= 0) desk.go(at);
    } finally {
      this.labels.turning = false;
    }
  }

  /** Whether the main plane is in the window. */
  isInSight() {
    const { top, bottom } = this.shown.views[0].canvas.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  }

  /** To a decision: it is outlined, and fitted to the planes. */
  go(number) {
    if (!this.items.length) return;
    const item = this.items[clamp(number, 0, this.items.length - 1)];
    if (item.number !== this.number) {
      this.turn(item.number, item);
      return;
    }
    this.hint.textContent = "";
    this.reveal();
    this.begun = true;
    this.now = item.rank;
    const { data, look } = this;
    const focus = new Uint8Array(data.rowOf.length);
    for (const place of this.find(item)) focus[place] = 1;
    const at = item.at.map((v, a) => clamp(v - data.low[a], 0, data.size[a] - 1));
    look.set({ at, focus, focusStamp: (look.focusStamp ?? 0) + 1, hover: null, ...fitTo(data, item.box) });
    this.shown.jumps.mark(item.component);
    this.refresh();
  }

  /** Brings the planes into the window: at the first decision all of them, where they fit. */
  reveal() {
    const frames = this.shown.views.map((view) => view.canvas.getBoundingClientRect());
    const [top, bottom] = [Math.min(...frames.map((one) => one.top)), Math.max(...frames.map((one) => one.bottom))];
    const cut = !this.begun && bottom > innerHeight && bottom - top < innerHeight;
    if (cut || !this.isInSight()) this.shown.views[0].canvas.closest("#viewer").scrollIntoView({ behavior: "instant" });
  }

  /** Decisions came from elsewhere. */
  again() {
    this.name.value = this.ledger.name;
    this.follow();
    this.refresh();
  }

  /** The mask so far is a line of the viewer. */
  follow() {
    this.current = this.mask();
    this.touch();
  }

  /** There is a mask to paint on. */
  ready() {
    if (!this.current) this.follow();
  }

  /** Shows what became of the mask. */
  touch() {
    const { data, look } = this;
    const at = data.methods.findIndex((method) => method.decided);
    const n = at < 0 ? data.methods.length : at;
    if (at < 0) data.methods[n] = { name: "decided", decided: true, stamp: 0, levelAt: (_, place) => this.current[place] };
    ++data.methods[n].stamp;
    look.set({ lines: at < 0 ? [...look.lines, true] : look.lines, stamp: data.methods[n].stamp });
    if (at < 0) this.panel.refresh();
  }

  /** A stroke of the brush becomes a decision. */
  keep(action, runs) {
    if (!runs.length) return;
    this.ledger.put({ label: this.data.meta.desk.label, action, runs, reason: this.reason.value.trim() });
    this.reason.value = "";
    this.follow();
    this.refresh();
  }

  refresh() {
    this.progress.textContent = progressOf(this);
    this.keeping.textContent = KEEPING[this.ledger.kept];
    this.list.refresh();
    this.words.replaceChildren(...wordsAbout(this, this.items[this.now]));
  }

  box() {
    const key = (letter, words, onclick, more = {}) =>
      make("button", { type: "button", onclick, "aria-keyshortcuts": letter, ...more }, make("kbd", {}, letter), words);
    const raters = this.data.raters.slice(0, 9).map((rater, k) =>
      key(String(k + 1), raterMark(rater), () => this.decide("rater", k)));
    const header = this.data.meta.desk.header;
    return make("div", { id: "desk", role: "region", "aria-labelledby": "desk-heading" },
      make("h3", { id: "desk-heading" }, "Decide ", this.progress),
      this.about,
      make("div", { class: "buttons acts" }, key("A", "accept: in", () => this.decide("accept")),
        key("R", "reject: out", () => this.decide("reject")), key("K", "as the consensus", () => this.decide("keep")),
        key("M", "majority", () => this.decide("majority"))),
      make("div", { class: "buttons raters" }, make("span", { class: "which" }, "as drawn by"), ...raters),
      make("div", { class: "buttons" }, key("P", "previous", () => this.move(-1)), key("N", "next", () => this.move(1)),
        key("U", "undo", () => this.undo()), this.reason),
      this.brush.box,
      this.list.box,
      make("div", { class: "buttons saves" }, this.name,
        make("button", { type: "button", id: "save-decisions", onclick: () => saveDecisions(this) }, "save decisions.json"),
        header ? make("button", { type: "button", id: "save-final", onclick: () => saveMask(this) }, this.data.meta.label ? "save the labels as .nii" : "save the mask as .nii") : null),
      make("label", { class: "choice wide" }, "load decisions", this.file),
      header ? null : make("p", { class: "note" }, "The final mask: ", make("code", {}, "crema apply decisions.json RATER… -o FILE"), "."),
      make("p", { class: "note" }, "Undecided voxels keep the consensus; the line “decided” is the mask so far. ", this.keeping), this.note);
  }
}

/** Puts the queue beside the viewer; null where the page cannot take decisions. */
export function startDesk(shown, place) {
  const { desk } = shown.data.meta;
  const several = (shown.labels?.names.length ?? 1) > 1;
  if (!desk || (!desk.items.length && !several) || shown.data.meta.partial) return null;
  const kept = shown.labels?.kept ?? {};
  kept.ledger ??= new Ledger(desk);
  const made = new Desk(shown, kept);
  const viewer = place.querySelector("#viewer");
  viewer.prepend(made.box());
  viewer.classList.add("deciding");
  made.ledger.sift(desk.label, (verdict) => !misfitOf(made.data, verdict, (one) => made.find(one)));
  if (made.verdicts.length) made.follow();
  made.now = made.list.first();
  made.refresh();
  if (kept.ledger.damaged) made.note.textContent = "The decisions kept by this browser are damaged and were set aside; load a saved decisions.json to continue.";
  return made;
}
