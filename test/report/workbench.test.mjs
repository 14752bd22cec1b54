// SPDX-License-Identifier: Apache-2.0
// What surrounds the planes: the solid, the list of decisions, and the labels beside the one that is shown.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertOpen, nameOf, screens } from "./form.mjs";
import { browser, crema, drawn, folder, join, labelMaps, open, phantom, readNifti, remove, until } from "./kit.mjs";

let cwd, names, maps, running;

before(async () => {
  cwd = folder();
  names = phantom(cwd);
  maps = labelMaps(cwd, names);
  crema(cwd, "report", ...names, "-o", "mask.html", "-m", "jaccard");
  crema(cwd, "report", ...maps, "--labels", "all", "-o", "labels.html", "-m", "jaccard");
  running = await browser();
});

after(async () => {
  await running?.close();
  remove(cwd);
});

async function openSolid(path, options = {}) {
  const opened = await open(running, join(cwd, path), options);
  await opened.page.locator("#solid-button").click();
  await until(opened.page, () => globalThis.crema.solid.drawnAt || globalThis.crema.solid.note.textContent);
  return opened;
}

/** How many pixels of the solid are not clear, and where in the window one of them is. */
const pixels = (page) => page.evaluate(() => {
  const { solid } = globalThis.crema;
  solid.draw();
  const copy = Object.assign(document.createElement("canvas"), { width: solid.canvas.width, height: solid.canvas.height });
  const context = copy.getContext("2d");
  context.drawImage(solid.canvas, 0, 0);
  const bytes = context.getImageData(0, 0, copy.width, copy.height).data;
  const found = [];
  for (let n = 3; n < bytes.length; n += 4) if (bytes[n] === 255) found.push((n - 3) / 4);
  const frame = solid.canvas.getBoundingClientRect();
  const one = found[Math.floor(found.length / 2)];
  return { count: found.length, x: frame.left + (one % copy.width) / devicePixelRatio, y: frame.top + Math.floor(one / copy.width) / devicePixelRatio };
});

test("the consensus is a solid with the raters around it, and a click on it moves the planes there", async () => {
  const { page, events, close } = await openSolid("mask.html");
  await page.locator(".solid").scrollIntoViewIfNeeded();
  const raters = await page.evaluate(() => globalThis.crema.data.raters.length);
  await until(page, () => globalThis.crema.solid.made.size === 6);
  assert.equal(raters, 5);
  assert.match(await page.locator(".solid .note").textContent(), /^[\d\u202f]+ faces$/);
  const { count, x, y } = await pixels(page);
  assert.ok(count > 200, `${count} pixels`);
  await page.mouse.click(x, y);
  const at = await page.evaluate(() => {
    const { look, data } = globalThis.crema;
    return data.methods[0].levelAt(data.rowOf, (look.at[2] * data.size[1] + look.at[1]) * data.size[0] + look.at[0]);
  });
  assert.equal(at, 1, "the crosshair is not in the consensus");
  const before = await page.evaluate(() => globalThis.crema.solid.orbit.turn.flat());
  await page.locator(".solid canvas").first().focus();
  await page.keyboard.press("ArrowLeft");
  assert.notDeepEqual(await page.evaluate(() => globalThis.crema.solid.orbit.turn.flat()), before);
  await page.keyboard.press("0");
  assert.deepEqual(await page.evaluate(() => globalThis.crema.solid.orbit.turn.flat()), [1, 0, 0, 0, 0, 1, 0, -1, 0]);
  await page.locator("#solid-button").click();
  assert.equal(await page.locator(".solid").isVisible(), false);
  assert.deepEqual(events.requests, []);
  assert.deepEqual(events.complaints.filter((words) => !/GPU stall/.test(words)), []);
  await close();
});

test("as many faces as voxels have sides to the outside", async () => {
  const { page, close } = await openSolid("mask.html");
  crema(cwd, "fuse", ...names, "-o", "fused.nii", "--force", "-q");
  const { size, at } = readNifti(join(cwd, "fused.nii"));
  const has = (x, y, z) => x >= 0 && y >= 0 && z >= 0 && x < size[0] && y < size[1] && z < size[2] && at(x, y, z) === 1;
  let sides = 0;
  for (let z = 0; z < size[2]; ++z)
    for (let y = 0; y < size[1]; ++y)
      for (let x = 0; x < size[0]; ++x)
        if (has(x, y, z)) for (const [i, j, k] of [[1, 0, 0], [0, 1, 0], [0, 0, 1]]) sides += !has(x + i, y + j, z + k) + !has(x - i, y - j, z - k);
  assert.equal(await page.evaluate(() => globalThis.crema.solid.quads), sides);
  await close();
});

