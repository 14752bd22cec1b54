// SPDX-License-Identifier: Apache-2.0
// The queue as a list: which decisions are in it, in which order, and a dot for each rater who drew there.
import { clamp, grouped, make } from "../format.js";
import { labelMark } from "../labels.js";
import { saidOf } from "./words.js";

/** No more rows are made; of longer lists those around the decision that is looked at. */
const MOST_LISTED = 300;

const KINDS = [["all", "all", () => true], ["open", "not decided yet", (item, desk) => !desk.ledger.lastWord(item)],
  ["flips", "unstable", (item) => item.reason === "flips"], ["left_out", "left out", (item) => item.reason === "left_out"],
  ["zone", "disputed zones", (item) => item.reason === "zone"]];

const near = ({ margin }) => (margin === null ? Infinity : Math.abs(margin));

const ORDERS = [["rank", "most important first", (a, b) => a.rank - b.rank], ["size", "largest first", (a, b) => b.voxels - a.voxels],
  ["margin", "closest first", (a, b) => near(a) - near(b)], ["raters", "drawn by fewest first", (a, b) => a.drawn.length - b.drawn.length],
  ["component", "by component", (a, b) => a.component - b.component]];

/** Scrolls a list so far that one of its parts is seen; the page stays where it is. */
function reveal(list, part) {
  if (!part) return;
  const [own, all] = [part.getBoundingClientRect(), list.getBoundingClientRect()];
  list.scrollTop += Math.min(own.top - all.top, 0) + Math.max(own.bottom - all.bottom, 0);
}

const chosen = (table, select) => table.find(([value]) => value === select.value)[2];

/** The decisions about all labels that are read, label by label, as the program lists them. */
export function itemsOf({ data, labels, number }) {
  const desks = labels ? labels.desks.map((desk, n) => (n === number ? data.meta.desk : desk)) : [data.meta.desk];
  return desks.flatMap((desk, n) => (desk?.items ?? []).map((item) =>
    ({ ...item, number: n, label: desk.label, zone: item.reason === "zone" ? item.first : null })))
    .map((item, rank) => ({ ...item, rank }));
}

/** A choice that goes on from label to label. */
function sifter(desk, name, label, table) {
  const { kept } = desk;
  const select = make("select", { "aria-label": label, onchange: () => {
    kept[name] = select.value;
    desk.refresh();
  } }, ...table.map(([value, words]) => make("option", { value, selected: value === kept[name] }, words)));
  return select;
}

export class QueueList {
  constructor(desk) {
    this.desk = desk;
    const names = desk.labels?.names ?? [];
    this.several = names.length > 1;
    this.kinds = this.several
      ? [...KINDS, ...names.map(({ name }, n) => [`label ${n}`, name, (item) => item.number === n])] : KINDS;
    this.kind = sifter(desk, "kind", "decisions that are listed", this.kinds);
    this.order = sifter(desk, "order", "order of the decisions", ORDERS);
    this.list = make("ol", { class: "queue", "aria-label": "decisions" });
    this.empty = make("p", { class: "note", hidden: true }, "No decision of this kind.");
    this.part = make("p", { class: "note", hidden: true });
    this.box = make("div", { class: "sifted" }, make("div", { class: "buttons" }, this.kind, this.order), this.list, this.empty, this.part);
  }

  /** The decisions that are listed, in their order. */
  listed() {
    const test = chosen(this.kinds, this.kind);
    return this.desk.items.filter((item) => test(item, this.desk)).sort((a, b) => chosen(ORDERS, this.order)(a, b) || a.rank - b.rank);
  }

  /** The number of the decision that lies so many behind the one that is looked at; the last where there are fewer. */
  step(by) {
    const { items, now } = this.desk;
    const list = this.listed();
    if (!list.length) return now;
    const at = list.indexOf(items[now]);
    if (at < 0) return list[0].rank;
    return list[Math.min(Math.max(at + by, 0), list.length - 1)].rank;
  }

  /** Where to begin: with what nobody has decided, of the label that is shown if there is any. */
  first() {
    const list = this.listed();
    const open = list.filter((item) => !this.desk.ledger.lastWord(item));
    const first = open.find((item) => item.number === this.desk.number) ?? open[0] ?? list[0];
    return first?.rank ?? this.desk.now;
  }

  /** The next one that nobody has decided, also from the beginning; else the next. */
  onward(from) {
    const list = this.listed();
    const at = list.indexOf(this.desk.items[from]);
    const open = [...list.slice(at + 1), ...list.slice(0, Math.max(at, 0))].find((item) => !this.desk.ledger.lastWord(item));
    return open ? open.rank : this.step(1);
  }

  dots({ drawn }) {
    const { raters } = this.desk.data;
    const names = drawn.map((k) => raters[k].name).join(", ");
    const dots = raters.map((rater, k) => {
      const dot = make("i", drawn.includes(k) ? { class: "on" } : {});
      if (drawn.includes(k)) dot.style.background = rater.colour;
      return dot;
    });
    return make("span", { class: "dots", role: "img", "aria-label": `drawn by ${names || "no rater"}`, title: names }, ...dots);
  }

  /** Whose decision it is, where there are several labels. */
  mark({ number }) {
    return this.several ? labelMark(this.desk.labels.names[number]) : null;
  }

  row(item) {
    const { desk } = this;
    const said = saidOf(desk, item);
    return make("li", {}, make("button", {
      type: "button", "aria-current": desk.begun && item.rank === desk.now ? "true" : null, class: said ? "done" : null, onclick: () => desk.go(item.rank),
    }, make("span", {}, `${item.rank + 1}`), make("span", { class: "what" }, this.mark(item), make("bdi", {}, item.words), said ? make("em", {}, ` ${said}`) : null),
    this.dots(item)));
  }

  refresh() {
    const list = this.listed();
    this.empty.hidden = list.length > 0;
    this.list.hidden = list.length === 0;
    const first = clamp(list.indexOf(this.desk.items[this.desk.now]) - MOST_LISTED / 2, 0, Math.max(list.length - MOST_LISTED, 0));
    this.list.replaceChildren(...list.slice(first, first + MOST_LISTED).map((item) => this.row(item)));
    this.part.hidden = list.length <= MOST_LISTED;
    this.part.textContent = `${MOST_LISTED} of ${grouped(list.length)} are listed, around the current one.`;
    reveal(this.list, this.list.querySelector("[aria-current]"));
  }
}
