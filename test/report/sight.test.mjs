// SPDX-License-Identifier: Apache-2.0
// What is seen of a decision before it is taken.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browser, crema, drawn, folder, join, open, phantom, pictures, remove } from "./kit.mjs";

let cwd, running;

before(async () => {
  cwd = folder();
  crema(cwd, "report", ...phantom(cwd), "-o", "desk.html", "-m", "jaccard");
  running = await browser();
});

after(async () => {
  await running.close();
  remove(cwd);
});

const progress = (page) => page.locator("#desk .progress").textContent();

/** Each test has a memory of its own. */
const fresh = () => open(running, join(cwd, "desk.html"));

test("a key decides nothing while the viewer is out of sight: it leads there", async () => {
  const { page, close } = await fresh();
  await page.keyboard.press("n");
  const away = () => page.evaluate(() => document.querySelector("footer").scrollIntoView({ behavior: "instant" }));
  const top = () => page.evaluate(() => globalThis.crema.views[0].canvas.getBoundingClientRect().top);
  await away();
  await page.keyboard.press("r");
  assert.match(await progress(page), /^0 of/);
  assert.match(await page.locator("#desk").textContent(), /press the same key again to decide/);
  assert.ok(await top() >= 0);
  await page.keyboard.press("r");
  assert.match(await progress(page), /^1 of/);
  await away();
  await page.keyboard.press("n");
  assert.ok(await top() >= 0);
  await close();
});

test("a place is outlined outside of its lines, with room around it, and its component is named and marked in the table", async () => {
  const { page, close } = await fresh();
  const count = await page.evaluate(() => globalThis.crema.desk.items.length);
  for (let n = 0; n < count; ++n) {
    await page.keyboard.press("n");
    await drawn(page);
    const found = await page.evaluate(() => {
      const { views: [view], look, desk, data } = globalThis.crema;
      const { canvas, plane, scale, left, top, index } = view;
      const probe = new OffscreenCanvas(1, 1).getContext("2d");
      probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--accent");
      probe.fillRect(0, 0, 1, 1);
      const [red, green, blue] = probe.getImageData(0, 0, 1, 1).data;
      const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
      const outlined = { inside: 0, outside: 0 };
      for (let p = 0; p < pixels.length; p += 4) {
        if (pixels[p] !== red || pixels[p + 1] !== green || pixels[p + 2] !== blue) continue;
        const column = Math.floor(((p / 4) % canvas.width - left) / (scale * plane.cell[0]));
        const row = Math.floor((Math.floor(p / 4 / canvas.width) - top) / (scale * plane.cell[1]));
        const within = column >= 0 && row >= 0 && column < plane.columns && row < plane.rows;
        ++outlined[within && look.focus[plane.place(index, column, row)] ? "inside" : "outside"];
      }
      const item = desk.items[desk.now];
      return { outlined, words: document.querySelector(".controls .which").textContent, component: item.component + 1, all: data.meta.components.length,
        marked: [...document.querySelectorAll("#components tr.here a")].map((link) => link.textContent),
        seen: Math.min(canvas.width / scale, canvas.height / scale) / Math.min(...data.spacing) };
    });
    // Where two parts of a place touch at a corner the line of one reaches into the other.
    assert.ok(found.outlined.outside > 20 && 8 * found.outlined.inside < found.outlined.outside, JSON.stringify(found.outlined));
    assert.ok(found.seen >= 15.9, `${found.seen} voxels are seen`);
    assert.equal(found.words, `component ${found.component} of ${found.all}`);
    assert.deepEqual(found.marked, [String(found.component)]);
  }
  await page.screenshot({ path: join(pictures, "desk-outline.png") });
  await close();
});

for (const width of [1500, 1050, 820, 600])
  test(`nothing lies over what is pressed and chosen in a window ${width} wide`, async () => {
    const { page, close } = await open(running, join(cwd, "desk.html"), { viewport: { width, height: 800 } });
    const covered = await page.evaluate(() => [...document.querySelectorAll("#desk :is(button, input, select), .side :is(button, input, select)")]
      .filter((one) => one.checkVisibility() && !one.closest(".queue")).flatMap((one) => {
        one.scrollIntoView({ block: "end", behavior: "instant" });
        const { left, top, width: wide, height } = one.getBoundingClientRect();
        const above = document.elementFromPoint(left + wide / 2, top + height / 2);
        return above && (one.contains(above) || above.contains(one)) ? [] : [one.outerHTML.slice(0, 80)];
      }));
    assert.deepEqual(covered, []);
    await close();
  });

test("the first key brings all planes into the window, and the last decision says what to do next", async () => {
  const { page, close } = await fresh();
  await page.keyboard.press("n");
  const { frames, height } = await page.evaluate(() => ({ height: innerHeight,
    frames: globalThis.crema.views.map((view) => view.canvas.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom]) }));
  for (const [top, bottom] of frames) assert.ok(top >= 0 && bottom <= height, `${frames}`);
  const hint = page.locator("#desk .hint");
  // Zones of a component that is decided need no decision: the total falls on the way.
  for (let [done, all] = [0, 1]; done < all; [done, all] = (await progress(page)).match(/\d+/g).map(Number)) {
    assert.equal(await hint.textContent(), "");
    await page.keyboard.press("m");
  }
  assert.match(await hint.textContent(), /^All decided: save/);
  const { top, bottom } = await hint.evaluate((one) => one.getBoundingClientRect());
  assert.ok(top >= 0 && bottom <= height);
  await page.keyboard.press("u");
  assert.equal(await hint.textContent(), "");
  await close();
});

test("a flat image that is zoomed has the room of the planes that it lacks", async () => {
  crema(cwd, "demo", "-o", "flat", "--kind", "lesions", "--raters", "3", "--size", "120,40,1");
  crema(cwd, "report", ...[1, 2, 3].map((k) => `flat/rater-${k}.nii.gz`), "-o", "flat.html", "-m", "jaccard");
  const { page, close } = await open(running, join(cwd, "flat.html"));
  const { width, height } = await page.locator("#viewer canvas").boundingBox();
  assert.ok(height > 0.7 * width, `${width} × ${height}`);
  await close();
});
