// SPDX-License-Identifier: Apache-2.0
// What the page finds again is what the program finds, voxel for voxel.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import {
  answered, browser, crema, drawn, firstDifference, folder, join, levelMaps, levelsOf, open, phantom, pictures, readNifti, remove,
  until,
} from "./kit.mjs";

const LACKING = "the program was built without emscripten";
let cwd, names, running, opened, able;

before(async () => {
  cwd = folder();
  names = phantom(cwd);
  crema(cwd, "report", ...names, "-o", "report.html");
  running = await browser();
  opened = await open(running, join(cwd, "report.html"));
  able = await opened.page.locator("script#wasm").count() > 0;
  if (able) await until(opened.page, () => globalThis.crema.whatIf !== undefined);
});

after(async () => {
  await running?.close();
  remove(cwd);
});

/** How far the what-if is from the consensus of the page, over all voxels. */
const difference = (page) => page.evaluate(() => {
  const { data } = globalThis.crema;
  const [first, last] = [data.methods[0], data.methods.at(-1)];
  return data.rowOf.reduce((sum, _, place) =>
    sum + Math.abs(first.levelAt(data.rowOf, place) - last.levelAt(data.rowOf, place)), 0);
});

/** Settings of the page, and the same of the program. */
const cases = [
  [{ method: "jaccard" }, ["-m", "jaccard"]],
  [{ method: "dice", without: "0" }, ["-m", "dice"]],
  [{ method: "jaccard", without: "1,3" }, ["-m", "jaccard"]],
  [{ method: "jaccard", weights: "2,1,1,1,1" }, ["-m", "jaccard", "--weights", "2,1,1,1,1"]],
  [{ method: "tanimoto" }, ["-m", "tanimoto"]],
  [{ method: "soergel", blocks: "crown" }, ["-m", "soergel", "--blocks", "crown"]],
  [{ method: "dice", blocks: "group" }, ["-m", "dice", "--blocks", "group"]],
  [{ method: "jaccard", tie: "foreground", connectivity: "6" }, ["-m", "jaccard", "--tie", "foreground", "--connectivity", "6"]],
  [{ method: "majority", without: "4" }, ["-m", "majority"]],
];

/** Where what the page finds differs from what the program makes of these raters; null where it does not. */
async function compared(page, settings, raters, flags) {
  const out = (settings.without ?? "").split(",");
  crema(cwd, "fuse", ...raters.filter((_, k) => !out.includes(String(k))), ...flags, "-o", "fused.nii.gz", "--force");
  const fused = readNifti(join(cwd, "fused.nii.gz"));
  const { took, ...box } = await page.evaluate(async (request) => {
    const { data, whatIf } = globalThis.crema;
    const start = performance.now();
    globalThis.levels = (await whatIf.engine.ask(request)).levels;
    return { low: data.low, size: data.size, took: performance.now() - start };
  }, settings);
  console.log(`${JSON.stringify(settings)}: ${took.toFixed(0)} ms`);
  return firstDifference(await levelsOf(page), box, fused);
}

for (const [settings, flags] of cases)
  test(`what if ${JSON.stringify(settings)}`, async (context) => {
    if (!able) return context.skip(LACKING);
    assert.equal(await compared(opened.page, settings, names, flags), null);
  });

const casesOfLevels = [
  [{ method: "tanimoto" }, ["-m", "tanimoto"]],
  [{ method: "tanimoto", weights: "2,1,0.5,1,1" }, ["-m", "tanimoto", "--weights", "2,1,0.5,1,1"]],
  [{ method: "soergel", without: "0,3" }, ["-m", "soergel"]],
  [{ method: "jaccard", without: "4", connectivity: "6" }, ["-m", "jaccard", "--connectivity", "6"]],
  [{ method: "majority", tie: "foreground", without: "1" }, ["-m", "majority", "--tie", "foreground"]],
  [{ method: "median" }, ["-m", "median"]],
];

test("levels are fused again as the program fuses them", async (context) => {
  if (!able) return context.skip(LACKING);
  const maps = levelMaps(cwd, names);
  crema(cwd, "report", ...maps, "--probabilities", "-o", "levels.html", "-m", "tanimoto,jaccard");
  const { page, events, close } = await open(running, join(cwd, "levels.html"));
  await until(page, () => globalThis.crema.whatIf !== undefined);
  for (const [settings, flags] of casesOfLevels)
    assert.equal(await compared(page, settings, maps, [...flags, "--probabilities"]), null, JSON.stringify(settings));
  const offered = await page.getByLabel("distance or vote").locator("option").allTextContents();
  assert.ok(offered.includes("robust") && !offered.includes("staple") && !offered.includes("hamming"), offered.join());
  assert.equal(await page.getByLabel("blocks").count(), 0);
  await page.getByRole("button", { name: "as in the page" }).click();
  await answered(page);
  const shown = () => page.locator("#whatif-outcome").textContent();
  assert.match(await shown(), /^5 raters: .* \+0 voxels against the consensus of the page \(Dice 1\.000\)/);
  await page.locator("#whatif .rater select").first().selectOption("out");
  await answered(page);
  assert.match(await shown(), /^4 raters: /);
  await page.getByLabel("distance or vote").selectOption("soergel");
  await page.getByLabel("prove the gap").check();
  await answered(page);
  assert.match(await shown(), /No better consensus exists|% above the best possible, proven/);
  assert.deepEqual(events, { requests: [], complaints: [], dialogs: 0 });
  await close();
});

