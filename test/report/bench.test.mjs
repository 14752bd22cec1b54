// SPDX-License-Identifier: Apache-2.0
// The page of a cohort as a workbench: what to look at first, one case after the other, ratings that are kept and saved.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { after, before, test } from "node:test";
import { assertOpen, assertValid, nameOf, screens } from "./form.mjs";
import { browser, crema, folder, join, labelMaps, open, phantom, pictures, remove, until, writeFileSync } from "./kit.mjs";

const HOSTILE = ["=cmd|'/c calc'!A1", "</script><img src=x onerror=alert(1)>", "\u202egnp.exe, \"x\""];
let cwd, running;

before(async () => {
  cwd = folder();
  const rows = [];
  for (let n = 1; n <= 6; ++n) {
    crema(cwd, "demo", "-o", `seed${n}`, "--kind", "lesions", "--size", "32,32,16", "--raters", "4", "--seed", String(n));
    for (const k of [1, 2, 3, 4])
      rows.push([HOSTILE[n - 1] ?? `case${n}`, `rater ${k}`, `seed${n}/rater-${k}.nii.gz`]);
  }
  const quoted = rows.map((row) => row.map((field) => `"${field.replaceAll("\"", "\"\"")}"`).join("\t"));
  writeFileSync(join(cwd, "all.tsv"), ["case\trater\tpath", ...quoted].join("\n") + "\n");
  crema(cwd, "cohort", "run", "all.tsv", "-o", "run", "--methods", "jaccard,dice,staple", "--report", "--raters-persist", "--panel");
  crema(cwd, "cohort", "run", "all.tsv", "-o", "bare", "--no-images");
  const maps = labelMaps(cwd, phantom(cwd, "lesions", "--size", "32,32,16"));
  const labels = maps.flatMap((path, k) => ["a", "b"].map((name) => `${name}\trater${k}\t${path}`));
  writeFileSync(join(cwd, "labels.tsv"), ["case\trater\tpath", ...labels].join("\n") + "\n");
  crema(cwd, "cohort", "run", "labels.tsv", "-o", "labelled", "--labels", "all");
  running = await browser();
});

after(async () => {
  await running?.close();
  remove(cwd);
});

async function cohort(name, options = {}) {
  const opened = await open(running, join(cwd, name, "cohort.html"), { wait: false, ...options });
  await until(opened.page, () => !document.getElementById("find").hidden);
  return opened;
}

const inFrame = (page) => page.frameLocator("#bench iframe");
const ranks = { "one rater decides": 0, "left out": 1, "disputed zone": 2 };

test("the queue has the findings of all cases in the order of the method, with pictures", async () => {
  const { page, events, close } = await cohort("run");
  const rows = await page.locator("#queue tbody tr").evaluateAll((all) =>
    all.map((row) => [row.cells[3].textContent, Number(row.cells[7].textContent)]));
  const listed = readFileSync(join(cwd, "run/review.csv"), "utf8").trimEnd().split("\r\n").length - 1;
  assert.equal(rows.length, listed);
  for (let n = 1; n < rows.length; ++n) {
    const step = ranks[rows[n][0]] - ranks[rows[n - 1][0]];
    assert.ok(step > 0 || (step === 0 && rows[n][1] <= rows[n - 1][1]), `${rows[n - 1]} before ${rows[n]}`);
  }
  const sizes = await page.locator("#queue img").evaluateAll((all) => all.map((image) => [image.naturalWidth, image.naturalHeight]));
  assert.equal(sizes.length, 6);
  for (const [width, height] of sizes) assert.ok(width > 0 && height > 0 && Math.max(width, height) === 96);
  assert.deepEqual(events, { requests: [], complaints: [], dialogs: 0 });
  await close();
});

