// SPDX-License-Identifier: Apache-2.0
// A mask from a file to compare with: NIfTI on the grid of the page.
import { placeOf } from "../data.js";

const TYPES = {
  2: [1, "getUint8"], 256: [1, "getInt8"], 4: [2, "getInt16"], 512: [2, "getUint16"], 8: [4, "getInt32"], 768: [4, "getUint32"],
  16: [4, "getFloat32"], 64: [8, "getFloat64"],
};

async function unpacked(bytes) {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Where voxels lie, as NIfTI says it by rows; null where it does not. */
function rowsOf(view) {
  return view.getInt16(254, true) > 0 ? Array.from({ length: 12 }, (_, n) => view.getFloat32(280 + 4 * n, true)) : null;
}

/** The world is that of the page: its axes point left and to the back where NIfTI's point right and to the front. */
function liesOn(rows, { origin, spacing, direction }) {
  const sign = [-1, -1, 1];
  return [0, 1, 2].every((w) => [0, 1, 2, 3].every((a) => {
    const own = a === 3 ? origin[w] : direction[3 * w + a] * spacing[a];
    const given = rows[4 * w + a];
    return Math.min(Math.abs(given - own), Math.abs(given - sign[w] * own)) < 0.01 * Math.max(...spacing);
  }));
}

/** A mask of the box of the page: what is above zero; `beyond` voxels lie outside of the box. Throws a sentence where the file is no such mask. */
export async function maskFromFile(data, file) {
  const bytes = await unpacked(new Uint8Array(await file.arrayBuffer()));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 352 || view.getInt32(0, true) !== 348)
    throw new Error(`${file.name} is not a NIfTI file (.nii or .nii.gz) of the usual byte order.`);
  const size = [1, 2, 3].map((n) => Math.max(view.getInt16(40 + 2 * n, true), 1));
  const { grid } = data.meta;
  if (size.join() !== grid.size.join())
    throw new Error(`${file.name} has ${size.join(" × ")} voxels, but the page ${grid.size.join(" × ")}; choose a mask on the same grid.`);
  const rows = rowsOf(view);
  if (rows && data.meta.unit === "mm" && !liesOn(rows, grid))
    throw new Error(`${file.name} has another position than the masks of the page; choose a mask on the same grid.`);
  const [width, read] = TYPES[view.getInt16(70, true)] ?? [0, ""];
  const start = Math.round(view.getFloat32(108, true));
  if (!width || bytes.length < start + width * size[0] * size[1] * size[2])
    throw new Error(`${file.name} is cut short, or its voxel type is not supported by this page.`);
  const mask = new Uint8Array(data.rowOf.length);
  let beyond = 0;
  for (let v = 0; v < size[0] * size[1] * size[2]; ++v) {
    if (!(view[read](start + width * v, true) > 0)) continue;
    const at = [v % size[0], Math.floor(v / size[0]) % size[1], Math.floor(v / size[0] / size[1])].map((n, a) => n - data.low[a]);
    if (at.every((n, a) => n >= 0 && n < data.size[a])) mask[placeOf(data.size, at)] = 1;
    else ++beyond;
  }
  return { mask, beyond };
}
