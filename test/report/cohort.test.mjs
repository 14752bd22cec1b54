// SPDX-License-Identifier: Apache-2.0
// The page of a cohort as people use it: opened from the disk, sorted, searched, followed to a case.
import assert from "node:assert/strict";
import { existsSync, statSync } from "node:fs";
import { after, before, test } from "node:test";
import { assertOpen, assertValid, nameOf, screens } from "./form.mjs";
import { browser, crema, drawn, folder, join, open, pictures, processorTime, remove, until, writeFileSync } from "./kit.mjs";

const HOSTILE = ["<script>alert(1)</script>", "\"><img src=x onerror=alert(2)>", "\u202egnp.exe", "a&b 'c' %41/..#?"];
const RATERS = ["anna", "b\"en", "<i>carl</i>"];
let cwd, running;

const masks = (n) => [1, 2, 3].map((k) => `seed${n}/rater-${k}.nii.gz`);

function manifest(name, rows) {
  const quoted = rows.map((row) => row.map((field) => `"${field.replaceAll("\"", "\"\"")}"`).join("\t"));
  writeFileSync(join(cwd, name), ["case\trater\tpath", ...quoted].join("\n") + "\n");
  return name;
}

/** Exit code 5, since some cases fail, is no mistake here. */
function run(...given) {
  try {
    crema(cwd, "cohort", "run", ...given);
  } catch (error) {
    if (error.status !== 5) throw error;
  }
}

before(async () => {
  cwd = folder();
  for (let n = 1; n <= 8; ++n)
    crema(cwd, "demo", "-o", `seed${n}`, "--kind", "lesions", "--size", "24,24,12", "--raters", "3", "--seed", String(n));
  writeFileSync(join(cwd, "odd.nii.gz"), "no mask at all");
  const rows = [...HOSTILE, "case10", "case9", "case8"].flatMap((name, n) =>
    masks(n + 1).map((path, k) => [name, RATERS[k], path]));
  rows.push(["lacking", RATERS[0], "seed1/rater-1.nii.gz"], ["lacking", RATERS[1], "seed2/rater-2.nii.gz"]);
  rows.push(["broken<b>", RATERS[0], "seed1/rater-1.nii.gz"], ["broken<b>", RATERS[1], "odd.nii.gz"]);
  run(manifest("few.tsv", rows), "-o", "few", "--methods", "jaccard,majority,staple", "--report");
  const many = Array.from({ length: 1000 }, (_, n) =>
    masks(n % 8 + 1).map((path, k) => [`case${String(n).padStart(4, "0")}`, RATERS[(k + n % 7 % 3) % 3], path])).flat();
  run(manifest("many.tsv", many), "-o", "many", "--no-surfaces", "--no-images");
  running = await browser();
});

after(async () => {
  await running?.close();
  remove(cwd);
});

async function cohort(name, options = {}) {
  const opened = await open(running, join(cwd, name, "cohort.html"), { wait: false, ...options });
  if (options.javaScriptEnabled !== false) await until(opened.page, () => !document.getElementById("find").hidden);
  return opened;
}

const shown = (page) => page.locator("#cases tbody tr:visible th").allTextContents();

test("opens from the disk without a request, a complaint or a dialog, whatever cases are called", async () => {
  const { page, events, close } = await cohort("few");
  assert.deepEqual(events, { requests: [], complaints: [], dialogs: 0 });
  const names = await shown(page);
  assert.equal(names.length, 9);
  assert.ok(names.includes(HOSTILE[0]) && names.includes(HOSTILE[1]));
  assert.equal(names.some((name) => name.includes("\u202e")), false);
  assert.equal(await page.locator("main img:not(.thumbnail), main script, main i").count(), 0);
  await close();
});

test("failed cases are shown with their reasons", async () => {
  const { page, close } = await cohort("few");
  assert.match(await page.locator("#failures tbody").textContent(), /broken<b>.*input.*odd\.nii\.gz/s);
  assert.match(await page.locator("#verdict").textContent(), /8 of 9 cases are done, 1 failed/);
  await close();
});

test("heads sort, numbers as numbers and what is missing last", async () => {
  const { page, close } = await cohort("few");
  const head = (n) => page.locator("#cases thead button").nth(n);
  await head(0).click();
  const names = (await shown(page)).filter((name) => name.startsWith("case"));
  assert.deepEqual(names, ["case8", "case9", "case10"]);
  const values = () => page.locator("#cases tbody tr td:nth-child(9)").allTextContents();
  await head(8).click();
  const rising = await values();
  assert.equal(rising.at(-1), "–");
  const numbers = rising.slice(0, -1).map(Number);
  assert.deepEqual(numbers, [...numbers].sort((a, b) => a - b));
  await head(8).press("Enter");
  assert.deepEqual((await values()).slice(0, -1).map(Number), numbers.toReversed());
  assert.equal((await values()).at(-1), "–");
  assert.equal(await page.locator("#cases th[aria-sort=descending]").count(), 1);
  await close();
});

