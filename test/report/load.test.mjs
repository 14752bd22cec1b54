// SPDX-License-Identifier: Apache-2.0
// Decisions that were saved are loaded again, here or by a colleague; damaged and hostile ones are not.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { assertOpen } from "./form.mjs";
import { browser, crema, drawn, folder, join, labelMaps, open, phantom, pictures, remove, until, writeFileSync } from "./kit.mjs";

let cwd, names, running;

before(async () => {
  cwd = folder();
  names = phantom(cwd);
  crema(cwd, "report", ...names, "-o", "desk.html", "-m", "jaccard");
  running = await browser();
});

after(async () => {
  await running?.close();
  remove(cwd);
});

const fresh = async (name = "desk.html", options = {}) => {
  const opened = await open(running, join(cwd, name), options);
  await opened.page.evaluate(() => localStorage.clear());
  await opened.page.reload();
  await opened.page.locator("#desk .queue li").first().waitFor();
  return opened;
};

async function handed(page, button, name) {
  const [file] = await Promise.all([page.waitForEvent("download"), page.locator(button).click()]);
  await file.saveAs(join(cwd, name));
  return readFileSync(join(cwd, name));
}

async function load(page, name) {
  await page.evaluate(() => (globalThis.crema.desk.note.textContent = ""));
  await page.locator("#desk input[type=file]").setInputFiles(join(cwd, name));
  await until(page, () => globalThis.crema.desk.note.textContent !== "");
  return page.locator("#desk [role=status]").textContent();
}

async function saveSome(page, keys, name) {
  for (const key of keys) await page.keyboard.press(key);
  return JSON.parse((await handed(page, "#save-decisions", name)).toString());
}

test("a colleague loads decisions and has the same mask, and goes on", async () => {
  const first = await fresh();
  await saveSome(first.page, ["n", "r", "a", "2", "m"], "first.json");
  const mask = await handed(first.page, "#save-final", "first.nii");
  await first.close();
  const { page, events, close } = await fresh();
  assert.equal(await load(page, "first.json"), "4 decisions loaded.");
  assert.match(await page.locator("#desk .progress").textContent(), /^4 of/);
  assert.ok(mask.equals(await handed(page, "#save-final", "second.nii")));
  assert.deepEqual(readFileSync(join(cwd, "first.json")), await handed(page, "#save-decisions", "again.json"));
  await page.keyboard.press("n");
  await page.keyboard.press("r");
  assert.match(await page.locator("#desk .progress").textContent(), /^5 of/);
  assert.deepEqual({ ...events, requests: [] }, { requests: [], complaints: [], dialogs: 0 });
  await close();
});

test("damaged decisions, and those about something else, change nothing and get a sentence", async () => {
  const { page, events, close } = await fresh();
  const sound = await saveSome(page, ["n", "r", "1"], "sound.json");
  const changed = (change) => {
    const copy = structuredClone(sound);
    change(copy);
    return JSON.stringify(copy);
  };
  const cases = [
    [readFileSync(join(cwd, "sound.json"), "utf8").slice(0, -20), /not JSON/],
    ["null", /not a file of decisions/], ["[]", /not a file of decisions/], ["{}", /not a file of decisions/],
    [changed((one) => (one.inputs[0].sha256 = "0".repeat(64))), /other masks/],
    [changed((one) => one.inputs.reverse()), /another order/],
    [changed((one) => (one.method = "dice")), /another method/],
    [changed((one) => (one.settings.tie = "foreground")), /other settings/],
    [changed((one) => (one.list[0].action = "explode")), /decision 1: it is damaged/],
    [changed((one) => (one.list[1].component = 0)), /decision 2: it is damaged/],
    [changed((one) => (one.list[1].component = 1e6)), /there is no component 1000000/],
    [changed((one) => (one.list[1].rater = 65)), /no rater 65/],
    [changed((one) => (one.list[0].zone = 1)), /has no zone 1/],
    [changed((one) => (one.list[0].label = "<b>7</b>")), /label “<b>7<\/b>” is not on this page/],
    [changed((one) => (one.list[0].extra = 1)), /“extra” is not valid there/],
    [changed((one) => (one.list[0] = { action: "draw", runs: [[1e12, 5]] })), /beyond this page/],
    [changed((one) => (one.list[0] = { action: "draw", runs: [[1, -5]] })), /it is damaged/],
    [changed((one) => (one.list[0].time = "yesterday")), /it is damaged/],
    [changed((one) => (one.list[0].time = "2026-11-15T20:47:41.5Z")), /it is damaged/],
    [changed((one) => (one.list[0] = { action: "draw", runs: [[9, 3], [2, 1]] })), /out of order/],
    [changed((one) => (one.list[0] = { action: "draw", runs: [[0, 3], [2, 4]] })), /overlap/],
    [changed((one) => (one.list = Array(1e5).fill({ action: "draw", runs: [[0, 20000]] }))), /too many voxels/],
    [changed((one) => (one.list[0] = null)), /not an object/],
  ];
  for (const [text, sentence] of cases) {
    writeFileSync(join(cwd, "bad.json"), text);
    assert.match(await load(page, "bad.json"), sentence);
    assert.match(await page.locator("#desk .progress").textContent(), /^2 of/);
  }
  assert.deepEqual({ ...events, requests: [] }, { requests: [], complaints: [], dialogs: 0 });
  await close();
});

