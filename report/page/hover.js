// SPDX-License-Identifier: Apache-2.0
// What is known of one voxel, in words.
import { grouped, level, make, nameOf, plural, swatch } from "./format.js";
import { drew, placeOf, worldOf } from "./data.js";

/** When a pass took or left a subcrown. */
function shrinkWords(step) {
  if (step > 0) return `taken away by the shrinking pass, step ${step}`;
  return step < 0 ? `the shrinking pass tried to take it away (step ${-step}) and left it`
    : "the shrinking pass ended before it came here";
}

function growWords(step, core) {
  if (core) return "the growing pass started from it";
  if (step > 0) return `added by the growing pass, step ${step}`;
  return step < 0 ? `the growing pass tried to add it (step ${-step}) and did not`
    : "the growing pass ended before it came here";
}

function passes(data, row, component) {
  const method = data.methods.find((one) => one.pass);
  if (!method) return [];
  const core = data.rows.distance[row] === data.rows.distance[data.meta.components[component].firstRow];
  const answer = ["the whole component was left out: nothing is nearer to the raters than something",
    "the shrinking pass gave the answer", "the growing pass gave the answer"][method.pass[component]];
  return [["passes", `${shrinkWords(method.shrink[row - 1])}; ${growWords(method.grow[row - 1], core)}; ` +
    `${answer} (${method.name})`]];
}

function ratersOf(data, row) {
  const names = data.raters.flatMap((rater, k) => (drew(data.rows, row, k)
    ? [make("span", { class: "rater" }, swatch(rater.colour), nameOf(rater.name))] : []));
  return names.length ? names.flatMap((name) => [name, " "]) : ["nobody"];
}

/** Pairs of a term and what is told of it. */
export function factsOf(data, voxel) {
  const place = placeOf(data.size, voxel);
  const row = data.rowOf[place];
  const image = voxel.map((v, a) => v + data.low[a]);
  const facts = [["voxel", `${image.join(", ")}${data.meta.unit === "mm"
    ? ` · ${worldOf(data.meta.grid, image).map((v) => v.toFixed(1)).join(", ")} mm` : ""}`]];
  const levels = data.methods.map((method) => `${method.name} ${level(method.levelAt(data.rowOf, place))}`);
  if (row === 0) return [...facts, ["drawn by", "nobody"]];
  const component = data.componentOf[row];
  return [
    ...facts,
    ["drawn by", ratersOf(data, row)],
    ["component", `${component + 1}, ${plural(data.meta.components[component].voxels, "voxel", "voxels")}`],
    ["subcrown", `total distance ${data.rows.distance[row]}, ${grouped(data.rows.votes[row])} of ` +
      `${data.raters.length} raters, ${plural(data.rows.voxels[row], "voxel", "voxels")}`],
    ["level", levels.join(" · ")],
    ...passes(data, row, component),
  ];
}

/** A box that follows the pointer, or the crosshair where there is none. */
export function voxelBox(data, look) {
  const list = make("dl", {});
  const show = () => {
    const facts = factsOf(data, look.hover ?? look.at);
    list.replaceChildren(...facts.map(([term, words]) =>
      make("div", {}, make("dt", {}, term), make("dd", {}, ...(Array.isArray(words) ? words : [words])))));
  };
  look.watch(show);
  show();
  return make("div", { id: "voxel", class: "voxel" }, list);
}
