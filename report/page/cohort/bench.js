// SPDX-License-Identifier: Apache-2.0
// One case after the other, each on its own page, with its findings and a rating beside it.
import { plainKeyOf } from "../letters.js";
import { cases, RATINGS, ratings, shownName } from "./ratings.js";

const bench = document.getElementById("bench");
const part = (name) => document.getElementById(`bench-${name}`);
const queueRows = [...document.querySelectorAll("#queue tbody tr")];
const NO_PAGE = "This case has no page; crema cohort run --report makes one.";

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
  const times = new Map();
  return { picture, list: rows.map((row) => {
    const { label } = row.dataset;
    const [reason, what, component, voxels] = [0, 1, 2, 3].map((n) => row.cells[why + n].textContent);
    const number = (times.get(label) ?? 0) + 1;
    times.set(label, number);
    const address = new URLSearchParams({ decision: number, component: component.replace(/\D/g, ""), ...(label === "" ? {} : { label }) });
    return { row, words: `${label === "" ? "" : `${label}: `}${reason}: ${what}, ${voxels} voxels`, address: `#${address}` };
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
  part("message").textContent = older ? "The rating is for an older result; the case has been fused again since." : "";
}

/** Says which part has the keys. */
function tellKeys() {
  const inside = document.activeElement?.tagName === "IFRAME";
  part("page").classList.toggle("keyed", inside);
  part("keys").textContent = inside ? "Keys act on the page of the case; press Escape to return to this bar."
    : "Keys act on this bar; click the page of the case to decide there.";
}

/** A new frame for each case: going from page to page inside one would fill the way back. */
function showPage(one, picture, address) {
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
    frame.src = `${one.page}${address}`;
    place.replaceChildren(frame);
    return;
  }
  const words = document.createElement("p");
  words.textContent = NO_PAGE;
  place.replaceChildren(...(picture === null ? [] : [picture.cloneNode()]), words);
}

/** Shows the case, at the decision of that row where it has one. */
function show(from = null) {
  const one = current();
  const { picture, list } = findingsOf(one.name);
  const address = list.find(({ row }) => row === from)?.address ?? "#look";
  const name = document.createElement("bdi");
  name.textContent = shownName(one.name);
  part("name").replaceChildren(name);
  part("at").textContent = `${at + 1} of ${order.length}`;
  part("previous").disabled = at === 0;
  part("next").disabled = at === order.length - 1;
  part("note").blur();
  part("findings").replaceChildren(...list.map((finding) => {
    const item = document.createElement("li");
    const text = one.page === "" ? item : item.appendChild(document.createElement("button"));
    text.textContent = finding.words;
    if (text !== item) {
      text.type = "button";
      text.className = "name";
      text.addEventListener("click", () => showPage(one, picture, finding.address));
    }
    return item;
  }));
  part("findings").parentElement.hidden = list.length === 0;
  tellRating();
  showPage(one, picture, address);
  tellKeys();
}

function step(by) {
  const to = Math.min(Math.max(at + by, 0), order.length - 1);
  if (to === at) return;
  at = to;
  show();
  if (document.activeElement === document.body || document.activeElement?.disabled) part("back").focus();
}

/** `numbers` are rows in the order in which they are to be gone through; each case comes once. */
function open(number, numbers, from, row = null) {
  const seen = new Set();
  order = numbers.filter((n) => {
    const name = cases.get(n)?.name;
    return name !== undefined && !seen.has(name) && seen.add(name);
  });
  at = Math.max(0, order.findIndex((n) => cases.get(n).name === cases.get(number).name));
  opener = from;
  bench.showModal();
  history.pushState({ bench: true }, "");
  show(row);
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

/** With Alt, since the page of the case has letters of its own. */
const KEYS = { n: () => step(1), p: () => step(-1), b: leave };
for (const rating of RATINGS) KEYS[rating[0]] = () => rate(rating);
bench.addEventListener("keydown", (event) => {
  const key = plainKeyOf(event);
  if (!event.altKey || event.ctrlKey || event.metaKey || !Object.hasOwn(KEYS, key)) return;
  event.preventDefault();
  KEYS[key]();
});
/** The page of the case hands over what is not its own: these keys, and Escape. */
addEventListener("message", ({ source, data }) => {
  if (!bench.open || source === null || source !== part("page").querySelector("iframe")?.contentWindow || data?.crema !== "key") return;
  if (data.key === "escape") part(at === order.length - 1 ? "back" : "next").focus();
  else if (Object.hasOwn(KEYS, data.key)) KEYS[data.key]();
});
for (const what of ["focus", "blur"]) addEventListener(what, () => setTimeout(tellKeys));
bench.addEventListener("focusin", tellKeys);
ratings.watch(tellRating);

/** A name opens the bench, with the cases of its table as they stand there; with a key held it is a plain link. */
for (const table of document.querySelectorAll("#queue, #cases"))
  table.addEventListener("click", (event) => {
    const row = event.target.closest("tbody tr");
    const link = event.target.closest("a:not([href^='#'])");
    if (row === null || link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const shown = [...table.tBodies[0].rows].filter((other) => !other.hidden).map((other) => Number(other.dataset.case));
    open(Number(row.dataset.case), shown, link, row);
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
