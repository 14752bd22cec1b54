// SPDX-License-Identifier: Apache-2.0
// The app with more than masks: an image among them, probability maps, segmentations, and files of other formats.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { assertOpen, assertValid } from "./form.mjs";
import { browser, crema, drawn, folder, join, open, phantom, pictures, remove, until } from "./kit.mjs";

const LACKING = "the program was built without emscripten";
let cwd, names, running, able;

before(async () => {
  cwd = folder();
  names = phantom(cwd);
  able = spawnSync(process.env.CREMA, ["app", "-o", "crema.html"], { cwd }).status === 0;
  running = await browser();
});

after(async () => {
  await running?.close();
  remove(cwd);
});

async function start() {
  const opened = await open(running, join(cwd, "crema.html"), { wait: false });
  await until(opened.page, () => globalThis.crema !== undefined);
  return opened;
}

const shown = (page) => page.locator("#status").textContent();

async function give(page, files) {
  await page.evaluate(() => document.getElementById("status").replaceChildren());
  await page.locator("#choose").setInputFiles(files.map((file) => join(cwd, file)));
  return settled(page);
}

async function settled(page) {
  await until(page, () => /read and fused|refused/.test(document.getElementById("status").innerHTML));
  return shown(page);
}

async function saved(page, method, ending) {
  await page.locator("#save select").selectOption(method);
  const [download] = await Promise.all([page.waitForEvent("download"),
    page.getByRole("button", { name: `save as ${ending}`, exact: true }).click()]);
  return readFileSync(await download.path());
}

function fused(inputs, ...flags) {
  crema(cwd, "fuse", ...inputs, ...flags, "-o", "fused.nii", "--force", "-q");
  return readFileSync(join(cwd, "fused.nii"));
}

/** A NIfTI file on the grid of the masks: 16-bit values, or levels of 32 bits. */
function onGrid(name, type, value) {
  const mask = gunzipSync(readFileSync(join(cwd, names[0])));
  const start = mask.readFloatLE(108);
  const count = mask.length - start;
  const bytes = type === "int16" ? 2 : 4;
  const file = Buffer.alloc(start + bytes * count);
  mask.copy(file, 0, 0, start);
  file.writeInt16LE(type === "int16" ? 4 : 16, 70);
  file.writeInt16LE(8 * bytes, 72);
  for (let v = 0; v < count; ++v)
    if (type === "int16") file.writeInt16LE(value(v), start + 2 * v);
    else file.writeFloatLE(value(v), start + 4 * v);
  writeFileSync(join(cwd, name), file);
  return name;
}

test("an image among the masks lies beneath, in 16 bits, and decisions stay", async (context) => {
  if (!able) return context.skip(LACKING);
  const image = onGrid("a scan.nii", "int16", (v) => (v * 37) % 4001 - 1000);
  const { page, events, close } = await start();
  assert.match(await give(page, [...names, image]), /^5 masks, read and fused.*a scan\.nii lies beneath\.$/);
  const found = await page.evaluate(() => {
    const { data } = globalThis.crema;
    const [x, y, z] = data.low;
    const [nx, ny] = data.meta.grid.size;
    return { voxel: (z * ny + y) * nx + x, code: data.grey[0], scale: data.greyScale, paint: globalThis.crema.look.paint };
  });
  const value = found.scale.low + found.code * found.scale.step;
  assert.ok(Math.abs(value - ((found.voxel * 37) % 4001 - 1000)) <= found.scale.step, "the grey value of the file");
  assert.equal(found.paint, "none", "over an image nothing is painted");
  await drawn(page);
  await page.screenshot({ path: join(pictures, "app-image.png") });
  const [report] = await Promise.all([page.waitForEvent("download"), page.locator("#save-report").click()]);
  await report.saveAs(join(cwd, "kept.html"));
  for (const key of ["n", "r"]) await page.keyboard.press(key);
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#save-decisions").click()]);
  await download.saveAs(join(cwd, "decisions.json"));
  crema(cwd, "apply", "decisions.json", ...names, "-o", "applied.nii");
  assert.ok(fused(names).equals(await saved(page, "jaccard", ".nii")));
  assert.match(await give(page, [...names, image, onGrid("second.nii", "int16", (v) => v % 999)]), /looks like an image/);
  assert.deepEqual({ ...events, requests: events.requests.filter((one) => !one.startsWith("blob:")) },
    { requests: [], complaints: [], dialogs: 0 });
  await close();
});

