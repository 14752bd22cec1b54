// SPDX-License-Identifier: Apache-2.0
// The decisions so far: kept by the browser, undone one by one, and saved as a file.
import { isStroke } from "./decide.js";

const ACTIONS = ["accept", "reject", "keep", "rater", "majority", "draw", "erase"];
const isCount = (number) => Number.isInteger(number) && number >= 0;

/** Whether something that was kept is a decision: others can write there, too. */
export function isSound(verdict) {
  if (typeof verdict !== "object" || verdict === null || !ACTIONS.includes(verdict.action)) return false;
  if (typeof verdict.label !== "string" || typeof (verdict.reason ?? "") !== "string" || typeof (verdict.time ?? "") !== "string") return false;
  if (isStroke(verdict))
    return Array.isArray(verdict.runs) && verdict.runs.every((run) => Array.isArray(run) && run.length === 2 && run.every(isCount));
  return isCount(verdict.component) && (verdict.zone === null || isCount(verdict.zone)) &&
    (verdict.action !== "rater" || isCount(verdict.rater));
}

/** What decides a whole component leaves nothing open in its zones. */
const SETTLING = ["reject", "rater", "majority"];

const placeKey = ({ label, component, zone }) => `${label}/${component}/${zone ?? ""}`;

/** Decisions about all structures of a page; a later one about the same place takes the place of the first. */
export class Ledger {
  constructor(desk) {
    this.desk = desk;
    this.list = [];
    this.past = [];
    this.tests = new Map(); // which decisions about a label fit the page
    this.written = null; // what the browser keeps, as this window knows it
    this.name = "";
    this.indexed = null; // the list that `index` is of
    this.key = `crema decisions ${desk.method} ${JSON.stringify(desk.settings)} ` +
      desk.inputs.map((input) => input.sha256).join(" ");
    this.kept = this.read();
  }

  /** What an earlier visit left; false where the browser keeps nothing. What cannot be read is set aside, not lost. */
  read() {
    try {
      const text = localStorage.getItem(this.key);
      this.damaged = text !== null && !this.adopt(text);
      if (this.damaged) localStorage.setItem(`${this.key} damaged`, text);
      this.written = text === null || this.damaged ? JSON.stringify({ list: [], name: "" }) : text;
      localStorage.setItem(this.key, this.written);
      return true;
    } catch {
      return false;
    }
  }

  /** Whether a text is what a ledger writes; its decisions are taken up then. */
  adopt(text) {
    let kept = null;
    try {
      kept = JSON.parse(text);
    } catch {
      return false;
    }
    if (typeof kept !== "object" || kept === null) return false;
    const { list, name } = kept;
    if (Array.isArray(list)) this.list = list.filter((verdict) => isSound(verdict) && this.fits(verdict));
    if (typeof name === "string") this.name = name;
    return true;
  }

  /** What another window of the same page decided meanwhile counts here, too; whether there was anything. */
  reload() {
    try {
      const text = localStorage.getItem(this.key);
      if (text === null || text === this.written || !this.adopt(text)) return false;
      this.written = text;
      this.past = [];
      return true;
    } catch {
      return false;
    }
  }

  write() {
    try {
      const text = JSON.stringify({ list: this.list, name: this.name });
      localStorage.setItem(this.key, text);
      this.written = text;
    } catch {
      this.kept = false;
    }
  }

  fits(verdict) {
    return this.tests.get(verdict.label)?.(verdict) ?? true;
  }

  /** Drops what is about nothing that a structure has, now and later: an older crema may have kept it. */
  sift(label, test) {
    this.tests.set(label, test);
    this.list = this.list.filter((verdict) => this.fits(verdict));
  }

  find(place) {
    if (this.indexed !== this.list) {
      this.indexed = this.list;
      this.index = new Map(this.list.filter((verdict) => !isStroke(verdict)).map((verdict) => [placeKey(verdict), verdict]));
    }
    return this.index.get(placeKey(place)) ?? null;
  }

  /** The decision about the component that a zone is of; null for a component. */
  whole(place) {
    return place.zone === null ? null : this.find({ ...place, zone: null });
  }

  /** Whether a decision about the component left nothing to decide about a zone. */
  isSettled(place) {
    return !this.find(place) && this.lastWord(place) !== null;
  }

  /** What has the last word on a place: its own decision, or a later one about the whole component. Null: it is open. */
  lastWord(place) {
    const [own, whole] = [this.find(place), this.whole(place)];
    if (!whole || (!own && !SETTLING.includes(whole.action))) return own;
    return own && this.list.indexOf(own) > this.list.indexOf(whole) ? own : whole;
  }

  of(label) {
    return this.list.filter((verdict) => verdict.label === label);
  }

  put(verdict) {
    this.reload();
    this.past.push(this.list);
    const others = isStroke(verdict) ? this.list
      : this.list.filter((other) => isStroke(other) || placeKey(other) !== placeKey(verdict));
    this.list = [...others, { ...verdict, time: new Date().toISOString().replace(/\.\d+Z$/, "Z") }];
    this.write();
  }

  /** The place whose decision was taken back; null where there is none. Of an earlier visit that is the last that is kept. */
  undo() {
    this.reload();
    const last = this.list.at(-1) ?? null;
    if (!last && !this.past.length) return null;
    this.list = this.past.pop() ?? this.list.slice(0, -1);
    this.write();
    return last;
  }

  /** All decisions of a file, in the place of those that were there. */
  load({ list, name }) {
    this.past.push(this.list);
    this.list = list;
    if (name) this.name = name;
    this.write();
  }

  setName(name) {
    this.reload();
    this.name = name;
    this.write();
  }

  /** As crema apply reads it. */
  text() {
    const { crema, method, settings, size, inputs } = this.desk;
    const json = { crema, decisions: 1 };
    if (this.name) json.adjudicator = this.name;
    Object.assign(json, { method, settings, size, inputs });
    json.list = this.list.map(({ label, component, zone, action, rater, runs, reason, time }) => ({
      ...(label ? { label } : {}),
      ...(runs ? { action, runs } : { component: component + 1, ...(zone === null ? {} : { zone }), action }),
      ...(action === "rater" ? { rater: rater + 1 } : {}), ...(reason ? { reason } : {}), ...(time ? { time } : {}),
    }));
    // Runs are long lists of short ones.
    return `${JSON.stringify(json, null, 2).replace(/\[\s+(\d+),\s+(\d+)\s+\]/g, "[$1, $2]")}\n`;
  }
}