test("hostile names in decisions are text", async () => {
  const { page, events, close } = await fresh();
  const sound = await saveSome(page, ["n", "r"], "plain.json");
  const hostile = "<img src=x onerror=alert(1)>\u202e\"'</script>";
  Object.assign(sound, { adjudicator: hostile });
  sound.list[0].reason = hostile;
  sound.inputs[0].name = hostile;
  writeFileSync(join(cwd, "hostile.json"), JSON.stringify(sound));
  assert.match(await load(page, "hostile.json"), /1 decision loaded/);
  const again = JSON.parse((await handed(page, "#save-decisions", "hostile-again.json")).toString());
  assert.equal(again.adjudicator, hostile);
  assert.equal(again.list[0].reason, hostile);
  crema(cwd, "apply", "hostile-again.json", ...names, "-o", "hostile.nii", "--force");
  assert.equal(await page.locator("img").count(), 0);
  assert.deepEqual({ ...events, requests: [] }, { requests: [], complaints: [], dialogs: 0 });
  await close();
});

test("decisions about several labels are loaded, too", async () => {
  const maps = labelMaps(cwd, names);
  crema(cwd, "report", ...maps, "--labels", "all", "-o", "labels.html", "-m", "jaccard");
  const first = await fresh("labels.html");
  for (const key of ["n", "r", "a"]) await first.page.keyboard.press(key);
  await first.page.locator("#chooser button").nth(1).click();
  await until(first.page, () => globalThis.crema.number === 1 && globalThis.crema.desk);
  await saveSome(first.page, ["n", "r"], "labels.json");
  const map = await handed(first.page, "#save-final", "labels.nii");
  await first.close();
  const { page, close } = await fresh("labels.html");
  assert.match(await load(page, "labels.json"), /3 decisions loaded/);
  assert.ok(map.equals(await handed(page, "#save-final", "labels-again.nii")));
  await close();
});

for (const colorScheme of ["light", "dark"])
  test(`axe-core finds nothing before, while and after everything is decided, ${colorScheme}`, async () => {
    const { page, close } = await fresh("desk.html", { colorScheme, bypassCSP: true });
    await assertOpen(page, `desk-begin-${colorScheme}`);
    for (const key of ["r", "b"]) await page.keyboard.press(key);
    await assertOpen(page, `desk-first-${colorScheme}`);
    await page.keyboard.press("Escape");
    const count = await page.evaluate(() => globalThis.crema.desk.items.length);
    for (let n = 0; n < count; ++n) await page.keyboard.press("a");
    await drawn(page);
    await page.locator("#desk").screenshot({ path: join(pictures, `desk-done-${colorScheme}.png`) });
    await assertOpen(page, `desk-done-${colorScheme}`);
    await close();
  });

test("what two windows of one page decide is kept together", async () => {
  const { page: first, events, close } = await fresh();
  const second = await first.context().newPage();
  await second.goto(first.url());
  await until(second, () => globalThis.crema?.desk && globalThis.crema.views[0].scale > 0);
  for (const key of ["n", "r", "a"]) await first.keyboard.press(key);
  await until(second, () => globalThis.crema.desk.ledger.list.length === 2);
  assert.match(await second.locator("#desk .progress").textContent(), /^2 of/);
  // The other window may not have been told yet.
  await second.evaluate(() => removeEventListener("storage", globalThis.crema.desk.onStorage));
  await first.keyboard.press("m");
  await second.bringToFront();
  for (const key of ["n", "k"]) await second.keyboard.press(key);
  const actions = () => second.evaluate(() => globalThis.crema.desk.ledger.list.map(({ action }) => action));
  assert.deepEqual(await actions(), ["reject", "accept", "keep"]);
  await until(first, () => globalThis.crema.desk.ledger.list.at(-1)?.action === "keep");
  await second.evaluate(() => localStorage.setItem(globalThis.crema.desk.ledger.key, "{damaged"));
  await second.keyboard.press("u");
  assert.deepEqual(await actions(), ["reject", "accept", "majority"]);
  assert.deepEqual(events.complaints, []);
  await close();
});
