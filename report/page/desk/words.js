// SPDX-License-Identifier: Apache-2.0
// What the desk says: of a decision, of how far one is, of the place that is looked at.
import { grouped, make, plural, signed } from "../format.js";
import { isStroke } from "./decide.js";

const SAID = { accept: "in", reject: "out", keep: "as the consensus", majority: "majority" };

/** Whether the browser keeps the decisions. */
export const KEEPING = {
  true: "This browser keeps the decisions across reloads; a private window loses them when closed.",
  false: "This window stores nothing: save the decisions before you close it.",
};

const actWords = (desk, { action, rater }) => (action === "rater" ? `as ${desk.data.raters[rater]?.name ?? "?"}` : SAID[action]);

/** What became of a place; empty: it is open. */
export function saidOf(desk, item) {
  const verdict = desk.ledger.lastWord(item);
  if (!verdict) return "";
  return verdict.zone === item.zone ? actWords(desk, verdict) : `${actWords(desk, verdict)}, with component ${item.component + 1}`;
}

/** So many decisions there are, of which the page may list the first. */
function countAll({ labels, data, items }) {
  const desks = labels ? labels.desks : [data.meta.desk];
  return Math.max(desks.reduce((sum, desk) => sum + (desk?.all ?? 0), 0), items.length);
}

/** "12 of 25 (90 in all)": zones that went with their component need no decision. */
export function progressOf(desk) {
  const { items, ledger } = desk;
  const done = items.filter((item) => ledger.find(item)).length;
  const listed = items.filter((item) => !ledger.isSettled(item)).length;
  const all = countAll(desk);
  const strokes = ledger.list.filter(isStroke).length;
  return `${done} of ${listed}${all > items.length ? ` (${grouped(all)} in all)` : ""}${strokes ? `, ${plural(strokes, "stroke", "strokes")}` : ""}`;
}

/** Nothing of the list is open. */
export function doneWords(desk) {
  const all = countAll(desk);
  return all > desk.items.length
    ? `The first ${grouped(desk.items.length)} of ${grouped(all)} are decided: save the decisions below the list.`
    : "All decided: save the decisions below the list.";
}

/** What the margin of a component means. */
const marginWords = (margin) => (margin === null ? "" : `, margin ${signed(margin, 4)} (above 0: closer to the raters with it than without)`);

/** The place that is looked at, in words. */
export function wordsAbout(desk, item) {
  if (!item) return [make("p", {}, "No decisions for this label.")];
  if (!desk.begun) {
    const begin = desk.ledger.list.length ? "Press N to go on." : `${plural(desk.items.length, "decision", "decisions")} to make: press N for the first.`;
    const planes = desk.data.meta.grid.size[2] === 1 ? "Each is shown in the image" : "Each is shown in all planes";
    return [make("p", {}, begin), make("p", { class: "note" }, `${planes}; a key decides, and the next one follows.`)];
  }
  const unit = desk.data.meta.grid.size[2] === 1 ? ["pixel", "pixels"] : ["voxel", "voxels"];
  const whole = desk.ledger.whole(item);
  const earlier = whole ? [make("p", { class: "note" },
    `Component ${item.component + 1} was decided: ${actWords(desk, whole)}. A decision here applies to this zone only.`)] : [];
  return [make("p", {}, make("strong", {}, `${desk.now + 1}. `), desk.list.mark(item), make("bdi", {}, item.words)),
    make("p", { class: "note" }, `Component ${item.component + 1}, ${plural(item.voxels, ...unit)}, ${grouped(item.inside)} in the consensus${marginWords(item.margin)}.`),
    ...earlier];
}
