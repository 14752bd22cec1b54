// SPDX-License-Identifier: Apache-2.0
// A report of several labels: all of them at a glance, one of them to look at.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertOpen, assertValid, nameOf, screens } from "./form.mjs";
import {
  browser, crema, drawn, firstDifference, folder, join, labelMaps, levelsOf, open, pictures, readNifti, remove, until,
} from "./kit.mjs";

let cwd, names, running, fused;

before(async () => {
  cwd = folder();
  names = labelMaps(cwd);
  crema(cwd, "report", ...names, "--labels", "all", "-o", "report.html", "--case", "two labels");
  crema(cwd, "fuse", ...names, "--labels", "all", "-o", "fused.nii.gz", "-q");
  fused = readNifti(join(cwd, "fused.nii.gz"));
  running = await browser();
});

after(async () => {
  await running?.close();
  remove(cwd);
});

const report = () => join(cwd, "report.html");
const pressed = (page) => page.locator("#chooser button").evaluateAll((all) => all.map((b) => b.getAttribute("aria-pressed")));

async function choose(page, number) {
  await page.locator("#chooser button").nth(number).focus();
  await page.keyboard.press("Enter");
  await until(page, (wanted) => globalThis.crema.views[0].scale > 0 && globalThis.crema.number === wanted, number);
}

/** Where what the page shows of a label differs from what the program writes. */
async function difference(page, label) {
  const box = await page.evaluate(() => {
    const { data } = globalThis.crema;
    globalThis.levels = Float32Array.from(data.rowOf, (_, place) => data.methods[0].levelAt(data.rowOf, place));
    return { low: data.low, size: data.size };
  });
  return firstDifference(await levelsOf(page), box, { at: (x, y, z) => (fused.at(x, y, z) === label ? 1 : 0) });
}

test("begins with all labels, and shows the first", async () => {
  const { page, events, close } = await open(running, report());
  assert.equal(await page.locator("#labels tbody tr").count(), 2);
  assert.deepEqual(await pressed(page), ["true", "false"]);
  assert.match(await page.locator("#verdict-heading").textContent(), /label 1$/);
  assert.equal(await difference(page, 1), null);
  assert.deepEqual(events, { requests: [], complaints: [], dialogs: 0 });
  await close();
});

test("a button, by the keyboard, shows its label and everything about it", async () => {
  const { page, events, close } = await open(running, report());
  const before = await page.locator("#components tbody tr").allTextContents();
  await choose(page, 1);
  assert.deepEqual(await pressed(page), ["false", "true"]);
  assert.match(await page.locator("#verdict-heading").textContent(), /label 2$/);
  assert.equal(await page.locator("#viewer canvas").count(), 3);
  assert.equal(await difference(page, 2), null);
  assert.notDeepEqual(await page.locator("#components tbody tr").allTextContents(), before);
  await page.locator("#components a[data-component]").first().click();
  assert.match(await page.locator("output.which").textContent(), /^component/);
  await drawn(page);
  await page.screenshot({ path: join(pictures, "labels.png"), fullPage: true });
  await choose(page, 0);
  assert.equal(await difference(page, 1), null);
  assert.deepEqual(await page.locator("#components tbody tr").allTextContents(), before);
  assert.equal(await page.locator("#viewer canvas").count(), 3);
  assert.deepEqual(events, { requests: [], complaints: [], dialogs: 0 });
  await close();
});

test("a what-if asks about the label that is shown", async (context) => {
  const { page, close } = await open(running, report());
  await choose(page, 1);
  await until(page, () => globalThis.crema.whatIf !== undefined);
  if (!(await page.evaluate(() => globalThis.crema.whatIf))) return context.skip("the program was built without emscripten");
  const box = await page.evaluate(async () => {
    const { data, whatIf } = globalThis.crema;
    globalThis.levels = (await whatIf.engine.ask({ method: "dice", without: "0" })).levels;
    return { low: data.low, size: data.size };
  });
  crema(cwd, "fuse", ...names.slice(1), "--label", "2", "-m", "dice", "-o", "alone.nii", "--force", "-q");
  assert.equal(firstDifference(await levelsOf(page), box, readNifti(join(cwd, "alone.nii"))), null);
  await close();
});

test("without a script there are the overview and the first label", async () => {
  const { page, close } = await open(running, report(), { wait: false, javaScriptEnabled: false });
  assert.ok(await page.locator("#labels").isVisible());
  assert.equal(await page.locator("#chooser").isVisible(), false);
  assert.ok(await page.locator("#still svg").isVisible());
  assert.equal(await page.locator("#verdict").count(), 1);
  await close();
});

test("the page is valid HTML", () => assertValid(report()));

for (const screen of screens)
  test(`axe-core finds nothing, ${nameOf(screen)}`, async () => {
    const { page, close } = await open(running, report(), screen);
    await choose(page, 1);
    await drawn(page);
    await assertOpen(page, `labels-${nameOf(screen)}`);
    await close();
  });
