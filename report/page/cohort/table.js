// SPDX-License-Identifier: Apache-2.0
// Sorts, searches and filters the table of cases, shows ratings in it, and leads to a case.
import { cases, ratings } from "./ratings.js";

const table = document.getElementById("cases");
const body = table.tBodies[0];
const rows = [...body.rows];
const words = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
const ratingOf = (row) => ratings.of(cases.get(Number(row.dataset.case))?.name);

/** Ratings stand in a column of their own. */
const ratingHead = document.createElement("th");
ratingHead.scope = "col";
ratingHead.textContent = "Rating";
table.tHead.rows[0].append(ratingHead);
for (const row of rows) row.insertCell();
function showRatings() {
  for (const row of rows) {
    const own = ratingOf(row);
    const cell = row.cells[row.cells.length - 1];
    cell.textContent = own ? [own.rating, own.note].filter((text) => text !== "").join(": ") : "–";
    cell.className = own?.rating ? `rating-${own.rating}` : "";
  }
}
showRatings();

/** What a cell is sorted by: a number where it holds one, null where it holds nothing. */
function valueOf(cell, numeric) {
  const text = cell.textContent.trim();
  if (!numeric) return text === "" || text === "–" ? null : text;
  const number = parseFloat(text.replaceAll("\u202f", "").replace("−", "-"));
  return Number.isNaN(number) ? null : number;
}

const collator = new Intl.Collator("en", { numeric: true });
const compare = (a, b) => (typeof a === "number" ? a - b : collator.compare(a, b));

/** What holds nothing comes last, either way; what is equal keeps the order it had at first. */
function sortBy(head, falling) {
  const column = head.cellIndex;
  const numeric = head.classList.contains("number");
  const keys = rows.map((row, n) => ({ row, n, key: valueOf(row.cells[column], numeric) }));
  keys.sort((a, b) => {
    if (a.key === null || b.key === null) return (a.key === null) - (b.key === null) || a.n - b.n;
    return (falling ? compare(b.key, a.key) : compare(a.key, b.key)) || a.n - b.n;
  });
  body.append(...keys.map(({ row }) => row));
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", falling ? "descending" : "ascending");
}

for (const head of table.tHead.rows[0].cells) {
  const button = document.createElement("button");
  button.type = "button";
  button.append(...head.childNodes);
  button.addEventListener("click", () => sortBy(head, head.getAttribute("aria-sort") === "ascending"));
  head.append(button);
}

const search = document.getElementById("search");
const found = document.getElementById("found");

const rated = document.getElementById("rated");
const queue = [...document.querySelectorAll("#queue tbody tr")];

/** Where there are several labels, one of them can be chosen; null where there are not. */
function makeLabels() {
  const labels = new Set([...rows, ...queue].map((row) => row.dataset.label));
  labels.delete("");
  if (labels.size < 2) return null;
  const label = document.createElement("label");
  const select = document.createElement("select");
  select.id = "label";
  label.htmlFor = select.id;
  label.textContent = "Label";
  select.append(new Option("all", ""), ...[...labels].map((name) => new Option(name, name)));
  found.before(label, " ", select);
  return select;
}
const labelled = makeLabels();

/** Whether a row is of the chosen label and rating. */
function isChosen(row) {
  if (labelled !== null && labelled.value !== "" && row.dataset.label !== labelled.value) return false;
  const rating = ratingOf(row)?.rating ?? "";
  return rated.value === "" || (rated.value === "none" ? rating === "" : rating === rated.value);
}

/** Rows stay that are chosen and hold all words, wherever; the list of decisions follows the choice. */
function find() {
  const wanted = search.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
  let left = 0;
  for (const row of rows) {
    row.hidden = !isChosen(row) || !wanted.every((word) => words.get(row).includes(word));
    left += row.hidden ? 0 : 1;
  }
  for (const row of queue) row.hidden = !isChosen(row);
  found.textContent = left === rows.length ? "" : `${left} of ${rows.length} ${labelled === null ? "cases" : "rows"}`;
}

search.addEventListener("input", find);
rated.addEventListener("change", find);
labelled?.addEventListener("change", find);
ratings.watch(showRatings);
document.getElementById("find").hidden = false;
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) || document.querySelector("dialog[open]") !== null || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  search.focus();
});

/** Shows a case in the table, whatever is searched for. */
export function goTo(key) {
  const row = document.getElementById(key);
  if (row === null) return;
  if (row.hidden) {
    search.value = "";
    rated.value = "";
    if (labelled !== null) labelled.value = "";
    find();
  }
  for (const other of body.querySelectorAll(".here")) other.classList.remove("here");
  row.classList.add("here");
  row.scrollIntoView({ block: "center" });
  const target = row.querySelector("th a, th button") ?? row.cells[0];
  if (target === row.cells[0]) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

for (const link of document.querySelectorAll("a[href^='#case-']"))
  link.addEventListener("click", (event) => {
    event.preventDefault();
    goTo(link.getAttribute("href").slice(1));
  });
