// SPDX-License-Identifier: Apache-2.0
// The program, its pages in a browser, and masks read without it.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import playwright, { chromium } from "playwright-core";

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--use-gl=angle", "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader"];

/** How long anything may take, in milliseconds: machines are slow, and others are at work on them. */
const PATIENCE = 150000;

export const pictures = join(process.cwd(), "pictures");
mkdirSync(pictures, { recursive: true });

export function folder() {
  return mkdtempSync(join(tmpdir(), "crema-report-"));
}

export function remove(path) {
  rmSync(path, { recursive: true, force: true });
}

export function crema(cwd, ...given) {
  return execFileSync(process.env.CREMA, given, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** A made-up case: the names of its masks, in a folder of its own. */
export function phantom(cwd, kind = "lesions", ...more) {
  crema(cwd, "demo", "-o", "case", "--kind", kind, "--raters", "5", ...more);
  return [1, 2, 3, 4, 5].map((k) => `case/rater-${k}.nii.gz`);
}

/** The same case as label maps: what lies to the left is label 1, what lies to the right label 2. */
export function labelMaps(cwd, masks = phantom(cwd)) {
  mkdirSync(join(cwd, "labels"));
  return masks.map((name, k) => {
    const bytes = gunzipSync(readFileSync(join(cwd, name)));
    const start = bytes.readFloatLE(108);
    const across = bytes.readInt16LE(42);
    for (let v = 0; start + v < bytes.length; ++v) if (bytes[start + v] && v % across >= across / 2) bytes[start + v] = 2;
    writeFileSync(join(cwd, "labels", `rater-${k + 1}.nii`), bytes);
    return `labels/rater-${k + 1}.nii`;
  });
}

/** The same case as maps of levels in steps of 1/255, which are those that a page keeps: high in a mask, low around it. */
export function levelMaps(cwd, masks = phantom(cwd)) {
  const given = masks.map((name) => gunzipSync(readFileSync(join(cwd, name))));
  const start = given[0].readFloatLE(108);
  const marked = (bytes, v) => v >= start && bytes[v] > 0;
  return given.map((own, k) => {
    const bytes = Buffer.alloc(start + 4 * (own.length - start));
    own.copy(bytes, 0, 0, start);
    bytes.writeInt16LE(16, 70);
    bytes.writeInt16LE(32, 72);
    for (let v = start; v < own.length; ++v) {
      const near = marked(own, v - 1) || marked(own, v + 1) || given.some((other) => marked(other, v));
      const step = marked(own, v) ? 128 + ((7 * v + 31 * k) % 128) : near ? 13 + ((13 * v + 17 * k) % 115) : 0;
      bytes.writeFloatLE(step / 255, start + 4 * (v - start));
    }
    writeFileSync(join(cwd, `levels-${k}.nii`), bytes);
    return `levels-${k}.nii`;
  });
}

export function copyAs(cwd, from, to) {
  cpSync(join(cwd, from), join(cwd, to));
  return to;
}

/** A NIfTI file of 8-bit or 32-bit float voxels, plain or gzipped. */
export function readNifti(path) {
  let bytes = readFileSync(path);
  if (bytes[0] === 0x1f) bytes = gunzipSync(bytes);
  const size = [1, 2, 3].map((n) => bytes.readInt16LE(40 + 2 * n));
  const type = bytes.readInt16LE(70);
  const start = bytes.readFloatLE(108);
  const count = size[0] * size[1] * size[2];
  const voxels = type === 16
    ? Float32Array.from({ length: count }, (_, i) => bytes.readFloatLE(start + 4 * i))
    : Uint8Array.from(bytes.subarray(start, start + count));
  return { size, voxels, at: (x, y, z) => voxels[(z * size[1] + y) * size[0] + x] };
}

export async function browser() {
  return chromium.launch({ executablePath: process.env.CHROMIUM, args: FLAGS, timeout: PATIENCE });
}

/** Debian's Firefox, by WebDriver BiDi: what Playwright calls Firefox is a browser of its own. */
export async function firefox() {
  return playwright._bidiFirefox.launch({ executablePath: process.env.FIREFOX, timeout: PATIENCE });
}

/** Opens a page by file:// and listens: what it asked for and complained of. `before` runs ahead of its script. */
export async function open(running, path, options = {}) {
  const { wait = true, before = null, ...context } = options;
  const made = await running.newContext({ viewport: { width: 1280, height: 900 }, ...context });
  made.setDefaultTimeout(PATIENCE);
  const page = await made.newPage();
  if (before) await page.addInitScript(before);
  const events = { requests: [], complaints: [], dialogs: 0 };
  const address = pathToFileURL(path).href;
  page.on("request", (request) => {
    const asked = request.url();
    if (asked.split("#")[0] !== address && !/^(data|blob):/.test(asked)) events.requests.push(asked);
  });
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) events.complaints.push(message.text());
  });
  page.on("pageerror", (error) => events.complaints.push(error.message));
  page.on("dialog", (dialog) => {
    ++events.dialogs;
    dialog.dismiss();
  });
  await page.goto(address);
  if (wait) await until(page, () => globalThis.crema?.views[0].scale > 0);
  return { page, events, close: () => made.close() };
}

/** Waits for something to come true in the page, and tells it; Playwright's own way would take `eval`, which pages forbid. */
export async function until(page, test, given) {
  for (const end = Date.now() + PATIENCE; Date.now() < end; await new Promise((done) => setTimeout(done, 30))) {
    const found = await page.evaluate(test, given);
    if (found) return found;
  }
  throw new Error(`never came true: ${test}`);
}

const wires = new WeakMap();

/** Seconds of the processor that the page's own thread has taken since this was asked first: what others do on the machine is not in them. */
export async function processorTime(page) {
  if (!wires.has(page)) {
    const wire = await page.context().newCDPSession(page);
    await wire.send("Performance.enable", { timeDomain: "threadTicks" });
    wires.set(page, wire);
  }
  const { metrics } = await wires.get(page).send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration").value;
}

/** Waits for the answer to a what-if. */
export async function answered(page) {
  await until(page, () => document.getElementById("whatif-busy")?.hidden !== false);
}

/** Lets what was asked for be drawn. */
export async function drawn(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** The levels that a page keeps in `globalThis.levels`, as letters: a list of numbers takes seconds. */
export async function levelsOf(page) {
  const letters = await page.evaluate(() => {
    const bytes = new Uint8Array(Float32Array.from(globalThis.levels).buffer);
    let text = "";
    for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
    return btoa(text);
  });
  const bytes = Uint8Array.from(Buffer.from(letters, "base64"));
  return new Float32Array(bytes.buffer);
}

/** Where levels of a box first differ from those of an image; null where they do not. */
export function firstDifference(levels, { low, size }, image, tolerance = 0) {
  let place = 0;
  for (let z = 0; z < size[2]; ++z)
    for (let y = 0; y < size[1]; ++y)
      for (let x = 0; x < size[0]; ++x, ++place) {
        const expected = image.at(x + low[0], y + low[1], z + low[2]);
        if (!(Math.abs(levels[place] - expected) <= tolerance)) return `${x}, ${y}, ${z}: ${levels[place]}, not ${expected}`;
      }
  return place === levels.length ? null : `${levels.length} levels`;
}

export { join, writeFileSync };