test("leaving a rater out is followed by viewer and table", async (context) => {
  if (!able) return context.skip(LACKING);
  const { page, events } = opened;
  await page.locator("#whatif .rater select").first().selectOption("out");
  await answered(page);
  await drawn(page);
  assert.match(await page.locator("#whatif-outcome").textContent(), /^4 raters: \d+ of \d+ components kept/);
  assert.ok((await page.locator("#whatif-components tbody tr").count()) > 3);
  assert.equal(await page.evaluate(() => globalThis.crema.data.methods.at(-1).name), "what if");
  assert.ok(await page.locator("input[data-method='what if']").isChecked());
  await page.locator("#whatif").screenshot({ path: join(pictures, "whatif.png") });
  assert.deepEqual(events, { requests: [], complaints: [], dialogs: 0 });
});

test("the gap is the one that the program proves", async (context) => {
  if (!able) return context.skip(LACKING);
  crema(cwd, "fuse", ...names, "--certify", "-o", "proven.nii.gz", "--json", "proven.json");
  const record = JSON.parse(readFileSync(join(cwd, "proven.json"), "utf8"));
  const { lmsd, lower_bound: bound } = await opened.page.evaluate(async () => {
    const { levels, ...shown } = await globalThis.crema.whatIf.engine.ask({ method: "jaccard", certify: "True" });
    return shown;
  });
  assert.equal(lmsd, record.lmsd);
  assert.equal(bound, record.lower_bound);
  await opened.page.getByLabel("prove the gap").check();
  await answered(opened.page);
  assert.match(await opened.page.locator("#whatif-outcome").textContent(), /No better consensus exists|% above the best possible, proven/);
  await opened.page.getByLabel("prove the gap").uncheck();
});

test("what is painted follows every change", async (context) => {
  if (!able) return context.skip(LACKING);
  const { page } = opened;
  const painted = async (rater, choice) => {
    await page.locator("#whatif .rater select").nth(rater).selectOption(choice);
    await answered(page);
    await page.evaluate(() => {
      const { look, data } = globalThis.crema;
      look.set({ paint: "level", method: data.methods.length - 1, raters: look.raters.map(() => false) });
    });
    await drawn(page);
    return page.evaluate(() => globalThis.crema.views.map((view) => view.canvas.toDataURL()).join());
  };
  const without = await painted(0, "out");
  const others = await painted(1, "out");
  assert.notEqual(without, others);
  await painted(1, "1");
  assert.equal(await painted(0, "out"), without);
  await page.getByRole("button", { name: "as in the page" }).click();
  await answered(page);
  assert.equal(await difference(page), 0);
});

test("as in the page: every setting that the page was made with", async (context) => {
  if (!able) return context.skip(LACKING);
  crema(cwd, "report", ...names, "-o", "other.html", "-m", "dice", "--weights", "3,1,0.7,1,1", "--blocks", "crown",
    "--no-empty-test", "--tie", "foreground", "--connectivity", "6");
  const { page, close } = await open(running, join(cwd, "other.html"));
  await until(page, () => globalThis.crema.whatIf !== undefined);
  await page.getByRole("button", { name: "as in the page" }).click();
  await answered(page);
  assert.equal(await difference(page), 0);
  await page.locator("#whatif .rater select").first().selectOption("out");
  await answered(page);
  assert.notEqual(await difference(page), 0);
  await close();
});

test("the page goes on while it fuses, a question is stopped, and the last one counts", async (context) => {
  if (!able) return context.skip(LACKING);
  const { page, events } = opened;
  const seen = await page.evaluate(async () => {
    const { whatIf } = globalThis.crema;
    whatIf.follow();
    const busy = !whatIf.busy.hidden;
    whatIf.busy.querySelector("button").click();
    const shown = whatIf.outcome.textContent;
    const first = whatIf.engine.ask({ method: "jaccard" }).then(() => "answered", (error) => error.message);
    const last = whatIf.engine.ask({ method: "majority", without: "0" });
    return { busy, shown, hidden: whatIf.busy.hidden, first: await first, raters: (await last).raters };
  });
  assert.deepEqual({ ...seen, shown: "" }, { busy: true, shown: "", hidden: true, first: "stopped", raters: 4 });
  assert.match(seen.shown, /^Stopped/);
  await page.getByRole("button", { name: "as in the page" }).click();
  await answered(page);
  assert.equal(await difference(page), 0);
  assert.deepEqual(events, { requests: [], complaints: [], dialogs: 0 });
});

test("a component of the what-if leads to it", async (context) => {
  if (!able) return context.skip(LACKING);
  const { page } = opened;
  const link = page.locator("#whatif-components a").last();
  const wanted = (await link.getAttribute("data-place")).split(",").map(Number);
  await link.click();
  const { at, row } = await page.evaluate(() => {
    const { look, data } = globalThis.crema;
    const [x, y, z] = look.at;
    return { at: look.at.map((v, a) => v + data.low[a]), row: data.rowOf[(z * data.size[1] + y) * data.size[0] + x] };
  });
  assert.deepEqual(at, wanted);
  assert.ok(row > 0, "nobody drew the voxel");
});

test("a page says why it cannot fuse again", async () => {
  crema(cwd, "report", ...names, "-o", "some.html", "--slices", "z=3:6");
  const { page, close } = await open(running, join(cwd, "some.html"));
  assert.match(await page.locator("#whatif-box").textContent(), /cannot fuse again/);
  await close();
});

test("without WebAssembly the page says so", async () => {
  const { page, events, close } = await open(running, join(cwd, "report.html"),
    { before: () => delete globalThis.WebAssembly });
  await until(page, () => globalThis.crema.whatIf !== undefined);
  assert.match(await page.locator("#whatif-box").textContent(), /needs JavaScript and WebAssembly|cannot fuse again/);
  assert.deepEqual(events, { requests: [], complaints: [], dialogs: 0 });
  await close();
});
