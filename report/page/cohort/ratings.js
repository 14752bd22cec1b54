// SPDX-License-Identifier: Apache-2.0
// What somebody thinks of each case: keep, redo or discuss, with a note. Kept by the browser, saved as a table.

export const RATINGS = ["keep", "redo", "discuss"];
const HEADER = ["case", "rating", "note", "time", "result"];
const DAMAGED = "The ratings kept by this browser are damaged and were set aside; load a saved table of ratings to continue.";
const LOST = "This browser stores nothing for this page (private window, or storage switched off): save the ratings before you close it.";

const given = JSON.parse(document.getElementById("run").textContent);
/** By the number of a row: its case's name, where its page is, and which result it shows. */
export const cases = new Map(given.cases.map(([number, name, page, result]) => [number, { number, name, page, result }]));

/** What would turn the direction of writing is shown instead of obeyed. */
export const shownName = (name) => name.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");

/** A cell of CSV; what a spreadsheet would run begins with an apostrophe, as in all tables of crema. */
function cellOf(text) {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll("\"", "\"\"")}"` : safe;
}

/** The rows of a CSV file, without those that are empty. */
export function parseCsv(text) {
  const rows = [[]];
  const field = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n|\n|\r|$)/gy;
  while (field.lastIndex < text.length) {
    const found = field.exec(text);
    if (found === null) throw new Error("not a table");
    const cell = found[1].startsWith("\"") ? found[1].slice(1, -1).replaceAll("\"\"", "\"") : found[1];
    rows.at(-1).push(/^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell);
    if (found[2] !== ",") rows.push([]);
  }
  return rows.filter((row) => row.length > 1 || (row[0] ?? "") !== "");
}

/** Whether something that was kept is a rating: others can write there, too. */
const isRating = (one) => typeof one === "object" && one !== null && ["", ...RATINGS].includes(one.rating) &&
  ["note", "time", "result"].every((name) => typeof one[name] === "string");

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

class Ratings {
  constructor() {
    this.key = `crema ratings ${given.run} ${location.pathname}`;
    this.byName = new Map();
    this.written = null; // what the browser keeps, as this window knows it
    this.watchers = [];
    this.damaged = this.isDamaged();
    this.reload();
    this.kept = this.write();
    addEventListener("storage", ({ key }) => key === this.key && this.reload() && this.notify());
  }

  /** Whether what is kept cannot be read; it is set aside then. */
  isDamaged() {
    try {
      const text = localStorage.getItem(this.key);
      if (text === null || isJson(text)) return false;
      localStorage.setItem(`${this.key} damaged`, text);
      return true;
    } catch {
      return false;
    }
  }

  /** Takes up what another window of the page keeps; whether there was anything. Damaged text changes nothing. */
  reload() {
    try {
      const text = localStorage.getItem(this.key);
      if (text === null || text === this.written) return false;
      this.byName = new Map(Object.entries(JSON.parse(text) ?? {}).filter(([, one]) => isRating(one)));
      this.written = text;
      return true;
    } catch {
      return false;
    }
  }

  /** Whether the browser keeps them. */
  write() {
    try {
      this.written = JSON.stringify(Object.fromEntries(this.byName));
      localStorage.setItem(this.key, this.written);
      return true;
    } catch {
      return false;
    }
  }

  notify() {
    for (const watcher of this.watchers) watcher();
  }

  watch(watcher) {
    this.watchers.push(watcher);
  }

  of(name) {
    return this.byName.get(name) ?? null;
  }

  /** A rating or a note, or neither: then nothing is kept of the case. */
  put(one, changed) {
    this.reload();
    const { rating, note } = { rating: "", note: "", ...this.of(one.name), ...changed };
    if (rating === "" && note === "") this.byName.delete(one.name);
    else this.byName.set(one.name, { rating, note, time: new Date().toISOString(), result: one.result });
    this.changed();
  }

  changed() {
    this.kept = this.write();
    this.notify();
  }

  csv() {
    const rows = [...this.byName].sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { rating, note, time, result }]) => [name, rating, note, time, result]);
    return [HEADER, ...rows].map((row) => row.map(cellOf).join(",") + "\r\n").join("");
  }

  /** Takes the rows of a saved table; says how many, and what it could not take. */
  load(text) {
    let rows;
    try {
      rows = parseCsv(text.replace(/^\ufeff/, ""));
    } catch {
      rows = [];
    }
    if (rows.length === 0 || HEADER.some((name, n) => rows[0][n] !== name))
      return "This file is not a table of ratings: its first line is not “case,rating,note,time,result”.";
    const known = new Set([...cases.values()].map(({ name }) => name));
    this.reload();
    let taken = 0;
    let strange = 0;
    for (const [name, rating = "", note = "", time = "", result = ""] of rows.slice(1)) {
      if (!known.has(name) || !["", ...RATINGS].includes(rating)) {
        ++strange;
        continue;
      }
      ++taken;
      this.byName.set(name, { rating, note: note.slice(0, 500), time, result });
    }
    this.changed();
    return `${taken} ratings loaded${strange > 0 ? `; ${strange} rows without a case of this page or a valid rating were left out` : ""}.`;
  }
}

export const ratings = new Ratings();

const message = document.getElementById("ratings-message");
const count = document.getElementById("rated-count");
const allNames = new Set([...cases.values()].map(({ name }) => name));

function showRated() {
  const rated = [...ratings.byName].filter(([name, { rating }]) => allNames.has(name) && rating !== "").length;
  count.textContent = `${rated} of ${allNames.size} cases rated`;
  if (!ratings.kept) message.textContent = LOST;
}

document.getElementById("ratings-save").addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([ratings.csv()], { type: "text/csv" }));
  link.download = "ratings.csv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
});
document.getElementById("ratings-load").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (file === undefined) return;
  message.textContent = ratings.load(await file.text());
  event.target.value = "";
});
ratings.watch(showRated);
showRated();
if (ratings.damaged) message.textContent = DAMAGED;
document.getElementById("ratings").hidden = false;