test("probability maps: the page asks what the program asks, and each answer is the program's", async (context) => {
  if (!able) return context.skip(LACKING);
  const maps = [1, 2, 3].map((k) => onGrid(`net-${k}.nii`, "float32", (v) => ((v * (7 + k)) % 101 < 40 ? 0 : ((v * k) % 1000) / 1000)));
  const { page, close } = await start();
  assert.match(await give(page, maps), /looks like a probability map; choose how to read the files\./);
  await page.getByRole("button", { name: "cut the maps at 0.5" }).click();
  assert.match(await settled(page), /^3 masks, read and fused/);
  assert.ok(fused(maps, "--threshold", "0.5").equals(await saved(page, "jaccard", ".nii")));
  await page.getByRole("button", { name: "fuse the levels as they are" }).click();
  await until(page, () => /^3 probability maps/.test(document.getElementById("status").textContent));
  assert.equal(await page.getByRole("button", { name: "fuse the levels as they are" }).getAttribute("aria-pressed"), "true");
  assert.ok(fused(maps, "--probabilities", "-m", "tanimoto").equals(await saved(page, "tanimoto", ".nii")));
  await close();
});

/** The voxels of a file, whatever its format, by way of the program. */
function voxelsIn(file, flags) {
  crema(cwd, "fuse", file, "-m", "majority", ...flags, "-o", "read.nii", "--force", "-q");
  return readFileSync(join(cwd, "read.nii")).subarray(352);
}

const KINDS = [[".nrrd"], [".mha"], [".png", "--size", "60,50,1"], [".seg.nrrd", "--kind", "organ", "--labels"]];

test("masks, pictures and Slicer's segmentations are saved in their own format", async (context) => {
  if (!able) return context.skip(LACKING);
  const { page, close } = await start();
  for (const [ending, ...kind] of KINDS) {
    const labels = kind.includes("--labels") ? ["--labels", "all"] : [];
    crema(cwd, "demo", "-o", `of${ending}`, "--raters", "3", ...kind);
    const copies = [1, 2, 3].map((k) => {
      crema(cwd, "fuse", `of${ending}/rater-${k}.nii.gz`, "-m", "majority", ...labels, "-o", `copy-${k}${ending}`, "-q");
      return `copy-${k}${ending}`;
    });
    assert.match(await give(page, copies), labels.length ? /^3 label maps with 2 labels/ : /^3 masks/, ending);
    writeFileSync(join(cwd, `page${ending}`), await saved(page, "jaccard", ending));
    crema(cwd, "fuse", ...copies, ...labels, "-o", `program${ending}`, "-q");
    assert.ok(voxelsIn(`page${ending}`, labels).equals(voxelsIn(`program${ending}`, labels)), ending);
  }
  await close();
});

