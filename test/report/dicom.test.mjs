// SPDX-License-Identifier: Apache-2.0
// DICOM segmentations on the page that takes files: what the program makes of them, byte for byte.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { browser, crema, folder, join, open, phantom, remove, until, writeFileSync } from "./kit.mjs";

const LACKING = "the program was built without emscripten";
let cwd, names, running, able;

before(async () => {
  cwd = folder();
  names = phantom(cwd);
  const made = spawnSync(process.env.CREMA, ["app", "-o", "crema.html"], { cwd, encoding: "utf8" });
  able = made.status === 0;
  if (!able) assert.match(made.stderr, /built without WebAssembly/);
  running = await browser();
});

after(async () => {
  await running?.close();
  remove(cwd);
});

/** An element in explicit little endian. */
function element(tag, kind, value) {
  const text = typeof value === "number" ? Buffer.from([value & 255, value >> 8]) : Buffer.from(value, "latin1");
  const padded = text.length % 2 ? Buffer.concat([text, Buffer.from(kind === "UI" ? "\0" : " ")]) : text;
  const head = Buffer.alloc(8);
  head.writeUInt16LE(tag >>> 16, 0);
  head.writeUInt16LE(tag & 0xffff, 2);
  head.write(kind, 4, "latin1");
  head.writeUInt16LE(padded.length, 6);
  return Buffer.concat([head, padded]);
}

/** CT slices, of which there are headers alone, on the grid of a NIfTI file with axes at right angles. */
function writeSeries(path, like) {
  const bytes = gunzipSync(readFileSync(like));
  const size = [1, 2, 3].map((n) => bytes.readInt16LE(40 + 2 * n));
  const row = (n) => [0, 1, 2, 3].map((i) => bytes.readFloatLE(280 + 16 * n + 4 * i));
  const [x, y, z] = [row(0), row(1), row(2)];
  assert.ok(x[0] > 0 && y[1] > 0 && z[2] > 0, "axes that point right, anterior and superior");
  mkdirSync(path);
  for (let k = 0; k < size[2]; ++k) {
    const place = [-x[3], -y[3], z[3] + k * z[2]].join("\\");
    const elements = [element(0x00020010, "UI", "1.2.840.10008.1.2.1"),
      element(0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.2"), element(0x00080018, "UI", `1.2.3.5.${k + 1}`),
      element(0x0020000d, "UI", "1.2.3.1"), element(0x0020000e, "UI", "1.2.3.2"), element(0x00200032, "DS", place),
      element(0x00200037, "DS", "-1\\0\\0\\0\\-1\\0"), element(0x00200052, "UI", "1.2.3.3"),
      element(0x00280010, "US", size[1]), element(0x00280011, "US", size[0]),
      element(0x00280030, "DS", [y[1], x[0]].join("\\"))];
    writeFileSync(join(path, `${k}.dcm`), Buffer.concat([Buffer.alloc(128), Buffer.from("DICM"), ...elements]));
  }
}

test("DICOM segmentations that are dropped give the program's consensus, byte for byte", async (context) => {
  if (!able) return context.skip(LACKING);
  writeSeries(join(cwd, "ct"), join(cwd, names[0]));
  const given = names.map((name, k) => {
    crema(cwd, "fuse", name, "-o", `r${k}.dcm`, "--like", "ct", "--labels", "lesion=1", "-m", "majority", "-q");
    return `r${k}.dcm`;
  });
  const { page, events, close } = await open(running, join(cwd, "crema.html"), { wait: false });
  await until(page, () => globalThis.crema !== undefined);
  await page.locator("#choose").setInputFiles(given.map((name) => join(cwd, name)));
  await until(page, () => /read and fused|refused/.test(document.getElementById("status").innerHTML));
  assert.match(await page.locator("#status").textContent(), /^5 masks, read and fused/);
  await page.locator("#save select").selectOption("jaccard");
  const [download] = await Promise.all([page.waitForEvent("download"),
    page.getByRole("button", { name: "save as .nii", exact: true }).click()]);
  crema(cwd, "fuse", ...given, "-m", "jaccard", "-o", "fused.nii", "-q");
  assert.ok(readFileSync(await download.path()).equals(readFileSync(join(cwd, "fused.nii"))));
  assert.deepEqual({ ...events, requests: [] }, { requests: [], complaints: [], dialogs: 0 });
  await close();
});
