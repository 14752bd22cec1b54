// SPDX-License-Identifier: Apache-2.0
// The viewer: the image and its window, zoom at the pointer, fingers, and whose line is whose.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { browser, crema, drawn, folder, join, open, phantom, pictures, remove } from "./kit.mjs";

let cwd, names, running, values;

/** An image on the grid of a mask, in 16 bits: −1024 in the first column, then by place, up to 3000. */
function ctOf(mask, path) {
  const bytes = gunzipSync(readFileSync(mask));
  const start = bytes.readFloatLE(108);
  const count = bytes.length - start;
  const made = Buffer.alloc(start + 2 * count);
  bytes.copy(made, 0, 0, start);
  made.writeInt16LE(4, 70);
  made.writeInt16LE(16, 72);
  values = Int16Array.from({ length: count }, (_, v) => (v % 17 === 0 ? -1024 : (v * 7) % 4025 - 1024));
  values.forEach((value, v) => made.writeInt16LE(value, start + 2 * v));
  writeFileSync(path, made);
}

before(async () => {
  cwd = folder();
  names = phantom(cwd);
  ctOf(join(cwd, names[0]), join(cwd, "ct.nii"));
  crema(cwd, "report", ...names, "-o", "ct.html", "-m", "jaccard,dice", "--image", "ct.nii");
  running = await browser();
});

after(async () => {
  await running?.close();
  remove(cwd);
});

test("the image keeps its 16 bits", async () => {
  const { page, events, close } = await open(running, join(cwd, "ct.html"));
  const { codes, scale, low, size, grid } = await page.evaluate(() => {
    const { data } = globalThis.crema;
    return { codes: [...data.grey.subarray(0, 5000)], scale: data.greyScale, low: data.low, size: data.size, grid: data.meta.grid.size };
  });
  assert.equal(scale.step, 1);
  codes.forEach((code, n) => {
    const [x, y, z] = [n % size[0], Math.floor(n / size[0]) % size[1], Math.floor(n / size[0] / size[1])].map((v, a) => v + low[a]);
    assert.equal(scale.low + code, values[(z * grid[1] + y) * grid[0] + x]);
  });
  assert.deepEqual(events, { requests: [], complaints: [], dialogs: 0 });
  await close();
});

const shadeAt = (page, voxel) => page.evaluate((at) => {
  const view = globalThis.crema.views[0];
  const [column, row] = view.plane.cellOf(at);
  return view.beneath.getContext("2d").getImageData(column, row, 1, 1).data[0];
}, voxel);

test("presets, numbers and a drag choose the window, and the image follows", async () => {
  const { page, close } = await open(running, join(cwd, "ct.html"));
  const window = () => page.evaluate(() => globalThis.crema.look.window);
  await page.getByLabel("window of the image").selectOption("CT lung");
  assert.deepEqual(await window(), [-1350, 150]);
  await page.getByLabel("width of the window").fill("1000");
  await page.getByLabel("width of the window").press("Enter");
  assert.deepEqual(await window(), [-1100, -100]);
  assert.equal(await page.getByLabel("window of the image").inputValue(), "own");
  await drawn(page);
  const { at, value } = await page.evaluate(() => {
    const { look, data } = globalThis.crema;
    const [x, y, z] = look.at;
    return { at: look.at, value: data.greyScale.low + data.grey[(z * data.size[1] + y) * data.size[0] + x] };
  });
  const expected = Math.round(255 * Math.min(Math.max((value + 1100) / 1000, 0), 1));
  assert.equal(await shadeAt(page, at), expected);
  const canvas = await page.locator("#viewer canvas").first().boundingBox();
  const cross = await page.evaluate(() => globalThis.crema.look.at);
  await page.mouse.move(canvas.x + 100, canvas.y + 100);
  await page.mouse.down({ button: "right" });
  await page.mouse.move(canvas.x + 180, canvas.y + 160, { steps: 4 });
  await page.mouse.up({ button: "right" });
  const [black, white] = await window();
  assert.ok(white - black > 1400, "to the right it is wider");
  assert.ok((black + white) / 2 > -500, "downwards it is darker");
  assert.deepEqual(await page.evaluate(() => globalThis.crema.look.at), cross, "the crosshair stays");
  await close();
});

test("smoothing is a choice, and nothing is painted over the image by itself", async () => {
  const { page, close } = await open(running, join(cwd, "ct.html"));
  const picture = () => page.evaluate(() => globalThis.crema.views[0].canvas.toDataURL());
  assert.equal(await page.evaluate(() => globalThis.crema.look.paint), "none");
  await drawn(page);
  const sharp = await picture();
  await page.getByLabel("smooth").check();
  await drawn(page);
  assert.notEqual(await picture(), sharp);
  await page.getByLabel("smooth").uncheck();
  await drawn(page);
  assert.equal(await picture(), sharp);
  await page.locator("#look").screenshot({ path: join(pictures, "viewer-image.png") });
  await close();
});

/** The place of the box that a pointer on the first plane is over, whole or not. */
const beneath = (page, x, y) => page.evaluate(([clientX, clientY]) => {
  const view = globalThis.crema.views[0];
  const [px, py] = view.pixelOf({ clientX, clientY });
  return [(px - view.left) / (view.scale * view.plane.cell[0]), (py - view.top) / (view.scale * view.plane.cell[1])];
}, [x, y]);