test("by keyboard: one case after the other, each rated, back to where it began, kept over a reload", async () => {
  const { page, events, close } = await cohort("run");
  const first = page.locator("#queue tbody a").first();
  const name = await first.textContent();
  await first.focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("#bench-name").textContent(), name);
  assert.equal(await page.locator("#bench-at").textContent(), "1 of 6");
  await inFrame(page).locator("h1").waitFor();
  assert.equal(await inFrame(page).locator("h1").textContent(), name);
  assert.ok(await page.locator("#bench-findings li").count() > 0);
  // As a Russian keyboard writes it.
  await page.evaluate(() => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "\u043b", code: "KeyK", altKey: true, bubbles: true })));
  await page.keyboard.press("Alt+N");
  assert.equal(await page.locator("#bench-at").textContent(), "2 of 6");
  await page.keyboard.press("Alt+r");
  await page.locator("#bench-note").fill("rater 2 drew \"twice\", see k");
  await page.keyboard.press("Tab");
  await page.locator("#bench-next").focus();
  await page.keyboard.press("Alt+p");
  assert.equal(await page.locator("#bench [aria-pressed=true]").textContent(), "Keep");
  await page.keyboard.press("Escape");
  await until(page, () => !document.getElementById("bench").open);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), name);
  assert.equal(await page.locator("#rated-count").textContent(), "2 of 6 cases rated");
  await page.reload();
  await until(page, () => !document.getElementById("find").hidden);
  assert.equal(await page.locator("#rated-count").textContent(), "2 of 6 cases rated");
  await page.locator("#rated").selectOption("redo");
  const left = page.locator("#cases tbody tr:visible");
  assert.equal(await left.count(), 1);
  assert.equal(await left.locator("td").last().textContent(), "redo: rater 2 drew \"twice\", see k");
  assert.deepEqual([events.complaints, events.dialogs], [[], 0]);
  await close();
});

test("a letter alone rates nothing; with Alt it does, also from inside the case's page, and Escape leads out of that", async () => {
  const { page, events, close } = await cohort("run");
  await page.locator("#cases tbody th a").first().click();
  await inFrame(page).locator("#desk .queue li").first().waitFor();
  const rated = () => page.locator("#bench [data-rating][aria-pressed=true]").allTextContents();
  await page.locator("#bench-next").focus();
  for (const key of ["r", "k", "d"]) await page.keyboard.press(key);
  assert.deepEqual(await rated(), []);
  assert.match(await page.locator("#bench-keys").textContent(), /Keys act on this bar/);
  await inFrame(page).locator("#desk h3").click();
  await until(page, () => /page of the case; press Escape/.test(document.getElementById("bench-keys").textContent));
  for (const key of ["n", "r"]) await page.keyboard.press(key);
  assert.match(await inFrame(page).locator("#desk .progress").textContent(), /^1 of/);
  assert.deepEqual(await rated(), []);
  await page.keyboard.press("Alt+r");
  await until(page, () => document.querySelector("#bench [data-rating=redo]").getAttribute("aria-pressed") === "true");
  // The eraser is put away first.
  await page.keyboard.press("e");
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "IFRAME");
  await page.keyboard.press("Escape");
  await until(page, () => document.activeElement.closest(".bench-bar") !== null);
  assert.match(await page.locator("#bench-keys").textContent(), /Keys act on this bar/);
  assert.ok(await page.evaluate(() => document.getElementById("bench").open));
  await page.screenshot({ path: join(pictures, "bench-keys-seen.png") });
  await page.evaluate(() => localStorage.clear());
  assert.deepEqual([events.complaints, events.dialogs], [[], 0]);
  await close();
});

test("a row of the queue opens its case at that decision, and so does a finding", async () => {
  const { page, close } = await cohort("run");
  const rows = await page.locator("#queue tbody tr").evaluateAll((all) =>
    all.map((row) => [row.dataset.case, row.cells[4].textContent, row.cells[5].textContent]));
  const at = rows.findIndex(([name], n) => rows.findIndex(([other]) => other === name) < n);
  assert.ok(at > 0);
  await page.locator("#queue tbody tr").nth(at).locator("a").first().click();
  const current = inFrame(page).locator("#desk .queue [aria-current]");
  await current.waitFor();
  assert.ok((await current.textContent()).includes(rows[at][1]), rows[at][1]);
  assert.ok((await inFrame(page).locator("#desk .about").textContent()).includes(`Component ${rows[at][2]},`));
  await page.locator("#bench-findings button").first().click();
  await until(page, () => document.querySelector("#bench iframe").src.includes("decision=1&"));
  await current.waitFor();
  assert.match(await current.textContent(), /^1/);
  await page.screenshot({ path: join(pictures, "bench-decision-seen.png") });
  await close();
});

