// SPDX-License-Identifier: Apache-2.0
// One case after the other, each on its own page, with its findings and a rating beside it.
import { keyOf } from "../letters.js";
import { cases, RATINGS, ratings, shownName } from "./ratings.js";

const bench = document.getElementById("bench");
const part = (name) => document.getElementById(`bench-${name}`);
const queueRows = [...document.querySelectorAll("#queue tbody tr")];
const NO_PAGE = "This case has no page of its own; crema cohort run --report makes one.";

let order = [];
let at = 0;
let opener = null;

const current = () => cases.get(order[at]);
const sameCase = (row, name) => cases.get(Number(row.dataset.case))?.name === name;

/** What the list of decisions says of a case, and its picture. */
function findingsOf(name) {
  const rows = queueRows.filter((row) => sameCase(row, name));
  const picture = rows.map((row) => row.querySelector("img")).find((image) => image !== null) ?? null;
  const why = [...document.querySelectorAll("#queue thead th")].findIndex((head) => head.textContent.startsWith("Why"));
  return { picture, words: rows.map((row) => {
    const label = row.dataset.label === "" ? "" : `${row.dataset.label}: `;
    return `${label}${row.cells[why].textContent}: ${row.cells[why + 1].textContent}, ${row.cells[why + 3].textContent} voxels`;
  }) };
}

function tellRating() {
  const one = current();
  if (one === undefined) return;
  const own = ratings.of(one.name);
  for (const button of bench.querySelectorAll("[data-rating]"))
    button.setAttribute("aria-pressed", String(button.dataset.rating === (own?.rating ?? "")));
  if (document.activeElement !== part("note")) part("note").value = own?.note ?? "";
  const older = own !== null && own.result !== "" && one.result !== "" && own.result !== one.result;
  part("message").textContent = older ? "The rating is of an older result: the case has been fused again since." : "";
}

/** A new frame for each case: going from page to page inside one would fill the way back. */
function showPage(one, picture) {
  const place = part("page");
  part("alone").replaceChildren();
  if (one.page !== "") {
    const alone = document.createElement("a");
    alone.href = one.page;
    alone.target = "_blank";
    alone.rel = "noopener";
    alone.textContent = "Open alone";
    part("alone").append(alone);
    const frame = document.createElement("iframe");
    frame.title = `Page of ${shownName(one.name)}`;
    frame.src = `${one.page}#look`;
    place.replaceChildren(frame);
    return;
  }
  const words = document.createElement("p");
  words.textContent = NO_PAGE;
  place.replaceChildren(...(picture === null ? [] : [picture.cloneNode()]), words);
}

function show() {
  const one = current();
  const { picture, words } = findingsOf(one.name);
  const name = document.createElement("bdi");
  name.textContent = shownName(one.name);
  part("name").replaceChildren(name);
  part("at").textContent = `${at + 1} of ${order.length}`;
  part("previous").disabled = at === 0;
  part("next").disabled = at === order.length - 1;
  part("note").blur();
  part("findings").replaceChildren(...words.map((text) => {
    const item = document.createElement("li");
    item.textContent = text;
    return item;
  }));
  part("findings").parentElement.hidden = words.length === 0;
  tellRating();
  showPage(one, picture);
}

function step(by) {
  const to = Math.min(Math.max(at + by, 0), order.length - 1);
  if (to === at) return;
  at = to;
  show();
  if (document.activeElement === document.body || document.activeElement?.disabled) part("back").focus();
}

/** `numbers` are rows in the order in which they are to be gone through; each case comes once. */
function open(number, numbers, from) {
  const seen = new Set();
  order = numbers.filter((n) => {
    const name = cases.get(n)?.name;
    return name !== undefined && !seen.has(name) && seen.add(name);
  });
  at = Math.max(0, order.findIndex((n) => cases.get(n).name === cases.get(number).name));
  opener = from;
  bench.showModal();
  history.pushState({ bench: true }, "");
  show();
  part(at === order.length - 1 ? "back" : "next").focus();
}

/** The way back of the browser leads here, too. */
function leave() {
  if (history.state?.bench) history.back();
  else bench.close();
}

addEventListener("popstate", () => bench.open && bench.close());
bench.addEventListener("close", () => {
  part("page").replaceChildren();
  if (history.state?.bench) history.back();
  opener?.focus();
});
part("back").addEventListener("click", leave);
part("previous").addEventListener("click", () => step(-1));
part("next").addEventListener("click", () => step(1));
part("note").addEventListener("change", () => ratings.put(current(), { note: part("note").value.trim() }));

function rate(rating) {
  const own = ratings.of(current().name)?.rating;
  ratings.put(current(), { rating: own === rating ? "" : rating });
}
for (const button of bench.querySelectorAll("[data-rating]"))
  button.addEventListener("click", () => rate(button.dataset.rating));

const KEYS = { n: () => step(1), p: () => step(-1), b: leave };
bench.addEventListener("keydown", (event) => {
  if (event.target === part("note") || event.ctrlKey || event.metaKey || event.altKey) return;
  const key = keyOf(event);
  const rating = RATINGS.find((one) => one[0] === key);
  if (rating === undefined && !Object.hasOwn(KEYS, key)) return;
  event.preventDefault();
  if (rating === undefined) KEYS[key]();
  else rate(rating);
});
ratings.watch(tellRating);

/** A name opens the bench, with the cases of its table as they stand there; with a key held it is a plain link. */
for (const table of document.querySelectorAll("#queue, #cases"))
  table.addEventListener("click", (event) => {
    const row = event.target.closest("tbody tr");
    const link = event.target.closest("a:not([href^='#'])");
    if (row === null || link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const shown = [...table.tBodies[0].rows].filter((other) => !other.hidden).map((other) => Number(other.dataset.case));
    open(Number(row.dataset.case), shown, link);
  });

/** Where cases have no pages their names are buttons. */
for (const row of document.querySelectorAll("#queue tbody tr, #cases tbody tr")) {
  const one = cases.get(Number(row.dataset.case));
  const name = row.querySelector("th > bdi, td > bdi:first-child");
  if (one === undefined || one.page !== "" || one.result === "" || name === null) continue;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "name";
  name.replaceWith(button);
  button.append(name);
  button.addEventListener("click", () => {
    const shown = [...row.parentElement.rows].filter((other) => !other.hidden).map((other) => Number(other.dataset.case));
    open(one.number, shown, button);
  });
}
