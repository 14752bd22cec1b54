// SPDX-License-Identifier: Apache-2.0
// A photograph among the files: JPEG, or a PNG in colour.

/** More colours than this are no mask's. */
const MASK_COLOURS = 16;

const isJpeg = (bytes) => bytes[0] === 0xff && bytes[1] === 0xd8;
/** A PNG says so in its first bytes, and its kind of colour behind its size. */
const isColourPng = (bytes) => bytes[0] === 0x89 && bytes[1] === 0x50 && (bytes[25] === 2 || bytes[25] === 6);

/** The pixels of a file, as the browser shows them. */
async function pixelsOf(file) {
  const bitmap = await createImageBitmap(file);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
  const context = canvas.getContext("2d");
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
  return { size: [bitmap.width, bitmap.height], pixels: new Uint32Array(data.buffer) };
}

function hasManyColours(pixels) {
  const seen = new Set();
  for (const pixel of pixels) if (seen.add(pixel).size > MASK_COLOURS) return true;
  return false;
}

/** The photograph among files that were given, with its path; null where there is none. Throws a sentence where there are two. */
export async function photoAmong(list) {
  const found = [];
  for (const { file, path } of list) {
    const start = new Uint8Array(await file.slice(0, 32).arrayBuffer());
    if (!isJpeg(start) && !isColourPng(start)) continue;
    const picture = await pixelsOf(file).catch(() => null);
    if (!picture && isJpeg(start)) throw new Error(`${path}: the browser cannot read this JPEG; it may be damaged.`);
    if (picture && (isJpeg(start) || hasManyColours(picture.pixels))) found.push({ path, ...picture });
  }
  if (found.length > 1) throw new Error(`${found[0].path} and ${found[1].path} are both photographs; drop one, and the masks.`);
  return found[0] ?? null;
}

/** Throws a sentence where a photograph does not fit to masks. */
export function fitPhoto(grid, { path, size }) {
  if (grid.size[2] !== 1) throw new Error(`${path} is a photograph, but the masks have ${grid.size[2]} slices; leave it out.`);
  if (size[0] !== grid.size[0] || size[1] !== grid.size[1])
    throw new Error(`${path} has ${size.join(" × ")} pixels, but the masks ${grid.size.slice(0, 2).join(" × ")}; choose the image they were drawn on.`);
}

/** The part of a photograph that belongs to a structure. */
export function cutPhoto(data, { size, pixels }) {
  const part = new Uint32Array(data.rowOf.length);
  for (let y = 0; y < data.size[1]; ++y) {
    const start = (y + data.low[1]) * size[0] + data.low[0];
    part.set(pixels.subarray(start, start + data.size[0]), y * data.size[0]);
  }
  return part;
}