test("without WebGL2 the page says so, and the planes go on", async () => {
  const { page, events, close } = await openSolid("mask.html", {
    before: () => {
      const own = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function getContext(kind, ...more) {
        return kind === "webgl2" ? null : own.call(this, kind, ...more);
      };
    },
  });
  assert.match(await page.locator(".solid").textContent(), /no WebGL2/);
  assert.equal(await page.locator(".solid canvas").first().isVisible(), false);
  await page.locator("#viewer .plane:not(.solid) .along input").first().fill("3");
  assert.deepEqual(events, { requests: [], complaints: [], dialogs: 0 });
  await close();
});

test("decisions are sifted and sorted, and each has a dot for each rater", async () => {
  const { page, close } = await open(running, join(cwd, "mask.html"));
  const items = await page.evaluate(() => globalThis.crema.desk.items);
  const ranks = () => page.locator("#desk .queue li button > span:first-child").allTextContents().then((all) => all.map((text) => Number(text) - 1));
  for (const reason of ["flips", "left_out", "zone"]) {
    await page.getByLabel("decisions that are listed").selectOption(reason);
    const wanted = items.filter((item) => item.reason === reason);
    assert.deepEqual(await ranks(), wanted.map((item) => item.rank), reason);
  }
  await page.getByLabel("decisions that are listed").selectOption("all");
  await page.getByLabel("order of the decisions").selectOption("size");
  const sizes = (await ranks()).map((rank) => items[rank].voxels);
  assert.deepEqual(sizes, [...sizes].sort((a, b) => b - a));
  const masks = names.map((name) => readNifti(join(cwd, name)));
  const first = page.locator("#desk .queue li").first().locator(".dots i");
  assert.equal(await first.count(), masks.length);
  const item = items[(await ranks())[0]];
  const filled = await first.evaluateAll((dots) => dots.flatMap((dot, k) => (dot.classList.contains("on") ? [k] : [])));
  assert.deepEqual(filled, item.drawn);
  // Who drew the voxel in its middle is among them.
  masks.forEach((mask, k) => assert.ok(!mask.at(...item.at) || filled.includes(k)));
  await page.locator("h1").click();
  await page.keyboard.press("n");
  const order = await ranks();
  assert.equal(await page.evaluate(() => globalThis.crema.desk.now), order[0]);
  await page.keyboard.press("n");
  assert.equal(await page.evaluate(() => globalThis.crema.desk.now), order[1]);
  await page.getByLabel("decisions that are listed").selectOption("open");
  await page.locator("h1").click();
  await page.keyboard.press("a");
  assert.equal((await ranks()).length, items.length - 1);
  await close();
});

test("who calls a voxel what is what the label maps say", async () => {
  const { page, close } = await open(running, join(cwd, "labels.html"));
  await until(page, () => globalThis.crema.labels.list.every(Boolean));
  const files = maps.map((name) => readNifti(join(cwd, name)));
  const at = await page.evaluate(() => globalThis.crema.look.at.map((v, a) => v + globalThis.crema.data.low[a]));
  const calls = await page.evaluate((voxel) => globalThis.crema.labels.callsAt(voxel), at);
  const expected = [1, 2].flatMap((label, number) => {
    const raters = files.flatMap((file, k) => (file.at(...at) === label ? [k] : []));
    return raters.length ? [[number, raters]] : [];
  });
  assert.ok(expected.length > 0);
  assert.deepEqual(calls.map(({ number, raters }) => [number, raters]), expected);
  assert.match(await page.locator("#voxel").textContent(), /labels.*label 1/);
  await close();
});

test("an eye that is closed takes a label from the picture", async () => {
  const { page, events, close } = await open(running, join(cwd, "labels.html"));
  await until(page, () => globalThis.crema.labels.list.every(Boolean));
  const seen = () => page.evaluate(() => globalThis.crema.labels.seen().map(([n]) => n));
  assert.deepEqual(await seen(), [1]);
  const eye = page.locator("#chooser .eye input");
  assert.equal(await eye.count(), 2);
  await eye.nth(1).uncheck();
  assert.deepEqual(await seen(), []);
  await page.locator("#chooser button").nth(1).click();
  await until(page, () => globalThis.crema.number === 1);
  assert.deepEqual(await seen(), [0]);
  assert.deepEqual(events, { requests: [], complaints: [], dialogs: 0 });
  await close();
});

for (const screen of screens.filter(({ colorScheme }) => colorScheme === "dark"))
  test(`axe-core finds nothing beside an open solid, ${nameOf(screen)}`, async () => {
    const { page, close } = await openSolid("labels.html", screen);
    await drawn(page);
    await assertOpen(page, `solid-${nameOf(screen)}`);
    await close();
  });
