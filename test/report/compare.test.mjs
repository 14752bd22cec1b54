// SPDX-License-Identifier: Apache-2.0
// Two masks beside each other: the numbers are those of the program.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { assertOpen } from "./form.mjs";
import { browser, crema, drawn, folder, join, open, phantom, pictures, remove, until } from "./kit.mjs";

let cwd, names, running;

before(async () => {
  cwd = folder();
  names = phantom(cwd);
  crema(cwd, "report", ...names, "-o", "report.html", "-m", "jaccard,majority");
  crema(cwd, "agreement", ...names, "--csv", "tables");
  running = await browser();
});

after(async () => {
  await running?.close();
  remove(cwd);
});

const shown = (page) => page.locator("#compare-summary").textContent();
const measured = (page) => until(page, () => /HD95 [\d–]/.test(document.getElementById("compare-summary").textContent));

/** A pair of raters as agreement measures it. */
function pairOf(first, second) {
  const [head, ...rows] = readFileSync(join(cwd, "tables", "rater_pairs.csv"), "utf8").trim().split("\n").map((line) => line.split(","));
  const row = rows.find((cells) => [first, second].every((k) => cells.includes(`rater-${k}.nii.gz`)));
  return (name) => Number(row[head.indexOf(name)]);
}

test("Dice and HD95 of two raters are those of crema agreement", async () => {
  const { page, events, close } = await open(running, join(cwd, "report.html"));
  await page.getByLabel("compare from").selectOption("rater 1");
  await page.getByLabel("compare to").selectOption("rater 3");
  await page.getByLabel("how to compare two masks").selectOption("difference");
  await measured(page);
  const cell = pairOf(2, 4);
  const [, dice, hd95] = /Dice ([\d.]+), .*HD95 ([\d.]+) mm/.exec(await shown(page));
  assert.equal(dice, cell("dice").toFixed(4));
  assert.equal(hd95, cell("hd95_mm").toFixed(2));
  assert.deepEqual(events, { requests: [], complaints: [], dialogs: 0 });
  await close();
});

test("gained and lost are painted, swipe and blink change the picture, off brings everything back", async () => {
  const { page, close } = await open(running, join(cwd, "report.html"));
  const picture = async () => {
    await drawn(page);
    return page.evaluate(() => globalThis.crema.views[0].canvas.toDataURL());
  };
  const before = await picture();
  const how = page.getByLabel("how to compare two masks");
  await how.selectOption("difference");
  const colours = await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
    const { slice } = globalThis.crema.views[0];
    const pixels = slice.getContext("2d").getImageData(0, 0, slice.width, slice.height).data;
    const found = new Set();
    for (let i = 0; i < pixels.length; i += 4) if (pixels[i + 3]) found.add(`${pixels.subarray(i, i + 3)}`);
    done([...found].sort());
  }))));
  assert.ok(colours.length >= 2 && colours.every((one) => ["150,150,150", "0,114,178", "213,94,0"].includes(one)), colours.join("; "));
  await page.locator("#look").screenshot({ path: join(pictures, "compare.png") });
  await how.selectOption("swipe");
  const middle = await picture();
  await page.getByLabel("where the swipe is").fill("0.2");
  assert.notEqual(await picture(), middle);
  await how.selectOption("blink");
  // The planes are drawn on the spot: the next blink may come at any time.
  const blinked = (second) => until(page, (wanted) => {
    const { look, views: [view] } = globalThis.crema;
    if (look.ab.second !== wanted) return null;
    view.draw();
    return view.canvas.toDataURL();
  }, second);
  assert.notEqual(await blinked(false), await blinked(true));
  await how.selectOption("");
  assert.equal(await picture(), before);
  await close();
});

test("next difference leads to where they differ", async () => {
  const { page, close } = await open(running, join(cwd, "report.html"));
  for (let n = 0; n < 3; ++n) {
    await page.getByRole("button", { name: /next difference/ }).click();
    assert.ok(await page.evaluate(() => {
      const { look, data } = globalThis.crema;
      const place = (look.at[2] * data.size[1] + look.at[1]) * data.size[0] + look.at[0];
      return look.ab.a[place] !== look.ab.b[place];
    }));
  }
  await close();
});

test("a mask from a file is compared, and one of another grid is refused in words", async () => {
  crema(cwd, "fuse", ...names, "-o", "fused.nii.gz", "-m", "jaccard");
  const { page, close } = await open(running, join(cwd, "report.html"));
  const file = page.getByLabel("a mask to compare with, .nii or .nii.gz");
  await page.getByLabel("compare from").selectOption("method 0");
  await file.setInputFiles(join(cwd, "fused.nii.gz"));
  await measured(page);
  assert.match(await shown(page), /^Dice 1\.0000, 0 gained, 0 lost, HD95 0\.00 mm/);
  crema(cwd, "demo", "-o", "other", "--kind", "cord");
  await file.setInputFiles(join(cwd, "other", "rater-1.nii.gz"));
  await until(page, () => /same grid/.test(document.getElementById("compare-summary").textContent));
  writeFileSync(join(cwd, "no.nii"), "not a mask");
  await file.setInputFiles(join(cwd, "no.nii"));
  await until(page, () => /not a NIfTI file/.test(document.getElementById("compare-summary").textContent));
  await close();
});

for (const colorScheme of ["light", "dark"])
  test(`axe-core finds nothing while masks are compared and painted, ${colorScheme}`, async () => {
    const { page, close } = await open(running, join(cwd, "report.html"), { colorScheme, bypassCSP: true });
    for (const key of ["n", "a", "b"]) await page.keyboard.press(key);
    await page.getByLabel("how to compare two masks").selectOption("swipe");
    await measured(page);
    await assertOpen(page, `compare-${colorScheme}`);
    await close();
  });