test("what was decided is saved in the format of the masks, with the voxels of crema apply", async (context) => {
  if (!able) return context.skip(LACKING);
  const { page, close } = await start();
  for (const [ending, ...kind] of KINDS) {
    const labels = kind.includes("--labels") ? ["--labels", "all"] : [];
    const copies = [1, 2, 3].map((k) => `copy-${k}${ending}`);
    await give(page, copies);
    for (const key of ["n", "r", "2", "a"]) await page.keyboard.press(key);
    const [file] = await Promise.all([page.waitForEvent("download"), page.locator("#save-decisions").click()]);
    await file.saveAs(join(cwd, "decided.json"));
    crema(cwd, "apply", "decided.json", ...copies, "-o", `applied${ending}`, "--force");
    const plain = join(cwd, "applied.nii");
    crema(cwd, "apply", "decided.json", ...copies, "-o", "applied.nii", "--force");
    assert.ok(readFileSync(plain).equals(await saved(page, "decided", ".nii")), ending);
    writeFileSync(join(cwd, `decided${ending}`), await saved(page, "decided", ending));
    assert.ok(voxelsIn(`decided${ending}`, labels).equals(voxelsIn(`applied${ending}`, labels)), ending);
  }
  await close();
});

test("masks whose voxels lie beside their headers are decided about, and crema apply takes the headers", async (context) => {
  if (!able) return context.skip(LACKING);
  const { page, close } = await start();
  const pairs = names.map((name, k) => {
    const bytes = gunzipSync(readFileSync(join(cwd, name)));
    const size = [1, 2, 3].map((n) => bytes.readInt16LE(40 + 2 * n)).join(" ");
    const header = k % 2 ? [`<b>${k}.nhdr`, `NRRD0004\ntype: uchar\ndimension: 3\nsizes: ${size}\nencoding: raw\ndata file: part-${k}.raw\n`]
      : [`part-${k}.mhd`, `ObjectType = Image\nNDims = 3\nDimSize = ${size}\nElementType = MET_UCHAR\nElementDataFile = part-${k}.raw\n`];
    writeFileSync(join(cwd, header[0]), header[1]);
    writeFileSync(join(cwd, `part-${k}.raw`), bytes.subarray(bytes.readFloatLE(108)));
    return [header[0], `part-${k}.raw`];
  });
  assert.match(await give(page, pairs.flat()), /^5 masks, read and fused/);
  for (const key of ["n", "r", "2", "a"]) await page.keyboard.press(key);
  const [file] = await Promise.all([page.waitForEvent("download"), page.locator("#save-decisions").click()]);
  await file.saveAs(join(cwd, "parts.json"));
  assert.equal(JSON.parse(readFileSync(join(cwd, "parts.json"), "utf8")).inputs.length, 10);
  crema(cwd, "apply", "parts.json", ...pairs.map(([header]) => header).sort(), "-o", "parts.nii", "--force");
  assert.ok(readFileSync(join(cwd, "parts.nii")).equals(await saved(page, "decided", ".nii")));
  await close();
});

test("the report that is saved is a page of its own: valid, without a script, open to everybody", async (context) => {
  if (!able) return context.skip(LACKING);
  await assertValid(join(cwd, "kept.html"));
  const text = readFileSync(join(cwd, "kept.html"), "utf8");
  assert.ok(!/<script/i.test(text) && text.length < 1e6);
  const { page, events, close } = await open(running, join(cwd, "kept.html"), { wait: false, bypassCSP: true });
  assert.ok(await page.locator("#still svg").isVisible());
  assert.ok((await page.locator("#components tbody tr").count()) > 3);
  assert.equal(await page.locator("#provenance code.hash").count(), 6);
  await assertOpen(page, "app-kept");
  assert.deepEqual(events, { requests: [], complaints: [], dialogs: 0 });
  await close();
});

test("axe-core finds nothing where the page asks how files are read", async (context) => {
  if (!able) return context.skip(LACKING);
  const { page, close } = await open(running, join(cwd, "crema.html"), { wait: false, bypassCSP: true, colorScheme: "dark" });
  await until(page, () => globalThis.crema !== undefined);
  assert.match(await give(page, ["net-1.nii", "net-2.nii", "net-3.nii"]), /fuse the levels/);
  await assertOpen(page, "app-asking");
  await page.getByRole("button", { name: "fuse the levels as they are" }).click();
  await until(page, () => /^3 probability maps/.test(document.getElementById("status").textContent));
  await assertOpen(page, "app-levels");
  await close();
});
