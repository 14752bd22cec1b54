// SPDX-License-Identifier: Apache-2.0
// What is known of one voxel, in words.
import { grouped, level, make, plural, raterMark } from "../format.js";
import { drew, placeOf, worldOf } from "../data.js";

/** When a pass took or left a subcrown. */
function shrinkWords(step) {
  if (step > 0) return `removed by the shrinking pass, step ${step}`;
  return step < 0 ? `the shrinking pass tried to remove it (step ${-step}) and kept it`
    : "the shrinking pass ended before this subcrown";
}

function growWords(step, core) {
  if (core) return "the growing pass started from it";
  if (step > 0) return `added by the growing pass, step ${step}`;
  return step < 0 ? `the growing pass tried to add it (step ${-step}) and rejected it`
    : "the growing pass ended before this subcrown";
}

function passes(data, row, component) {
  const method = data.methods.find((one) => one.pass);
  if (!method) return [];
  const core = data.rows.distance[row] === data.rows.distance[data.meta.components[component].firstRow];
  const answer = ["left out: an empty mask is closer to the raters than any mask here",
    "the shrinking pass gave the answer", "the growing pass gave the answer",
    "the answer differs from both passes: conflicts between labels were settled"][method.pass[component]];
  return [["passes", `${shrinkWords(method.shrink[row - 1])}; ${growWords(method.grow[row - 1], core)}; ` +
    `${answer} (${method.name})`]];
}

function ratersOf(data, row) {
  const names = data.raters.flatMap((rater, k) => (drew(data.rows, row, k)
    ? [raterMark(rater)] : []));
  return names.length ? names.flatMap((name) => [name, " "]) : ["no rater"];
}

/** What each rater gave a voxel. */
function levelsOf(data, place) {
  return data.raters.flatMap((rater, k) => [raterMark(rater), ` ${level(data.raterLevels[k][place] / 255)} `]);
}

/** Pairs of a term and what is said of it. */
export function factsOf(data, voxel, others = null) {
  const place = placeOf(data.size, voxel);
  const row = data.rowOf[place];
  const image = voxel.map((v, a) => v + data.low[a]);
  const flat = data.meta.grid.size[2] === 1;
  const units = flat ? ["pixel", "pixels"] : ["voxel", "voxels"];
  const facts = [[units[0], `${(flat ? image.slice(0, 2) : image).join(", ")}${data.meta.unit === "mm"
    ? ` · ${worldOf(data.meta.grid, image).slice(0, flat ? 2 : 3).map((v) => v.toFixed(1)).join(", ")} mm` : ""}`]];
  const levels = data.methods.map((method) => `${method.name} ${level(method.levelAt(data.rowOf, place))}`);
  const called = others ? others.factsAt(image, data.raters) : [];
  if (data.raterLevels) facts.push(["raters’ levels", levelsOf(data, place)], ["consensus", levels.join(" · ")]);
  if (row === 0) return [...facts, ["drawn by", "no rater"], ...called];
  const component = data.componentOf[row];
  return [
    ...facts,
    ["drawn by", ratersOf(data, row)],
    ...called,
    ["component", `${component + 1}, ${plural(data.meta.components[component].voxels, ...units)}`],
    ["subcrown", `total distance ${data.rows.distance[row]}, ${grouped(data.rows.votes[row])} of ` +
      `${data.raters.length} raters, ${plural(data.rows.voxels[row], ...units)}`],
    ...(data.raterLevels ? [] : [["level", levels.join(" · ")]]),
    ...passes(data, row, component),
  ];
}

/** A box that follows the pointer, or the crosshair where there is none. */
export function voxelBox(data, look) {
  const list = make("dl", {});
  const show = () => {
    const facts = factsOf(data, look.hover ?? look.at, look.others);
    list.replaceChildren(...facts.map(([term, words]) =>
      make("div", {}, make("dt", {}, term), make("dd", {}, ...(Array.isArray(words) ? words : [words])))));
  };
  look.watch(show);
  show();
  return make("div", { id: "voxel", class: "voxel", tabindex: "0", role: "group", "aria-label": "the voxel under the pointer" }, list);
}