test("a search takes any words of a row, and a key leads to it", async () => {
  const { page, close } = await cohort("few");
  await page.keyboard.press("/");
  await page.keyboard.type("DONE case1");
  assert.deepEqual(await shown(page), ["case10"]);
  assert.equal(await page.locator("#found").textContent(), "1 of 9 cases");
  await page.locator("#search").fill("<script>");
  assert.deepEqual(await shown(page), [HOSTILE[0]]);
  await close();
});

test("a case's name opens its report, whatever it is called", async () => {
  const { page, close } = await cohort("few");
  const links = page.locator("#cases tbody th a");
  assert.equal(await links.count(), 8);
  for (let n = 0; n < 8; ++n) {
    const href = await links.nth(n).getAttribute("href");
    assert.ok(existsSync(new URL(href, `file://${join(cwd, "few")}/`)), href);
  }
  await page.locator("#cases tbody th a", { hasText: HOSTILE[3] }).click();
  await page.frameLocator("#bench iframe").locator(".alive h1, h1").first().waitFor();
  assert.equal(await page.frameLocator("#bench iframe").locator("h1").textContent(), HOSTILE[3]);
  assert.equal(await page.locator("#bench-name").textContent(), HOSTILE[3]);
  await close();
});

test("the map tells its cases and leads to them, by pointer and by keys", async () => {
  const { page, close } = await cohort("many");
  assert.equal(await page.locator(".map .column").count(), 1000);
  await page.locator(".map .column").nth(130).hover();
  const shown = await page.locator("#pointed-at").textContent();
  assert.match(shown, /^case\d{4}: .* 0\.\d{3}, /);
  await page.locator(".map").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await page.locator("#pointed-at").textContent(), shown);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  assert.equal(await page.locator("#pointed-at").textContent(), shown);
  await page.locator("#search").fill("nobody is called so");
  await page.locator(".map").focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("#cases tr.here th").textContent(), shown.split(":")[0]);
  assert.ok(await page.locator("#cases tr.here").isVisible());
  await close();
});

test("1000 cases stay small and quick", async () => {
  assert.ok(statSync(join(cwd, "many/cohort.html")).size < 1.5e6);
  const { page, close } = await cohort("many");
  const taken = [await processorTime(page)];
  const done = async () => {
    await drawn(page);
    taken.push(await processorTime(page));
  };
  await page.reload();
  await until(page, () => !document.getElementById("find").hidden);
  await done();
  await page.evaluate(() => document.querySelectorAll("#cases thead button")[8].click());
  await done();
  await page.evaluate(() => {
    const search = document.getElementById("search");
    search.value = "case00";
    search.dispatchEvent(new Event("input"));
  });
  await done();
  const [opened, ...times] = taken.slice(1).map((all, n) => all - taken[n]);
  const words = `open ${opened.toFixed(2)} s, sort and search ${times.map((one) => one.toFixed(2))} s of the processor`;
  console.log(`1000 cases: ${statSync(join(cwd, "many/cohort.html")).size} bytes, ${words}`);
  assert.ok(opened > 0 && opened < 4 && Math.max(...times) < 1.5, words);
  assert.equal((await shown(page)).length, 100);
  await close();
});

test("without JavaScript everything is there to be read", async () => {
  const { page, events, close } = await cohort("few", { javaScriptEnabled: false });
  for (const part of ["#methods figure svg", ".map svg", "#failures", "#raters", "#cases"])
    assert.ok(await page.locator(part).first().isVisible(), part);
  assert.equal(await page.locator("#search").isVisible(), false);
  assert.equal(await page.locator("#cases tbody tr").count(), 9);
  assert.deepEqual(events.requests, []);
  await close();
});

test("the page is valid HTML", () => assertValid(join(cwd, "few/cohort.html")));

for (const screen of screens)
  test(`axe-core finds nothing, ${nameOf(screen)}`, async () => {
    const { page, close } = await cohort("few", screen);
    await assertOpen(page, `cohort-${nameOf(screen)}`);
    await close();
  });

test("it prints all tables, without what only a screen needs", async () => {
  const { page, close } = await cohort("few");
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator("#find").isVisible(), false);
  assert.ok(await page.locator("#cases tbody tr").last().isVisible());
  await page.screenshot({ path: join(pictures, "cohort-print.png"), fullPage: true });
  await close();
});
