// SPDX-License-Identifier: Apache-2.0
// What the page finds again is what the program finds, voxel for voxel.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browser, crema, drawn, folder, join, open, phantom, pictures, readNifti, remove, until } from "./kit.mjs";

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

for (const [settings, flags] of cases)
  test(`what if ${JSON.stringify(settings)}`, async (context) => {
    if (!able) return context.skip("the program was built without emscripten");
    const out = (settings.without ?? "").split(",");
    crema(cwd, "fuse", ...names.filter((_, k) => !out.includes(String(k))), ...flags, "-o", "fused.nii.gz", "--force");
    const fused = readNifti(join(cwd, "fused.nii.gz"));
    const { page } = opened;
    const { low, size, levels, took } = await page.evaluate((asked) => {
      const { data, whatIf } = globalThis.crema;
      const start = performance.now();
      const answer = whatIf.engine.ask(asked);
      return { low: data.low, size: data.size, levels: [...answer.levels], took: performance.now() - start };
    }, settings);
    console.log(`${JSON.stringify(settings)}: ${took.toFixed(0)} ms`);
    let place = 0;
    for (let z = 0; z < size[2]; ++z)
      for (let y = 0; y < size[1]; ++y)
        for (let x = 0; x < size[0]; ++x, ++place)
          assert.equal(levels[place], fused.at(x + low[0], y + low[1], z + low[2]), `at ${x}, ${y}, ${z}`);
  });

test("leaving a rater out is followed by viewer and table", async (context) => {
  if (!able) return context.skip("the program was built without emscripten");
  const { page, heard } = opened;
  await page.locator("#whatif select").first().selectOption("out");
  await drawn(page);
  assert.match(await page.locator("#whatif-outcome").textContent(), /^4 raters: \d+ of \d+ components kept/);
  assert.ok((await page.locator("#whatif-components tbody tr").count()) > 3);
  assert.equal(await page.evaluate(() => globalThis.crema.data.methods.at(-1).name), "what if");
  assert.ok(await page.locator("input[data-method='what if']").isChecked());
  await page.locator("#whatif").screenshot({ path: join(pictures, "whatif.png") });
  assert.deepEqual(heard, { requests: [], complaints: [], dialogs: 0 });
});

test("a page says why it cannot fuse again", async () => {
  crema(cwd, "report", ...names, "-o", "some.html", "--slices", "z=3:6");
  const { page, close } = await open(running, join(cwd, "some.html"));
  assert.match(await page.locator("#whatif-box").textContent(), /cannot fuse again/);
  await close();
});
