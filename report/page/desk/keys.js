// SPDX-License-Identifier: Apache-2.0
// The keys of the queue of decisions.
import { keyOf } from "../letters.js";

const ACTS = { a: "accept", r: "reject", k: "keep", m: "majority" };

/** Whether keys belong to something else. */
const isTyping = (event) => event.defaultPrevented || event.metaKey || isCommand(event) ||
  event.target.closest?.("input:not([type=range]):not([type=checkbox]), select, textarea");

/** Many keyboards write brackets with a key held: AltGr, which counts as Ctrl and Alt for some, or Option. */
const isCommand = ({ key, ctrlKey, altKey }) => (["[", "]"].includes(key) ? ctrlKey && !altKey : ctrlKey || altKey);

/** Out of a field, so that keys decide again. */
export function leaveField(event) {
  if (event.key === "Enter" || event.key === "Escape") event.target.blur();
}

export function pressed(desk, event) {
  if (isTyping(event) || desk.labels?.turning) return;
  const key = keyOf(event);
  // A key that is held walks through the list, but decides once.
  if (event.repeat && !["n", "p", "[", "]"].includes(key)) return;
  const rater = /^[1-9]$/.test(key) ? Number(key) - 1 : -1;
  if (ACTS[key]) desk.decide(ACTS[key]);
  else if (rater >= 0 && rater < desk.data.raters.length) desk.decide("rater", rater);
  else if (key === "b") desk.brush.take("draw");
  else if (key === "e") desk.brush.take("erase");
  else if (key === "[" || key === "]") desk.brush.grow(key === "]" ? 1 : -1);
  else if (key === "escape" && desk.look.brush) desk.brush.take(desk.brush.action);
  else if (key === "u") desk.undo();
  else if (key === "n") desk.move(1);
  else if (key === "p") desk.move(-1);
  else return;
  event.preventDefault();
}
