// SPDX-License-Identifier: Apache-2.0
// Decisions and the final mask as files.
import { make, plural } from "../format.js";
import { labelFile, maskFile } from "./final.js";
import { misfitOf, readDecisions } from "./load.js";

/** Hands bytes to the browser as a file. */
export function handOver(bytes, name, type = "application/octet-stream") {
  const link = make("a", { href: URL.createObjectURL(new Blob([bytes], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

/** All structures of a label map, in their order, once kept decisions about them are those that fit: some may never have been looked at here. */
export async function sifted(desk) {
  const structures = desk.data.meta.label ? await desk.others() : [];
  for (const one of structures) desk.ledger.sift(one.meta.desk.label, (verdict) => !misfitOf(one, verdict));
  return structures;
}

/** The bytes of the final mask as .nii. */
async function finalBytes(desk) {
  const structures = await sifted(desk);
  return structures.length ? labelFile(structures, desk.ledger) : maskFile(desk.data, desk.mask());
}

export async function saveMask(desk) {
  desk.note.textContent = "Making the file …";
  handOver(await finalBytes(desk), "final.nii");
  desk.note.textContent = "final.nii was handed to the browser; keep decisions.json with it.";
}

export function saveDecisions(desk) {
  handOver(desk.ledger.text(), "decisions.json", "application/json");
  desk.note.textContent = "decisions.json was handed to the browser; crema apply turns it into the mask.";
}

/** Goes on with what was saved, here or elsewhere. */
export async function loadDecisions(desk, file) {
  const { data, ledger } = desk;
  try {
    const loaded = await readDecisions(file, data.meta.desk, data.meta.label ? await desk.others() : [data]);
    ledger.load(loaded);
    desk.again();
    desk.note.textContent = `${plural(loaded.list.length, "decision", "decisions")} loaded.`;
  } catch (error) {
    desk.note.textContent = error.message;
  }
  desk.refresh();
}
