// SPDX-License-Identifier: Apache-2.0
// What decisions make of the consensus, by the rules of docs/adjudicate.md: crema apply does the same.
import { drew, placeOf } from "../data.js";

/** Steps to the neighbours of a voxel, as [x, y, z]. */
function stepsOf({ connectivity, slice_wise: closed }) {
  const order = { 4: 1, 6: 1, 18: 2, 8: 2, 26: 3 }[connectivity];
  const steps = [];
  for (let n = 0; n < 27; ++n) {
    const step = [(n % 3) - 1, (Math.floor(n / 3) % 3) - 1, Math.floor(n / 9) - 1];
    const changed = step.filter((s) => s !== 0).length;
    if (changed > 0 && changed <= order && !(closed !== null && step[closed] !== 0)) steps.push(step);
  }
  return steps;
}

/** Who drew anything in a component, as two halves of 32 raters. */
export function presentIn(data, component) {
  const { firstRow, rows } = data.meta.components[component];
  let [low, high] = [0, 0];
  for (let row = firstRow; row < firstRow + rows; ++row) {
    low |= data.rows.low[row];
    high |= data.rows.high[row];
  }
  return [low >>> 0, high >>> 0];
}

function bitsIn(number) {
  let count = 0;
  for (let left = number >>> 0; left !== 0; left = (left & (left - 1)) >>> 0) ++count;
  return count;
}

/** The voxel of the box that has an offset in the image. */
export function voxelOf(data, offset) {
  const [nx, ny] = data.meta.grid.size;
  return [offset % nx, Math.floor(offset / nx) % ny, Math.floor(offset / nx / ny)].map((v, a) => v - data.low[a]);
}

/** The offset in the image of a place of the box. */
export function offsetOf(data, place) {
  const [nx, ny] = data.meta.grid.size;
  const [wide, tall] = data.size;
  return ((Math.floor(place / wide / tall) + data.low[2]) * ny + (Math.floor(place / wide) % tall) + data.low[1]) * nx +
    (place % wide) + data.low[0];
}

/** Connected voxels from one on for whose rows a test holds. */
function flood(data, start, test) {
  const { size, rowOf } = data;
  const found = [placeOf(size, start)];
  const seen = new Set(found);
  const steps = stepsOf(data.meta);
  for (let n = 0; n < found.length; ++n) {
    const place = found[n];
    const at = [place % size[0], Math.floor(place / size[0]) % size[1], Math.floor(place / size[0] / size[1])];
    for (const step of steps) {
      const next = at.map((v, a) => v + step[a]);
      if (!next.every((v, a) => v >= 0 && v < size[a])) continue;
      const to = placeOf(size, next);
      if (seen.has(to) || !test(rowOf[to])) continue;
      seen.add(to);
      found.push(to);
    }
  }
  return Int32Array.from(found);
}

/** The places of a component, or of its zone with that first voxel. */
export function placesOf(data, { component, zone }) {
  const own = (row) => row !== 0 && data.componentOf[row] === component;
  if (zone === null || zone === undefined) {
    const places = [];
    const [low, high] = data.meta.components[component].box;
    for (let z = low[2]; z < high[2]; ++z)
      for (let y = low[1]; y < high[1]; ++y)
        for (let x = low[0]; x < high[0]; ++x) {
          const at = [x, y, z].map((v, a) => v - data.low[a]);
          if (!at.every((v, a) => v >= 0 && v < data.size[a])) continue;
          const place = placeOf(data.size, at);
          if (own(data.rowOf[place])) places.push(place);
        }
    return Int32Array.from(places);
  }
  const [low, high] = presentIn(data, component);
  return flood(data, voxelOf(data, zone), (row) => own(row) && (data.rows.low[row] !== low || data.rows.high[row] !== high));
}

/** Whether the rows of a component are in when it is accepted: as the consensus has it, or as half of those who drew it. */
function acceptedRows(data, component, base, places) {
  if (places.some((place) => base[place] > 0)) return null;
  const present = presentIn(data, component).reduce((sum, half) => sum + bitsIn(half), 0);
  const half = (row) => 2 * data.rows.votes[row] >= present;
  const { firstRow, rows } = data.meta.components[component];
  const any = Array.from({ length: rows }, (_, n) => firstRow + n).some(half);
  return any ? half : () => true;
}

/** A test of rows that says what is in; null: as the consensus has it. */
function ruleOf(data, verdict, base, places) {
  const zone = verdict.zone !== null && verdict.zone !== undefined;
  if (verdict.action === "accept") return zone ? () => true : acceptedRows(data, verdict.component, base, places);
  if (verdict.action === "reject") return () => false;
  if (verdict.action === "rater") return (row) => drew(data.rows, row, verdict.rater);
  if (verdict.action === "majority") return (row) => 2 * data.rows.votes[row] > data.raters.length;
  return null;
}

/** The consensus of the box: a mask, or levels as files have them. */
export function baseOf(data) {
  const { soft } = data.meta.desk;
  const mask = new (soft ? Float32Array : Uint8Array)(data.rowOf.length);
  const method = data.methods[0];
  for (let place = 0; place < mask.length; ++place) {
    if (data.rowOf[place] === 0) continue;
    const level = method.levelAt(data.rowOf, place);
    mask[place] = soft ? level : Number(level > 0.5);
  }
  return mask;
}

export const isStroke = ({ action }) => action === "draw" || action === "erase";

/** Calls put(place of the box, in) for all voxels of a decision; null: as the consensus has it. */
export function eachOf(data, base, verdict, places, put) {
  if (isStroke(verdict)) {
    for (const [first, length] of verdict.runs)
      for (let offset = first; offset < first + length; ++offset) {
        const at = voxelOf(data, offset);
        if (at.every((v, a) => v >= 0 && v < data.size[a])) put(placeOf(data.size, at), verdict.action === "draw");
      }
    return;
  }
  const own = places(verdict);
  const rule = ruleOf(data, verdict, base, own);
  for (const place of own) put(place, rule ? rule(data.rowOf[place]) : null);
}

/** The mask after all decisions of this structure, in their order; `places` finds those of a verdict. */
export function decided(data, base, verdicts, places = (verdict) => placesOf(data, verdict)) {
  const mask = base.slice();
  for (const verdict of verdicts)
    eachOf(data, base, verdict, places, (place, inside) => (mask[place] = inside === null ? base[place] : Number(inside)));
  return mask;
}
