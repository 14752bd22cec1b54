// SPDX-License-Identifier: Apache-2.0
// Brush and eraser: what the page saves is what crema apply makes of the runs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { browser, crema, drawn, folder, join, labelMaps, open, phantom, pictures, readNifti, remove, until } from "./kit.mjs";

let cwd, names, running;

before(async () => {
  cwd = folder();
  names = phantom(cwd);
  running = await browser();
});

after(async () => {
  await running?.close();
  remove(cwd);
});

async function download(page, button, name) {
  const [file] = await Promise.all([page.waitForEvent("download"), page.locator(button).click()]);
  await file.saveAs(join(cwd, name));
  return readFileSync(join(cwd, name));
}

/** Where a voxel of the box is seen on a plane, for the mouse. */
const pointOf = (page, view, voxel) => page.evaluate(([n, at]) => {
  const one = globalThis.crema.views[n];
  const frame = one.canvas.getBoundingClientRect();
  const [column, row] = one.plane.cellOf(at);
  return [frame.left + (one.left + (column + 0.5) * one.plane.cell[0] * one.scale) / devicePixelRatio,
    frame.top + (one.top + (row + 0.5) * one.plane.cell[1] * one.scale) / devicePixelRatio];
}, [view, voxel]);

async function stroke(page, view, from, to) {
  await page.mouse.move(...await pointOf(page, view, from));
  await page.mouse.down();
  await page.mouse.move(...await pointOf(page, view, to), { steps: 3 });
  await page.mouse.up();
  await drawn(page);
}

/** Saves both files of a page and compares the mask with that of the program. */
async function compared(page, stem, files) {
  const mask = await download(page, "#save-final", `${stem}.nii`);
  await download(page, "#save-decisions", `${stem}.json`);
  crema(cwd, "apply", `${stem}.json`, ...files, "-o", `${stem}-applied.nii`, "--force");
  assert.ok(mask.equals(readFileSync(join(cwd, `${stem}-applied.nii`))), "the bytes differ");
  return JSON.parse(readFileSync(join(cwd, `${stem}.json`), "utf8")).list;
}

async function adjudicate(page) {
  await page.locator("#viewer").evaluate((box) => box.scrollIntoView({ behavior: "instant" }));
  await drawn(page);
  const at = await page.evaluate(() => globalThis.crema.look.at);
  await page.keyboard.press("b");
  await stroke(page, 0, [at[0] - 6, at[1] - 4, at[2]], [at[0] + 5, at[1] + 3, at[2]]);
  await page.keyboard.press("]");
  await stroke(page, 1, [at[0], at[1], at[2]], [at[0] + 4, at[1], at[2] + 4]);
  for (const key of ["n", "a", "r", "e"]) await page.keyboard.press(key);
  const now = await page.evaluate(() => globalThis.crema.look.at);
  await drawn(page);
  await stroke(page, 0, now, [now[0] + 3, now[1] + 1, now[2]]);
  await page.keyboard.press("2");
  return at;
}

test("strokes of both tools on two planes, between other decisions, survive a reload and are applied byte for byte", async () => {
  crema(cwd, "report", ...names, "-o", "mask.html", "-m", "jaccard");
  const { page, events, close } = await open(running, join(cwd, "mask.html"));
  const at = await adjudicate(page);
  assert.match(await page.locator("#desk .progress").textContent(), /^3 of \d+, 3 strokes$/);
  await page.locator("#look").screenshot({ path: join(pictures, "brush.png") });
  await page.reload();
  await page.locator("#desk .queue li").first().waitFor();
  await drawn(page);
  assert.match(await page.locator("#desk .progress").textContent(), /^3 of \d+, 3 strokes$/);
  const list = await compared(page, "mask", names);
  assert.deepEqual(list.filter(({ runs }) => runs).map(({ action }) => action), ["draw", "draw", "erase"]);
  const { low } = await page.evaluate(() => globalThis.crema.data);
  const final = readNifti(join(cwd, "mask.nii"));
  assert.equal(final.at(...at.map((v, a) => v + low[a])), 1, "the brush passed over it");
  assert.deepEqual(events.complaints, []);
  await close();
});

