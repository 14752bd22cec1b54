// SPDX-License-Identifier: Apache-2.0
// Files that were dropped or chosen, as the module wants them.
import { inHex } from "./engine.js";

/** More bytes than this do not fit beside what is made of them. */
const MOST_BYTES = 1.5e9;

const fullName = (file) => (file.webkitRelativePath || file.name).replace(/[\r\n\0]/g, "_");

/** Files with names of their own, in the order in which a shell lists them. */
export function named(files) {
  const seen = new Map();
  return [...files].map((file) => {
    const path = fullName(file);
    const times = (seen.get(path) ?? 0) + 1;
    seen.set(path, times);
    return { file, path: times > 1 ? `${times}/${path}` : path };
  }).sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Those that are masks: not the voxels of a header that lies beside them. */
export function masksOf(paths) {
  const header = (pattern) => paths.some((path) => pattern.test(path));
  return paths.filter((path) => !(/\.img(\.gz)?$/i.test(path) && header(/\.hdr(\.gz)?$/i))
    && !(/\.z?raw(\.gz)?$/i.test(path) && header(/\.(mhd|nhdr)$/i)));
}

function textIn(calls, text) {
  const bytes = new TextEncoder().encode(`${text}\0`);
  const place = calls.crema_take(bytes.length) >>> 0;
  new Uint8Array(calls.memory.buffer, place, bytes.length).set(bytes);
  return place;
}

/** The bytes of a file. Throws a sentence where there are none to be had. */
async function bytesOf(file, path) {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    throw new Error(`${path} cannot be read: it is a folder or no longer exists; drop the files themselves.`);
  }
}

/** SHA-256 in letters, as decisions name files. */
async function sumOf(bytes) {
  return inHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

/** Puts a file into the module; false where there is no room for it. */
export function putFile(calls, path, bytes) {
  const name = textIn(calls, path);
  const place = calls.crema_file(name, bytes.length) >>> 0;
  calls.crema_give(name);
  if (place) new Uint8Array(calls.memory.buffer, place, bytes.length).set(bytes);
  return place !== 0 || bytes.length === 0;
}

/** Reads files into the module and notes their sums by path, unless nobody waits for them any more. Throws a sentence where they are too large. */
export async function putIn(calls, list, late) {
  calls.sums = new Map();
  const all = list.reduce((sum, { file }) => sum + file.size, 0);
  const tooLarge = new Error(`These files have ${(all / 1e9).toFixed(1)} GB, more than this page can handle; ` +
    "use the program: crema fuse.");
  if (all > MOST_BYTES) throw tooLarge;
  for (const { file, path } of list) {
    const bytes = await bytesOf(file, path);
    if (late()) return;
    if (!putFile(calls, path, bytes)) throw tooLarge;
    if (globalThis.crypto?.subtle) calls.sums.set(path, await sumOf(bytes));
  }
}
