// SPDX-License-Identifier: Apache-2.0
// What came of a what-if: in words, beside the consensus of the page, and component by component.
import { grouped, make, plural, raterMark, signed } from "./format.js";

/** Voxels above one half before and now: in all, in both, and for each component of the page. */
function counted(data, levels) {
  const first = data.methods[0];
  const counts = { before: 0, now: 0, both: 0, components: data.meta.components.map(() => [0, 0]) };
  levels.forEach((level, place) => {
    const row = data.rowOf[place];
    if (row === 0 && !data.raterLevels) return; // levels lie around what raters mark, too
    const [before, now] = [first.levelAt(data.rowOf, place) > 0.5, level > 0.5];
    const component = counts.components[data.componentOf[row]] ?? [0, 0];
    if (before) ++counts.before, ++component[0];
    if (now) ++counts.now, ++component[1];
    if (before && now) ++counts.both;
  });
  return counts;
}

const linkTo = (words, more) => make("a", { href: "#look", ...more }, words);

/** Links to components of the page, and what becomes of them; nothing where there are none. */
function moved(counts, test, one, several) {
  const found = counts.components.flatMap(([before, now], c) => (test(before, now) ? [c + 1] : []));
  if (!found.length) return [];
  const links = found.flatMap((c, n) => [n ? ", " : "", linkTo(String(c), { "data-component": String(c) })]);
  return [found.length === 1 ? " Component " : " Components ", ...links, ` ${found.length === 1 ? one : several}.`];
}

function gapOf({ lower_bound: bound, lmsd, proven }) {
  if (bound === undefined) return "";
  if (lmsd - bound <= 1e-9 * lmsd) return " No better consensus exists.";
  const share = lmsd > 0 ? (100 * Math.max(0, lmsd - bound)) / lmsd : 0;
  return ` It is at most ${share.toPrecision(2)} % above the best possible${proven ? ", proven" : ""}.`;
}

/** A mask has one size; of levels it is their sum. */
const sizeWord = ({ soft_volume: sum, voxels }) => (sum === voxels ? "" : "soft size ");

/** The module knows no directions, which need not be at right angles. */
function sizeOf({ meta: { grid, unit } }, answer) {
  if (unit !== "mm") return "";
  const [a, b, c, d, e, f, g, h, i] = grid.direction;
  if (grid.size[2] === 1) {
    const one = Math.hypot(d * h - g * e, g * b - a * h, a * e - d * b) * grid.spacing[0] * grid.spacing[1];
    return ` ${sizeWord(answer)}${(answer.soft_volume * one).toPrecision(3)} mm²,`;
  }
  const skew = Math.abs(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g));
  const one = skew * grid.spacing.reduce((product, length) => product * length, 1);
  return ` ${sizeWord(answer)}${((answer.soft_volume * one) / 1000).toPrecision(3)} ml,`;
}

const unitOf = ({ meta: { grid } }) => (grid.size[2] === 1 ? "pixels" : "voxels");

export function summaryOf(data, answer, milliseconds) {
  const counts = counted(data, answer.levels);
  const kept = answer.components.filter((component) => component.kept).length;
  const dice = counts.before + counts.now > 0
    ? ` (Dice ${((2 * counts.both) / (counts.before + counts.now)).toFixed(3)})` : "";
  return make("p", { class: "headline" },
    `${plural(answer.raters, "rater", "raters")}: ${kept} of ${answer.components.length} components kept, ` +
    `${grouped(answer.voxels)} ${unitOf(data)},${sizeOf(data, answer)} ` +
    `${signed(counts.now - counts.before)} ${unitOf(data)} against the consensus of the page${dice}.`,
    ...moved(counts, (before, now) => before > 0 && now === 0, "of the page is lost", "of the page are lost"),
    ...moved(counts, (before, now) => before === 0 && now > 0, "of the page comes in", "of the page come in"),
    ` LMSD ${answer.lmsd.toFixed(4)} in ${answer.distance}.${gapOf(answer)} Found in ${Math.round(milliseconds)} ms.`);
}

function rowOf(data, one, c) {
  const names = one.present.flatMap((k) =>
    [raterMark(data.raters[k]), " "]);
  const place = one.first.map((v, a) => v + data.low[a]);
  return make("tr", {},
    make("th", { scope: "row" }, linkTo(String(c + 1), { "data-place": place.join(",") })),
    make("td", {}, ...names),
    make("td", { class: "number" }, grouped(one.union_voxels)),
    make("td", { class: one.kept ? "kept" : "dropped" }, one.kept ? `kept ${grouped(one.voxels)}` : "left out"),
    make("td", { class: "number" }, one.margin === null ? "–" : signed(one.margin, 4)));
}

const headOf = (unit) => [["Component"], ["Drawn by"], [`Union, ${unit}`, "number"], [`Decision, ${unit}`], ["Margin", "number"]];
const MOST_ROWS = 200;

/** The largest components first; their numbers are those of the what-if. */
export function tableOf(data, answer) {
  const rows = answer.components.map((one, c) => [one, c]).sort((a, b) => b[0].union_voxels - a[0].union_voxels)
    .slice(0, MOST_ROWS).map(([one, c]) => rowOf(data, one, c));
  const cut = answer.components.length > MOST_ROWS
    ? make("p", { class: "note" }, `The ${MOST_ROWS} largest of ${grouped(answer.components.length)} components.`) : null;
  return make("div", {},
    make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Components of the what-if" },
      make("table", { id: "whatif-components" },
        make("thead", {}, make("tr", {}, ...headOf(unitOf(data)).map(([words, kind = null]) =>
          make("th", { scope: "col", class: kind }, words)))),
        make("tbody", {}, ...rows))), cut);
}