test("Ctrl and the wheel zoom where the pointer is", async () => {
  const { page, close } = await open(running, join(cwd, "ct.html"));
  await drawn(page);
  const box = await page.locator("#viewer canvas").first().boundingBox();
  const [x, y] = [box.x + 0.3 * box.width, box.y + 0.6 * box.height].map(Math.round);
  await page.mouse.move(x, y);
  const before = await beneath(page, x, y);
  await page.keyboard.down("Control");
  for (let n = 0; n < 5; ++n) await page.mouse.wheel(0, -100);
  await page.keyboard.up("Control");
  await drawn(page);
  assert.ok(await page.evaluate(() => globalThis.crema.look.zoom > 2.5));
  (await beneath(page, x, y)).forEach((v, n) => assert.ok(Math.abs(v - before[n]) < 0.01, `${v}, not ${before[n]}`));
  await close();
});

test("a finger changes the slice, two zoom", async () => {
  const { page, close } = await open(running, join(cwd, "ct.html"), { hasTouch: true, viewport: { width: 500, height: 900 } });
  await page.locator("#viewer canvas").first().scrollIntoViewIfNeeded();
  const box = await page.locator("#viewer canvas").first().boundingBox();
  const wire = await page.context().newCDPSession(page);
  const touch = (type, ...points) => wire.send("Input.dispatchTouchEvent",
    { type, touchPoints: points.map(([x, y], id) => ({ x: box.x + x, y: box.y + y, id })) });
  const index = () => page.evaluate(() => globalThis.crema.views[0].index);
  const start = await index();
  await touch("touchStart", [120, 200]);
  for (let y = 190; y >= 150; y -= 10) await touch("touchMove", [120, y]);
  await touch("touchEnd");
  assert.ok((await index()) > start + 1, "upwards is onwards");
  await touch("touchStart", [150, 150], [200, 150]);
  for (let d = 5; d <= 60; d += 5) await touch("touchMove", [150 - d, 150], [200 + d, 150]);
  await touch("touchEnd");
  const zoom = await page.evaluate(() => globalThis.crema.look.zoom);
  assert.ok(zoom > 2 && zoom < 5, `zoom ${zoom}`);
  await close();
});

test("the read-out keeps its height, whatever is pointed at", async () => {
  const { page, close } = await open(running, join(cwd, "ct.html"));
  const height = async (voxel) => {
    await page.evaluate((at) => globalThis.crema.look.set({ hover: at }), voxel);
    return (await page.locator("#voxel").boundingBox()).height;
  };
  const at = await page.evaluate(() => globalThis.crema.look.at);
  assert.equal(await height([0, 0, 0]), await height(at));
  await close();
});

/** How many pixels of the first plane have about that colour. */
const coloured = (page, colour) => page.evaluate((text) => {
  const { canvas } = globalThis.crema.views[0];
  const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  const wanted = [1, 3, 5].map((n) => parseInt(text.slice(n, n + 2), 16));
  let count = 0;
  for (let i = 0; i < pixels.length; i += 4)
    if (wanted.reduce((sum, v, n) => sum + Math.abs(pixels[i + n] - v), 0) < 12) ++count;
  return count;
}, colour);

test("more than eight raters are grey until one is pointed at", async () => {
  const many = Array.from({ length: 10 }, (_, k) => `many/rater-${k + 1}.nii.gz`);
  crema(cwd, "demo", "-o", "many", "--kind", "lesions", "--raters", "10");
  crema(cwd, "report", ...many, "-o", "many.html", "-m", "jaccard");
  const { page, close } = await open(running, join(cwd, "many.html"));
  await page.evaluate(() => globalThis.crema.look.set({ paint: "none" }));
  const colour = await page.evaluate(() => globalThis.crema.data.raters[2].colour);
  await drawn(page);
  assert.equal(await coloured(page, colour), 0);
  await page.locator("label.rater", { has: page.locator("input[data-rater='2']") }).hover();
  await drawn(page);
  assert.ok((await coloured(page, colour)) > 20);
  await page.mouse.move(1, 1);
  await page.locator("input[data-rater='2']").focus();
  await drawn(page);
  assert.ok((await coloured(page, colour)) > 20, "by the keyboard");
  await close();
});

test("swatches show the dash, and the consensus of the page is drawn over other methods", async () => {
  const { page, close } = await open(running, join(cwd, "ct.html"));
  const dashes = await page.evaluate(() => globalThis.crema.data.raters.map((rater) => rater.dash));
  const shown = await page.locator("label.rater .sample path").evaluateAll((all) => all.map((one) => one.getAttribute("stroke-dasharray") ?? ""));
  assert.deepEqual(shown, dashes);
  const both = async (lines) => {
    await page.evaluate((on) => globalThis.crema.look.set({ raters: globalThis.crema.look.raters.map(() => false), lines: on }), lines);
    await drawn(page);
    return coloured(page, "#1c120b");
  };
  const alone = await both([true, false]);
  assert.ok(alone > 50);
  assert.equal(await both([true, true]), alone, "nothing of the main line is hidden");
  await close();
});

test("the scale is seen on a black image, too", async () => {
  const { page, close } = await open(running, join(cwd, "ct.html"), { colorScheme: "light" });
  await page.evaluate(() => globalThis.crema.look.set({ window: [1e5, 2e5], lines: [false, false], raters: globalThis.crema.look.raters.map(() => false) }));
  await drawn(page);
  const column = await page.evaluate(() => {
    const { canvas } = globalThis.crema.views[0];
    const pixels = canvas.getContext("2d").getImageData(30 * devicePixelRatio, canvas.height - 14 * devicePixelRatio, 1, 12 * devicePixelRatio).data;
    return Array.from({ length: pixels.length / 4 }, (_, n) => pixels[4 * n + 1]);
  });
  assert.ok(Math.max(...column) > 150, `the greens from above are ${column}`);
  await close();
});