test("what two windows rate is kept together", async () => {
  const { page: first, close } = await cohort("run");
  const second = await first.context().newPage();
  await second.goto(first.url());
  await until(second, () => !document.getElementById("ratings").hidden);
  const rate = async (page, n, rating) => {
    await page.bringToFront();
    await page.locator("#cases tbody th a").nth(n).click();
    await page.locator(`#bench [data-rating=${rating}]`).click();
    await page.locator("#bench-back").click();
    await until(page, () => !document.getElementById("bench").open);
  };
  await rate(first, 0, "keep");
  await until(second, () => document.getElementById("rated-count").textContent === "1 of 6 cases rated");
  await rate(second, 1, "redo");
  await until(first, () => document.getElementById("rated-count").textContent === "2 of 6 cases rated");
  await rate(first, 2, "discuss");
  await first.reload();
  await until(first, () => !document.getElementById("ratings").hidden);
  assert.equal(await first.locator("#rated-count").textContent(), "3 of 6 cases rated");
  await close();
});

test("the browser's way back leaves the bench and not the page", async () => {
  const { page, close } = await cohort("run");
  await page.locator("#cases tbody th a").first().click();
  await inFrame(page).locator("h1").waitFor();
  await page.keyboard.press("Alt+n");
  await page.goBack();
  await until(page, () => !document.getElementById("bench").open);
  assert.match(await page.title(), /^Cohort of 6 cases/);
  await close();
});

test("ratings are saved as a table that no spreadsheet runs, and loaded again elsewhere", async () => {
  const { page, close } = await cohort("run");
  for (const [n, name] of HOSTILE.entries()) {
    await page.locator("#cases tbody tr th a", { hasText: name.replace("\u202e", "\ufffd") }).click();
    await page.locator(`#bench [data-rating=${["keep", "redo", "discuss"][n]}]`).click();
    await page.locator("#bench-back").click();
    await until(page, () => !document.getElementById("bench").open);
  }
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#ratings-save").click()]);
  assert.equal(download.suggestedFilename(), "ratings.csv");
  const text = readFileSync(await download.path(), "utf8");
  assert.ok(text.startsWith("case,rating,note,time,result\r\n"));
  assert.ok(text.includes(`\r\n'=cmd|'/c calc'!A1,keep,`), text);
  assert.ok(text.includes("\"\u202egnp.exe, \"\"x\"\"\",discuss,"), text);
  await close();

  const other = await cohort("bare");
  writeFileSync(join(cwd, "ratings.csv"), text + "nobody,keep,,,\r\ncase4,perfect,,,\r\n");
  await other.page.locator("#ratings-load").setInputFiles(join(cwd, "ratings.csv"));
  await until(other.page, () => document.getElementById("ratings-message").textContent !== "");
  assert.match(await other.page.locator("#ratings-message").textContent(), /^3 ratings loaded; 2 rows /);
  assert.equal(await other.page.locator("#rated-count").textContent(), "3 of 6 cases rated");
  await other.page.locator("#cases tbody th button").first().click();
  assert.match(await other.page.locator("#bench-message").textContent(), /older result/);
  await other.page.locator("#bench-back").click();
  await until(other.page, () => !document.getElementById("bench").open);
  for (const wrong of ["a,b\r\n1,2\r\n", "case,rating,note,time,result\r\n\"torn", "\u0000\u0001"]) {
    await other.page.evaluate(() => document.getElementById("ratings-message").replaceChildren());
    writeFileSync(join(cwd, "wrong.csv"), wrong);
    await other.page.locator("#ratings-load").setInputFiles(join(cwd, "wrong.csv"));
    await until(other.page, () => /not a table of ratings/.test(document.getElementById("ratings-message").textContent));
  }
  await other.close();
});

test("where the browser keeps nothing the page says so, and still saves", async () => {
  const before = () => Object.defineProperty(globalThis, "localStorage", { get() { throw new Error("no"); } });
  const { page, events, close } = await cohort("run", { before });
  assert.match(await page.locator("#ratings-message").textContent(), /private window.*save the ratings/);
  await page.locator("#cases tbody th a").first().click();
  await page.locator("#bench [data-rating=keep]").click();
  await page.locator("#bench-back").click();
  assert.equal(await page.locator("#rated-count").textContent(), "1 of 6 cases rated");
  assert.deepEqual(events.complaints.filter((text) => !text.includes("no")), []);
  await close();
});