test("by keyboard: the crosshair walks, Enter paints, U takes it back, Escape puts the tool away", async () => {
  crema(cwd, "report", ...names, "-o", "keys.html", "-m", "dice");
  const { page, close } = await open(running, join(cwd, "keys.html"));
  const strokes = () => page.evaluate(() => globalThis.crema.desk.verdicts.length);
  await page.locator("#viewer canvas").first().focus();
  await page.keyboard.press("b");
  const before = await page.evaluate(() => globalThis.crema.look.at);
  await page.keyboard.press("Shift+ArrowRight");
  const after = await page.evaluate(() => globalThis.crema.look.at);
  assert.equal(after.filter((v, a) => v !== before[a]).length, 1);
  await page.keyboard.press("Enter");
  assert.equal(await strokes(), 1);
  await page.keyboard.press("u");
  assert.equal(await strokes(), 0);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  assert.equal(await strokes(), 0);
  await close();
});

test("levels of a soft method are saved as the program writes them", async () => {
  crema(cwd, "report", ...names, "-o", "soft.html", "-m", "tanimoto");
  const { page, close } = await open(running, join(cwd, "soft.html"));
  await adjudicate(page);
  await compared(page, "soft", names);
  const levels = new Set(readNifti(join(cwd, "soft.nii")).voxels);
  assert.ok(levels.size > 4, "there are levels");
  await close();
});

test("labels: strokes about both of them make one map", async () => {
  const maps = labelMaps(cwd, names);
  crema(cwd, "report", ...maps, "--labels", "all", "-o", "labels.html", "-m", "jaccard");
  const { page, close } = await open(running, join(cwd, "labels.html"));
  await adjudicate(page);
  await page.locator("#chooser button").nth(1).click();
  await until(page, () => globalThis.crema.number === 1 && globalThis.crema.desk);
  await drawn(page);
  await adjudicate(page);
  const list = await compared(page, "labels", maps);
  assert.deepEqual([...new Set(list.map(({ label }) => label))], ["1", "2"]);
  await close();
});

test("of strokes of two labels over the same voxels the later one has the last word", async () => {
  const { page, close } = await open(running, join(cwd, "labels.html"));
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await until(page, () => globalThis.crema?.desk && globalThis.crema.views[0].scale > 0);
  const shared = await page.evaluate(async () => {
    const { desk } = globalThis.crema;
    const boxes = (await desk.others()).map(({ low, size }) => [low, low.map((v, a) => v + size[a])]);
    const first = [0, 1, 2].map((a) => Math.max(...boxes.map(([low]) => low[a])));
    if (!first.every((v, a) => boxes.every(([, high]) => v < high[a]))) throw new Error("the boxes of the labels lie apart");
    const [nx, ny] = desk.data.meta.grid.size;
    const runs = [[(first[2] * ny + first[1]) * nx + first[0], 1]];
    for (const label of ["2", "1"]) desk.ledger.put({ label, action: "draw", runs, reason: "" });
    return first;
  });
  const list = await compared(page, "order", ["labels/rater-1.nii", "labels/rater-2.nii", "labels/rater-3.nii", "labels/rater-4.nii", "labels/rater-5.nii"]
    .slice(0, names.length));
  assert.deepEqual(list.map(({ label }) => label), ["2", "1"]);
  assert.equal(readNifti(join(cwd, "order.nii")).at(...shared), 1);
  await close();
});

test("what others left in the browser's memory and is no decision is forgotten", async () => {
  const { page, events, close } = await open(running, join(cwd, "mask.html"));
  await page.evaluate(() => {
    const { data, ledger: { key } } = globalThis.crema.desk;
    const [nx, ny] = data.meta.grid.size;
    const first = (data.low[2] * ny + data.low[1]) * nx + data.low[0];
    const list = [3, null, { action: "draw", runs: "x" }, { action: "draw", runs: [[-1, 2]] }, { action: "fly", component: 0 },
      { action: "accept", component: "0" }, { label: "", action: "erase", runs: [[first, 3]], time: "2026-11-15T20:47:41Z" }];
    localStorage.setItem(key, JSON.stringify({ list, name: "" }));
  });
  await page.reload();
  await page.locator("#desk .queue li").first().waitFor();
  assert.equal(await page.evaluate(() => globalThis.crema.desk.ledger.list.length), 1);
  await compared(page, "others", names);
  assert.deepEqual(events.complaints, []);
  await close();
});
