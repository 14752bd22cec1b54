// SPDX-License-Identifier: Apache-2.0
// Decisions from a file, as strictly as crema apply reads them.
import { placeOf } from "../data.js";
import { isStroke, placesOf, presentIn, voxelOf } from "./decide.js";
import { isSound } from "./ledger.js";

const LARGEST_FILE = 64 * 2 ** 20;
/** Voxels that strokes pass over, and those of components that are decided, in all: as the program allows. */
const MOST_PAINTED = 1e9;
const MOST_WALKED = 5e9;
const IN_DECISIONS = ["label", "component", "zone", "action", "rater", "runs", "reason", "time"];

function deny(why) {
  throw new Error(`The file was not loaded: ${why}`);
}

const sameSettings = (a, b) => JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
const isText = (text, most) => typeof text === "string" && new TextEncoder().encode(text).length <= most;
const inBox = (data, offset) => voxelOf(data, offset).every((v, a) => v >= 0 && v < data.size[a]);

/** What is wrong with what the file is about; empty: it is about this page. */
function otherCase(json, desk) {
  if (json.decisions !== 1 || !Array.isArray(json.list) || !Array.isArray(json.inputs)) return "it is not a file of decisions.";
  const sums = json.inputs.map((input) => input?.sha256).join();
  if (sums !== desk.inputs.map((input) => input.sha256).join()) return "it is about other masks, or the same masks in another order.";
  if (json.method !== desk.method || String(json.size) !== String(desk.size)) return "it is about another method or another image.";
  if (typeof json.settings !== "object" || json.settings === null || !sameSettings(json.settings, desk.settings))
    return "it is about other settings.";
  return "";
}

/** What is wrong with a decision about a component or a zone. */
function wrongPlace(data, { component, zone, action, rater }, places) {
  if (component >= data.meta.components.length) return `there is no component ${component + 1}`;
  if (action === "rater" && rater >= data.raters.length) return `there is no rater ${rater + 1}`;
  if (zone === null) return "";
  const none = `component ${component + 1} has no zone ${zone}`;
  if (!inBox(data, zone)) return none;
  const first = placeOf(data.size, voxelOf(data, zone));
  const row = data.rowOf[first];
  // What all raters of the component drew is in no zone; a zone is known by its first voxel.
  const [low, high] = presentIn(data, component);
  if (row === 0 || data.componentOf[row] !== component || (data.rows.low[row] === low && data.rows.high[row] === high)) return none;
  return places({ component, zone }).every((place) => place >= first) ? "" : none;
}

/** What is wrong with a decision about a structure; empty: it can be applied. `places` finds those of a zone. */
export function misfitOf(data, verdict, places = (one) => placesOf(data, one)) {
  if (!isStroke(verdict)) return wrongPlace(data, verdict, places);
  const within = ([first, length]) => length > 0 && inBox(data, first) && inBox(data, first + length - 1);
  return verdict.runs.every(within) ? "" : "it reaches beyond this page";
}

/** As a brush writes them: one behind the other. */
const inOrder = (runs) => runs.every(([first], n) => n === 0 || first >= runs[n - 1][0] + runs[n - 1][1]);

/** Whether decisions are about more than anybody decides; what is no decision counts nothing. */
function isTooMuch(list, structures) {
  let [painted, walked] = [0, 0];
  for (const one of list) {
    const data = structures.find(({ meta }) => meta.desk.label === (one?.label ?? ""));
    if (Array.isArray(one?.runs)) painted += one.runs.reduce((sum, run) => sum + (Number(run?.[1]) || 0), 0);
    else walked += data?.meta.components[one?.component - 1]?.voxels ?? 0;
  }
  return painted > MOST_PAINTED || walked > MOST_WALKED;
}

/** A decision as the ledger has it. */
function verdictOf(one, number, structures) {
  const bad = (why) => deny(`decision ${number + 1}: ${why}.`);
  if (typeof one !== "object" || one === null) bad("it is not an object");
  const odd = Object.keys(one).find((name) => !IN_DECISIONS.includes(name));
  if (odd !== undefined) bad(`“${odd.slice(0, 40)}” is not valid there`);
  const stroke = isStroke(one);
  const verdict = { label: one.label ?? "", action: one.action, reason: one.reason ?? "", time: one.time,
    ...(stroke ? { runs: one.runs } : { component: one.component - 1, zone: one.zone ?? null, rater: one.action === "rater" ? one.rater - 1 : null }) };
  if (!isSound(verdict) || !isText(verdict.reason, 10000) || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(verdict.time ?? "1970-01-01T00:00:00Z"))
    bad("it is damaged");
  const data = structures.find(({ meta }) => meta.desk.label === verdict.label);
  if (!data) bad(`label “${String(verdict.label).slice(0, 40)}” is not on this page`);
  if (stroke && !inOrder(verdict.runs)) bad("its runs overlap or are out of order");
  const why = misfitOf(data, verdict);
  if (why) bad(why);
  return verdict;
}

/** The decisions of a file about these structures, and who took them. Throws a sentence, and changes nothing. */
export async function readDecisions(file, desk, structures) {
  if (file.size > LARGEST_FILE) deny("it is too large for a file of decisions.");
  let json = null;
  try {
    json = JSON.parse(await file.text());
  } catch {
    deny("it is not JSON; it may be damaged.");
  }
  if (typeof json !== "object" || json === null) deny("it is not a file of decisions.");
  const why = otherCase(json, desk);
  if (why) deny(why);
  if (isTooMuch(json.list, structures)) deny("its decisions are about too many voxels.");
  return { list: json.list.map((one, n) => verdictOf(one, n, structures)), name: isText(json.adjudicator, 10000) ? json.adjudicator : "" };
}
