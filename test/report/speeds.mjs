// SPDX-License-Identifier: Apache-2.0
// The numbers of docs/report.md, the best of several runs, since others may be at work: node speeds.mjs
import { statSync } from "node:fs";
import { browser, crema, folder, join, open, remove, until } from "./kit.mjs";

const cwd = folder();
const tell = (words, number, unit) => console.log(`${words.padEnd(44)} ${number.toFixed(number < 10 ? 2 : 0)} ${unit}`);

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
  tell(`${words}: fuse`, fused, "s");
  tell(`${words}: what --report adds`, seconds("fuse", ...masks, "-o", "fused.nii.gz", "--report", "page.html") - fused, "s");
  crema(cwd, "report", ...masks, "-o", `${kind}.html`);
  tell(`${words}: page with six methods`, statSync(join(cwd, `${kind}.html`)).size / 1e6, "MB");
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

/** In the page: each rater is left out once. */
function oneRaterLess() {
  return Math.min(...[..."0123456"].map((rater) => {
    const start = performance.now();
    globalThis.crema.whatIf?.engine.ask({ method: "jaccard", without: rater });
    return performance.now() - start;
  }));
}

async function inBrowser(running, words, path) {
  const ready = [];
  for (let n = 0; n < 5; ++n) {
    const { page, close } = await open(running, path);
    ready.push(await page.evaluate(() => globalThis.crema.ready));
    await close();
  }
  tell(`${words}: usable after opening`, Math.min(...ready), "ms");
  const { page, close } = await open(running, path);
  tell(`${words}: a slice change, three planes`, await page.evaluate(sliceChange), "ms");
  await until(page, () => globalThis.crema.whatIf !== undefined);
  tell(`${words}: a what-if, one rater less`, await page.evaluate(oneRaterLess), "ms");
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
