// SPDX-License-Identifier: Apache-2.0
// Several labels: one list of decisions for all of them, and what became of voxels that several claimed.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { assertOpen, nameOf, screens } from "./form.mjs";
import { browser, crema, drawn, folder, join, open, readNifti, remove, until } from "./kit.mjs";

let cwd, maps, running;

before(async () => {
  cwd = folder();
  crema(cwd, "demo", "-o", "case", "--kind", "organ", "--labels", "--raters", "5");
  maps = [1, 2, 3, 4, 5].map((k) => `case/rater-${k}.nii.gz`);
  crema(cwd, "report", ...maps, "--labels", "all", "-o", "labels.html", "-m", "jaccard");
  running = await browser();
});

after(async () => {
  await running?.close();
  remove(cwd);
});

async function start(options = {}) {
  const opened = await open(running, join(cwd, "labels.html"), options);
  await until(opened.page, () => globalThis.crema.labels?.desks.every(Boolean));
  return opened;
}

/** Presses a key, and waits until the label of what comes next is shown. */
async function press(page, key) {
  await page.keyboard.press(key);
  await until(page, () => !globalThis.crema.labels.turning);
}

const progress = (page) => page.locator("#desk .progress").textContent();
const shown = (page) => page.evaluate(() => globalThis.crema.number);

async function handed(page, button, name) {
  const [file] = await Promise.all([page.waitForEvent("download"), page.locator(button).click()]);
  await file.saveAs(join(cwd, name));
  return readFileSync(join(cwd, name));
}

/** A table of quoted cells, without its head, as objects. */
function tableOf(name) {
  const [head, ...rows] = readFileSync(join(cwd, name), "utf8").trimEnd().split("\r\n")
    .map((line) => [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell]) => cell.replace(/^"|"$/g, "")));
  return rows.map((row) => Object.fromEntries(head.map((column, n) => [column, row[n]])));
}

test("the list holds the decisions about all labels, as the program lists them", async () => {
  const { page, close } = await start();
  crema(cwd, "agreement", ...maps, "--labels", "all", "--no-surfaces", "--review", "review.csv");
  const program = tableOf("review.csv").map(({ label, reason, component, voxels }) => [label, reason, Number(component), Number(voxels)]);
  const items = await page.evaluate(() => globalThis.crema.desk.items.map(({ label, reason, component, voxels }) => [label, reason, component + 1, voxels]));
  assert.ok(new Set(items.map(([label]) => label)).size > 1);
  assert.deepEqual(items, program);
  await page.getByLabel("decisions that are listed").selectOption({ value: "label 1" });
  const listed = await page.locator("#desk .queue li .what > .rater").allTextContents();
  assert.equal(listed.length, program.filter(([label]) => label === "2").length);
  assert.deepEqual([...new Set(listed)], ["label 2"]);
  await close();
});

test("by keyboard from one label into the next, and back by undo, also where the browser keeps nothing", async () => {
  const { page, events, close } = await start({
    before: () => Object.defineProperty(globalThis, "localStorage", { get() { throw new Error("no"); } }),
  });
  const items = await page.evaluate(() => globalThis.crema.desk.items.map(({ label }) => label));
  const own = items.filter((label) => label === items[0]).length;
  await page.getByLabel("your name (optional)").fill("Ada <b>");
  await page.locator("h1").click();
  await press(page, "n");
  for (let n = 0; n < own; ++n) await press(page, "ra"[n % 2]);
  assert.equal(await shown(page), 1, "the next label is shown");
  assert.equal(await progress(page), `${own} of ${items.length}`);
  const { at, wanted } = await page.evaluate(() => ({ at: globalThis.crema.look.at.map((v, a) => v + globalThis.crema.data.low[a]),
    wanted: globalThis.crema.desk.items[globalThis.crema.desk.now].at }));
  assert.deepEqual(at, wanted);
  await press(page, "u");
  assert.equal(await shown(page), 0, "undo leads back");
  assert.equal(await progress(page), `${own - 1} of ${items.length}`);
  await press(page, "a");
  for (let n = own; n < items.length; ++n) await press(page, "rma"[n % 3]);
  // Zones of components that were decided as a whole are left out.
  const left = await page.evaluate(() => globalThis.crema.desk.items.filter((item) => !globalThis.crema.desk.ledger.isSettled(item)).length);
  assert.equal(await progress(page), `${left} of ${left}`);
  await drawn(page);
  const map = await handed(page, "#save-final", "final.nii");
  const { list, adjudicator } = JSON.parse(await handed(page, "#save-decisions", "decisions.json"));
  assert.equal(list.length, left);
  assert.equal(adjudicator, "Ada <b>");
  crema(cwd, "apply", "decisions.json", ...maps, "-o", "applied.nii", "--force");
  assert.ok(map.equals(readFileSync(join(cwd, "applied.nii"))), "the bytes differ");
  assert.deepEqual(events, { requests: [], complaints: [], dialogs: 0 });
  await close();
});

test("the read-out says how a voxel was settled exactly where several labels took it alone, and to whom it went", async () => {
  const { page, close } = await start();
  const alone = ["1", "2"].map((label) => {
    crema(cwd, "fuse", ...maps, "--label", label, "-m", "jaccard", "-o", `alone-${label}.nii`, "--force", "-q");
    return readNifti(join(cwd, `alone-${label}.nii`));
  });
  crema(cwd, "fuse", ...maps, "--labels", "all", "-m", "jaccard", "-o", "joint.nii", "--force", "-q");
  const joint = readNifti(join(cwd, "joint.nii"));
  const [nx, ny, nz] = joint.size;
  const [claimed, others] = [[], []];
  for (let z = 0; z < nz; ++z)
    for (let y = 0; y < ny; ++y)
      for (let x = 0; x < nx; ++x) {
        const both = alone.every((one) => one.at(x, y, z) === 1);
        if (both) claimed.push([x, y, z]);
        else if ((x + y + z) % 5 === 0 && alone.some((one) => one.at(x, y, z) === 1)) others.push([x, y, z]);
      }
  assert.ok(claimed.length > 20 && others.length > 100);
  const said = (voxels) => page.evaluate((all) => {
    const { labels } = globalThis.crema;
    return all.map((voxel) => labels.settledWords(labels.callsAt(voxel)));
  }, voxels);
  const given = claimed.map((voxel) => (joint.at(...voxel) === 0 ? "none" : `label ${joint.at(...voxel)}`));
  assert.deepEqual(await said(claimed),
    given.map((to) => `claimed by label 1 and label 2; given to ${to}, where the total criterion is least`));
  assert.ok((await said(others)).every((words) => words === null));
  await close();
});

for (const screen of screens.filter(({ viewport }) => viewport.width > 1000))
  test(`axe-core finds nothing in the list of all labels, ${nameOf(screen)}`, async () => {
    const { page, close } = await start(screen);
    await press(page, "n");
    await press(page, "r");
    await assertOpen(page, `queue-${nameOf(screen)}`);
    await close();
  });
