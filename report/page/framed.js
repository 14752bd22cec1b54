// SPDX-License-Identifier: Apache-2.0
// A page inside that of a cohort: keys that are the bench's are handed to it, and its links lead to decisions.
import { plainKeyOf } from "./letters.js";

/** Letters that the bench takes with Alt, wherever the focus is. */
const BENCH_KEYS = "npbkrd";

function handKey(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey) return;
  const key = plainKeyOf(event);
  const typing = event.target.closest?.("input:not([type=range]):not([type=checkbox]), select, textarea");
  if (event.altKey ? !BENCH_KEYS.includes(key) : key !== "escape" || typing) return;
  event.preventDefault();
  parent.postMessage({ crema: "key", key }, "*");
}

/** The decision that an address names: its number among those of a label, and its component. */
function decisionOf(hash) {
  const given = new URLSearchParams(hash.slice(1));
  const number = Number(given.get("decision"));
  return Number.isInteger(number) && number > 0 ? { number, component: Number(given.get("component")), label: given.get("label") ?? "" } : null;
}

/** Shows the decision that the address names, once the list has it. */
export function followAddress() {
  const wanted = decisionOf(location.hash);
  const { desk } = globalThis.crema ?? {};
  if (!wanted || !desk) return;
  const own = desk.items.filter(({ label }) => wanted.label === "" || label === wanted.label);
  const at = own[wanted.number - 1];
  const item = at && (!wanted.component || at.component + 1 === wanted.component) ? at : own.find((one) => one.component + 1 === wanted.component);
  if (item) desk.go(item.rank);
}

export function startFramed() {
  if (parent !== window) document.addEventListener("keydown", handKey);
  addEventListener("hashchange", followAddress);
}
