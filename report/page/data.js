// SPDX-License-Identifier: Apache-2.0
// What is in the page: the tallies, and one number for each voxel.

/** The bytes of letters; by the browser itself where it can, which is quicker. */
export function bytesOfLetters(letters) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(letters);
  const text = atob(letters);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

export async function inflate(letters) {
  const stream = new Blob([bytesOfLetters(letters)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export const content = (id) => document.getElementById(id)?.textContent ?? "";

/** Numbers whose low bytes come first, then the next ones. */
function joined(planes, bytes) {
  if (bytes === 1) return planes;
  const count = planes.length / bytes;
  const numbers = bytes === 2 ? new Uint16Array(count) : new Uint32Array(count);
  for (let b = 0; b < bytes; ++b)
    for (let i = 0; i < count; ++i) numbers[i] |= planes[b * count + i] << (8 * b);
  return numbers;
}

/** Per row from 1 on; row 0 is what nobody drew. */
function shifted(Kind, list) {
  const numbers = new Kind(list.length + 1);
  numbers.set(list, 1);
  return numbers;
}

function bits(number) {
  let count = 0;
  for (let left = number >>> 0; left !== 0; left &= left - 1) ++count;
  return count;
}

/** A method whose levels are those of its rows, or of its voxels where it says so. */
function methodOf(facts, painted) {
  const method = { ...facts, voxels: painted, rows: null };
  if (facts.levels) method.rows = shifted(Float64Array, facts.levels);
  method.levelAt = method.rows
    ? (rowOf, place) => method.rows[rowOf[place]]
    : (_, place) => method.voxels[place] / 255;
  return method;
}

function componentsOf(facts, rowCount) {
  const componentOf = new Int32Array(rowCount).fill(-1);
  let first = 1;
  facts.forEach((component, c) => {
    componentOf.fill(c, first, first + component.rows);
    component.firstRow = first;
    first += component.rows;
  });
  return componentOf;
}

/** Everything the viewer needs; `voxels` and what is painted are bytes, `grey` has codes and a scale. */
export function caseOf(meta, voxels, painted, grey = null) {
  const [low, high] = meta.box;
  const rows = {
    distance: shifted(Int32Array, meta.rows.distance),
    low: shifted(Uint32Array, meta.rows.low),
    high: shifted(Uint32Array, meta.rows.high ?? meta.rows.low.map(() => 0)),
    voxels: shifted(Float64Array, meta.rows.voxels),
  };
  rows.count = rows.low.length;
  rows.votes = Uint8Array.from(rows.low, (set, r) => bits(set) + bits(rows.high[r]));
  return {
    meta,
    low,
    size: high.map((end, a) => end - low[a]),
    spacing: meta.grid.spacing,
    rowOf: joined(voxels, meta.bytes),
    grey: grey?.codes ?? null,
    greyScale: grey?.scale ?? null,
    photo: null,
    rows,
    componentOf: componentsOf(meta.components, rows.count),
    methods: meta.methods.map((method) => methodOf(method, painted[method.name] ?? null)),
    raters: meta.raters,
    raterLevels: meta.rater_levels ? meta.raters.map((_, k) => painted[`#${k}`]) : null,
  };
}

/** The part of a larger box that is the box of a structure. */
function cutOut(codes, [low, high], [from, to]) {
  const [wide, tall] = high.map((end, a) => end - low[a]);
  const size = to.map((end, a) => end - from[a]);
  const part = new codes.constructor(size[0] * size[1] * size[2]);
  for (let z = 0, at = 0; z < size[2]; ++z)
    for (let y = 0; y < size[1]; ++y, at += size[0]) {
      const start = ((z + from[2] - low[2]) * tall + y + from[1] - low[1]) * wide + from[0] - low[0];
      part.set(codes.subarray(start, start + size[0]), at);
    }
  return part;
}

/** The same of bytes that are at hand. */
export const greyOf = (meta, planes, scale) => ({ codes: cutOut(joined(planes, scale.bytes), meta.grey_box, meta.box), scale });

/** The part of the image that belongs to a structure: steps of `scale.step` from `scale.low` on; null where there is none. */
async function readGrey(meta) {
  const letters = content("grey");
  if (!letters) return null;
  const scale = JSON.parse(content("grey-scale"));
  return greyOf(meta, await inflate(letters), scale);
}

/** What the page says of all labels; null where there are none. */
export const readLabels = () => JSON.parse(content("labels-facts") || "null");

/** What the page says of a structure. */
const readMeta = async (part) => JSON.parse(new TextDecoder().decode(await inflate(part("data"))));

const partsOf = (number) => (name) => content(number === 0 ? name : `${name}-${number}`);

/** What is to be decided about a structure; null where nothing can be. */
export const readDesk = async (number) => (await readMeta(partsOf(number))).desk;

/** Reads a structure of the page; the image is there once for all of them, and may be left out. */
export async function readCase(number = 0, image = true) {
  const part = partsOf(number);
  const painted = JSON.parse(part("painted"));
  for (const name of Object.keys(painted)) painted[name] = await inflate(painted[name]);
  const meta = await readMeta(part);
  return caseOf(meta, await inflate(part("voxels")), painted, image ? await readGrey(meta) : null);
}

/** Whether a rater drew the voxels of a row. */
export function drew(rows, row, rater) {
  return (((rater < 32 ? rows.low : rows.high)[row] >>> (rater & 31)) & 1) === 1;
}

/** Whether a rater marks a place: where raters gave levels, from the cut on. */
export function marks(data, rater, place, cut) {
  if (data.raterLevels && cut !== 0.5) return data.raterLevels[rater][place] >= Math.round(cut * 255);
  const row = data.rowOf[place];
  return row !== 0 && drew(data.rows, row, rater);
}

/** Where a voxel of the box lies, in the order in which voxels are kept. */
export function placeOf(size, [x, y, z]) {
  return (z * size[1] + y) * size[0] + x;
}

/** Where a voxel lies in the world, in millimetres. */
export function worldOf(grid, voxel) {
  return [0, 1, 2].map((w) =>
    [0, 1, 2].reduce((sum, a) => sum + grid.direction[3 * w + a] * grid.spacing[a] * voxel[a], grid.origin[w]));
}
