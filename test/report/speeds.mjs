// SPDX-License-Identifier: Apache-2.0
// The numbers of docs/report.md, the best of several runs, since others may be at work: node speeds.mjs
import { statSync } from "node:fs";
import { browser, crema, folder, join, open, remove, until } from "./kit.mjs";

const cwd = folder();
const row = (words, number, unit) => console.log(`${words.padEnd(44)} ${number.toFixed(number < 10 ? 2 : 0)} ${unit}`);

function seconds(...given) {
  return Math.min(...Array.from({ length: 5 }, () => {
    const start = performance.now();
    crema(cwd, ...given, "--force", "-q");
    return (performance.now() - start) / 1000;
  }));
}

function program(words, kind, ...size) {
  crema(cwd, "demo", "-o", kind, "--kind", "lesions", "--raters", "7", ...size);
  const masks = Array.from({ length: 7 }, (_, k) => `${kind}/rater-${k + 1}.nii.gz`);
  const fused = seconds("fuse", ...masks, "-o", "fused.nii.gz");
  row(`${words}: fuse`, fused, "s");
  row(`${words}: what --report adds`, seconds("fuse", ...masks, "-o", "fused.nii.gz", "--report", "page.html") - fused, "s");
  crema(cwd, "report", ...masks, "-o", `${kind}.html`);
  row(`${words}: page with six methods`, statSync(join(cwd, `${kind}.html`)).size / 1e6, "MB");
  return join(cwd, `${kind}.html`);
}

/** In the page: the median over all slices, each at its best. */
function sliceChange() {
  const { views, look } = globalThis.crema;
  const times = Array.from({ length: views[0].plane.count }, (_, index) => Math.min(...[1, 2, 3].map((shift) => {
    look.at[views[0].plane.axis] = (index + shift) % views[0].plane.count;
    for (const view of views) view.draw();
    look.at[views[0].plane.axis] = index;
    const start = performance.now();
    for (const view of views) view.draw();
    return performance.now() - start;
  })));
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
}

/** In the page: from one decision to the next, all planes drawn; the median. */
function nextDecision() {
  const { views, desk } = globalThis.crema;
  const times = desk.items.map((_, n) => {
    const start = performance.now();
    desk.go(n);
    for (const view of views) view.draw();
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
}

/** In the page: from the button to the first picture of the solid. */
async function firstSolid() {
  const { solid } = globalThis.crema;
  const start = performance.now();
  solid.toggle();
  while (!solid.drawnAt) await new Promise((done) => setTimeout(done, 2));
  return solid.drawnAt - start;
}

/** In the page: each rater is left out once. */
async function oneRaterLess() {
  if (!globalThis.crema.whatIf) return NaN;
  const times = [];
  for (const rater of "0123456") {
    const start = performance.now();
    await globalThis.crema.whatIf.engine.ask({ method: "jaccard", without: rater });
    times.push(performance.now() - start);
  }
  return Math.min(...times);
}

async function inBrowser(running, words, path) {
  const ready = [];
  for (let n = 0; n < 5; ++n) {
    const { page, close } = await open(running, path);
    ready.push(await page.evaluate(() => globalThis.crema.ready));
    await close();
  }
  row(`${words}: usable after opening`, Math.min(...ready), "ms");
  const { page, close } = await open(running, path);
  row(`${words}: a slice change, three planes`, await page.evaluate(sliceChange), "ms");
  row(`${words}: next decision`, await page.evaluate(nextDecision), "ms");
  row(`${words}: first picture in 3-D`, await page.evaluate(firstSolid), "ms");
  await until(page, () => globalThis.crema.whatIf !== undefined);
  row(`${words}: a what-if, one rater less`, await page.evaluate(oneRaterLess), "ms");
  await close();
}

const small = program("lesion phantom, small", "small");
const full = program("lesion phantom, full", "full", "--size", "full");
const brain = program("256 × 256 × 180", "brain", "--size", "256,256,180");
const running = await browser();
await inBrowser(running, "lesion phantom, small", small);
await inBrowser(running, "lesion phantom, full", full);
await inBrowser(running, "256 × 256 × 180", brain);
await running.close();
remove(cwd);
