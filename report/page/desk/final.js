// SPDX-License-Identifier: Apache-2.0
// The final mask as a NIfTI file, with the bytes of crema apply.
import { baseOf, eachOf, offsetOf, placesOf } from "./decide.js";

/** Calls f(first place of the box, first voxel of the image) for each line of the box along x. */
function eachLine(data, f) {
  const [nx, ny] = data.meta.grid.size;
  const [wide, tall, deep] = data.size;
  for (let z = 0; z < deep; ++z)
    for (let y = 0; y < tall; ++y)
      f((z * tall + y) * wide, ((z + data.low[2]) * ny + y + data.low[1]) * nx + data.low[0]);
}

const voxelsOf = ({ meta: { grid } }) => grid.size.reduce((product, n) => product * n, 1);

/** What the program writes before the voxels, and the voxels. */
function fileOf({ header }, voxels) {
  const before = Uint8Array.from(atob(header), (letter) => letter.charCodeAt(0));
  const bytes = new Uint8Array(before.length + voxels.byteLength);
  bytes.set(before);
  bytes.set(new Uint8Array(voxels.buffer), before.length);
  return bytes;
}

/** The file of a mask, or of levels; `mask` is of the box. */
export function maskFile(data, mask) {
  const image = new mask.constructor(voxelsOf(data));
  eachLine(data, (from, to) => image.set(mask.subarray(from, from + data.size[0]), to));
  return fileOf(data.meta.desk, image);
}

/** The consensus of all structures as one label map. */
function mapOf(structures) {
  const image = new Uint8Array(voxelsOf(structures[0]));
  for (const data of structures) {
    const base = baseOf(data);
    eachLine(data, (from, to) => {
      for (let x = 0; x < data.size[0]; ++x) if (base[from + x]) image[to + x] = data.meta.desk.value;
    });
  }
  return image;
}

/** What puts a decision about one structure into a label map: what leaves it becomes background. */
function writerOf(image, consensus, data) {
  const { value } = data.meta.desk;
  const put = (place, inside) => {
    const v = offsetOf(data, place);
    if (inside) image[v] = value;
    else if (inside === null && (consensus[v] === value || image[v] === value)) image[v] = consensus[v];
    else if (inside === false && image[v] === value) image[v] = 0;
  };
  const base = baseOf(data);
  return (verdict) => eachOf(data, base, verdict, (one) => placesOf(data, one), put);
}

/** The file of a label map after all decisions, in their order. */
export function labelFile(structures, { list }) {
  const image = mapOf(structures);
  const consensus = image.slice();
  const writers = new Map();
  for (const verdict of list) {
    const data = structures.find(({ meta }) => meta.desk.label === verdict.label);
    if (!data) continue;
    if (!writers.has(data)) writers.set(data, writerOf(image, consensus, data));
    writers.get(data)(verdict);
  }
  return fileOf(structures[0].meta.desk, image);
}