test("kept ratings that are damaged are dropped, and the others stay", async () => {
  const { page, events, close } = await cohort("run");
  const good = { rating: "redo", note: "<b>x</b>", time: "", result: "" };
  for (const [kept, count] of [[{ case4: null, case5: { rating: 5 }, case6: good }, 1], ["text", 0], [null, 0], [[[1]], 0]]) {
    await page.evaluate((what) => {
      const key = Object.keys(localStorage).find((name) => name.startsWith("crema ratings"));
      localStorage.setItem(key, JSON.stringify(what));
    }, kept);
    await page.reload();
    await until(page, () => !document.getElementById("ratings").hidden);
    assert.equal(await page.locator("#rated-count").textContent(), `${count} of 6 cases rated`);
    assert.equal(await page.locator("#ratings-message").textContent(), "");
  }
  assert.deepEqual({ ...events, requests: [] }, { requests: [], complaints: [], dialogs: 0 });
  await close();
});

test("kept ratings that are cut short are set aside, with a word", async () => {
  const { page, events, close } = await cohort("run");
  const key = await page.evaluate(() => {
    const name = Object.keys(localStorage).find((one) => one.startsWith("crema ratings"));
    localStorage.setItem(name, "{\"case4\": {\"rat");
    return name;
  });
  await page.reload();
  await until(page, () => !document.getElementById("ratings").hidden);
  assert.match(await page.locator("#ratings-message").textContent(), /damaged and were set aside/);
  assert.equal(await page.evaluate((name) => localStorage.getItem(`${name} damaged`), key), "{\"case4\": {\"rat");
  assert.deepEqual([events.complaints, events.dialogs], [[], 0]);
  await close();
});

test("without pages of cases the bench shows the picture and says what makes them", async () => {
  const { page, close } = await cohort("bare");
  await page.locator("#queue tbody button.name").first().click();
  assert.match(await page.locator("#bench-page").textContent(), /cohort run --report/);
  assert.equal(await page.locator("#bench-page img").count(), 1);
  await close();
});

test("a label can be chosen, for the queue and for the cases", async () => {
  const { page, close } = await cohort("labelled");
  const rows = page.locator("#cases tbody tr:visible");
  assert.equal(await rows.count(), 4);
  await page.locator("#label").selectOption("2");
  assert.equal(await rows.count(), 2);
  const labels = await page.locator("#queue tbody tr:visible").evaluateAll((all) => all.map((row) => row.dataset.label));
  assert.ok(labels.length > 0 && labels.every((label) => label === "2"));
  assert.equal(await page.locator("#methods details").count(), 2);
  await close();
});

test("a dot leads to the row of its case", async () => {
  const { page, close } = await cohort("run");
  const dot = page.locator("#methods figure a").first();
  const key = (await dot.getAttribute("href")).slice(1);
  await dot.locator("circle").last().click();
  assert.equal(await page.locator("#cases tr.here").getAttribute("id"), key);
  await close();
});

test("statistics have their numbers beside them", async () => {
  const { page, close } = await cohort("run");
  for (const title of ["Who is closer to the others", "Who draws larger or smaller", "How many of 4 raters are enough"])
    assert.equal(await page.locator("#statistics svg title", { hasText: title }).count(), 1, title);
  for (const id of ["effects", "limits", "panel"]) assert.ok(await page.locator(`#${id} tbody tr`).count() > 0, id);
  await close();
});

test("the pages are valid HTML, and small", async () => {
  for (const run of ["run", "bare", "labelled"]) await assertValid(join(cwd, run, "cohort.html"));
  assert.ok(statSync(join(cwd, "run/cohort.html")).size < 3e5);
});

// The page of a case has its own suites; axe-core cannot look into it and would wait.
for (const screen of [screens[0], screens[3]])
  test(`axe-core finds nothing, ${nameOf(screen)}`, async () => {
    const { page, close } = await cohort("labelled", screen);
    await page.locator("#methods details").last().evaluate((one) => { one.open = true; });
    await assertOpen(page, `workbench-labels-${nameOf(screen)}`);
    await close();
    const full = await cohort("run", screen);
    await full.page.locator("#queue tbody a").first().click();
    await inFrame(full.page).locator("h1").waitFor();
    await full.page.locator("#bench [data-rating=redo]").click();
    await full.page.screenshot({ path: join(pictures, `bench-${nameOf(screen)}-seen.png`) });
    await full.page.locator("#bench iframe").evaluate((frame) => frame.remove());
    await assertOpen(full.page, `bench-${nameOf(screen)}`);
    await full.close();
  });
