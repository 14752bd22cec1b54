// SPDX-License-Identifier: Apache-2.0
// The queue as a list: which decisions are in it, in which order, and a dot for each rater who drew there.
import { make } from "../format.js";

const KINDS = [["all", "all", () => true], ["open", "not decided yet", (item, desk) => !desk.ledger.find(item)],
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

export class QueueList {
  constructor(desk) {
    this.desk = desk;
    const select = (label, table) => make("select", { "aria-label": label, onchange: () => desk.tell() },
      ...table.map(([value, words]) => make("option", { value }, words)));
    this.kind = select("decisions that are listed", KINDS);
    this.order = select("order of the decisions", ORDERS);
    this.list = make("ol", { class: "queue", "aria-label": "decisions" });
    this.empty = make("p", { class: "note", hidden: true }, "No decision is of this kind.");
    this.box = make("div", { class: "sifted" }, make("div", { class: "buttons" }, this.kind, this.order), this.list, this.empty);
  }

  /** The decisions that are listed, in their order. */
  listed() {
    const test = chosen(KINDS, this.kind);
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

  /** The next one that nobody has decided; else the next. */
  onward(from) {
    const list = this.listed();
    const at = list.indexOf(this.desk.items[from]);
    const open = list.slice(at + 1).find((item) => !this.desk.ledger.find(item));
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

  row(item) {
    const { desk } = this;
    const said = desk.said(item);
    return make("li", {}, make("button", {
      type: "button", "aria-current": desk.begun && item.rank === desk.now ? "true" : null, class: said ? "done" : null, onclick: () => desk.go(item.rank),
    }, make("span", {}, `${item.rank + 1}`), make("span", { class: "what" }, make("bdi", {}, item.words), said ? make("em", {}, ` ${said}`) : null),
    this.dots(item)));
  }

  tell() {
    const list = this.listed();
    this.empty.hidden = list.length > 0;
    this.list.hidden = list.length === 0;
    this.list.replaceChildren(...list.map((item) => this.row(item)));
    reveal(this.list, this.list.querySelector("[aria-current]"));
  }
}
