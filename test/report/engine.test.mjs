// SPDX-License-Identifier: Apache-2.0
// The pages of a run's cases: they share what fuses again, know its checksum, and take decisions.
import assert from "node:assert/strict";
import { readFileSync, readdirSync, renameSync } from "node:fs";
import { after, before, test } from "node:test";
import { browser, crema, firefox, folder, join, open, readNifti, remove, until, writeFileSync } from "./kit.mjs";

const LACKING = "the program was built without emscripten";
const page = (name) => join(cwd, "run", "cases", name, "report.html");
let cwd, running, engine;

before(async () => {
  cwd = folder();
  crema(cwd, "demo", "-o", "data", "--kind", "lesions", "--cases", "2", "--size", "64,64,24");
  crema(cwd, "cohort", "run", "data", "-o", "run", "--report", "--tie", "foreground", "-q");
  engine = readdirSync(join(cwd, "run")).find((name) => name.startsWith("engine-"));
  running = await browser();
});

after(async () => {
  await running?.close();
  remove(cwd);
});

/** The sizes of what a what-if finds, or what the page says instead. */
async function asked(opened) {
  await until(opened, () => globalThis.crema.whatIf !== undefined);
  return opened.evaluate(async () => globalThis.crema.whatIf
    ? (await globalThis.crema.whatIf.engine.ask({ method: "dice" })).voxels
    : document.getElementById("whatif-box").textContent);
}

async function says(browserUsed = running) {
  const { page: opened, events, close } = await open(browserUsed, page("case-001"));
  const found = await asked(opened);
  assert.deepEqual({ complaints: events.complaints, dialogs: events.dialogs }, { complaints: [], dialogs: 0 });
  await close();
  return found;
}

test("pages share one engine, find what the program finds, and hold none of their own", async (context) => {
  if (!engine) return context.skip(LACKING);
  const masks = readdirSync(join(cwd, "data", "case-001")).sort().map((name) => `data/case-001/${name}`);
  crema(cwd, "fuse", ...masks, "-m", "dice", "-o", "dice.nii", "-q");
  const voxels = readNifti(join(cwd, "dice.nii")).voxels.reduce((sum, voxel) => sum + voxel, 0);
  assert.equal(await says(), voxels);
  assert.ok(!readFileSync(page("case-001"), "utf8").includes('id="wasm"'));
});

test("in Firefox, too", async (context) => {
  if (!engine || !process.env.FIREFOX) return context.skip(engine ? "firefox-esr is not installed" : LACKING);
  const other = await firefox();
  assert.equal(await says(other), await says());
  await other.close();
});

test("another engine is not taken, a missing one is named", async (context) => {
  if (!engine) return context.skip(LACKING);
  const path = join(cwd, "run", engine);
  const text = readFileSync(path, "utf8");
  const at = text.indexOf('id="wasm">') + 3000;
  writeFileSync(path, text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1));
  assert.match(await says(), /does not match this page/);
  renameSync(path, `${path}.away`);
  assert.match(await says(), /is not in the run's folder/);
  writeFileSync(path, text);
});

test("decisions about a case of a run are applied by the program, with the settings of the run", async () => {
  const { page: opened, close } = await open(running, page("case-002"));
  for (const key of ["n", "r", "2", "m"]) await opened.keyboard.press(key);
  const handed = async (button) => {
    const [file] = await Promise.all([opened.waitForEvent("download"), opened.locator(button).click()]);
    return readFileSync(await file.path());
  };
  const mask = await handed("#save-final");
  writeFileSync(join(cwd, "decisions.json"), await handed("#save-decisions"));
  assert.deepEqual(JSON.parse(readFileSync(join(cwd, "decisions.json"), "utf8")).settings, { tie: "foreground" });
  const masks = readdirSync(join(cwd, "data", "case-002")).sort().map((name) => `data/case-002/${name}`);
  crema(cwd, "apply", "decisions.json", ...masks, "-o", "applied.nii");
  assert.ok(mask.equals(readFileSync(join(cwd, "applied.nii"))), "the bytes differ");
  await close();
});
