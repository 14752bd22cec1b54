// SPDX-License-Identifier: Apache-2.0
// Sorts and searches the table of cases, and leads from the map to a case.

const table = document.getElementById("cases");
const body = table.tBodies[0];
const rows = [...body.rows];
const words = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));

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

/** Rows stay that hold all words, wherever. */
function find() {
  const wanted = search.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
  let left = 0;
  for (const row of rows) {
    row.hidden = !wanted.every((word) => words.get(row).includes(word));
    left += row.hidden ? 0 : 1;
  }
  found.textContent = wanted.length === 0 ? "" : `${left} of ${rows.length} cases`;
}

search.addEventListener("input", find);
document.getElementById("find").hidden = false;
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target === search || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  search.focus();
});

/** Shows a case in the table, whatever is searched for. */
function goTo(key) {
  const row = document.getElementById(key);
  if (row === null) return;
  if (row.hidden) {
    search.value = "";
    find();
  }
  for (const other of body.querySelectorAll(".here")) other.classList.remove("here");
  row.classList.add("here");
  row.scrollIntoView({ block: "center" });
  const target = row.querySelector("a") ?? row.cells[0];
  if (target === row.cells[0]) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

for (const link of document.querySelectorAll("a[href^='#case-']"))
  link.addEventListener("click", (event) => {
    event.preventDefault();
    goTo(link.hash.slice(1));
  });

const map = document.querySelector(".map");
if (map !== null) {
  const columns = [...map.querySelectorAll(".column")];
  const told = document.getElementById("told");
  let at = -1;
  const point = (n) => {
    columns[at]?.classList.remove("at");
    at = Math.min(Math.max(n, 0), columns.length - 1);
    columns[at].classList.add("at");
    told.textContent = columns[at].querySelector("title").textContent;
  };
  // As many as stand beside each other: the next band is one step down.
  const band = () => {
    const top = columns[0].getBoundingClientRect().top;
    const next = columns.findIndex((column) => column.getBoundingClientRect().top > top + 1);
    return next < 0 ? columns.length : next;
  };
  const steps = { ArrowLeft: () => at - 1, ArrowRight: () => at + 1, ArrowUp: () => at - band(),
    ArrowDown: () => at + band(), Home: () => 0, End: () => columns.length - 1 };
  map.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && at >= 0) return goTo(columns[at].dataset.key);
    if (!Object.hasOwn(steps, event.key)) return;
    event.preventDefault();
    point(steps[event.key]());
    columns[at].scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  const columnOf = (event) => columns.indexOf(event.target.closest(".column"));
  map.addEventListener("pointerover", (event) => columnOf(event) >= 0 && point(columnOf(event)));
  map.addEventListener("click", (event) => columnOf(event) >= 0 && goTo(columns[columnOf(event)].dataset.key));
}
