// SPDX-License-Identifier: Apache-2.0
// A case adjudicated by keyboard: what the page saves is what crema apply makes of its decisions.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { browser, copyAs, crema, drawn, folder, join, labelMaps, open, phantom, remove } from "./kit.mjs";

let cwd, names, running;

before(async () => {
  cwd = folder();
  names = phantom(cwd);
  crema(cwd, "report", ...names, "-o", "desk.html", "-m", "jaccard");
  running = await browser();
});

after(async () => {
  await running.close();
  remove(cwd);
});

const progress = (page) => page.locator("#desk .progress").textContent();

async function download(page, button, name) {
  const [file] = await Promise.all([page.waitForEvent("download"), page.locator(button).click()]);
  await file.saveAs(join(cwd, name));
  return readFileSync(join(cwd, name));
}

test("a full adjudication by keyboard, with a reload in the middle, saves the mask of crema apply", async () => {
  const { page, events, close } = await open(running, join(cwd, "desk.html"));
  const count = await page.locator("#desk .queue li").count();
  assert.ok(count > 4);
  assert.equal(await progress(page), `0 of ${count}`);
  assert.equal(await page.evaluate(() => scrollY), 0, "the page stays at its top");
  const keys = ["a", "r", "1", "m", "k", "5", "a", "r", "2"];
  assert.equal(await page.locator("#desk [aria-current]").count(), 0);
  await page.keyboard.press("n");
  assert.match(await page.locator("#desk [aria-current]").textContent(), /^1/);
  const half = Math.floor(count / 2);
  for (let n = 0; n < half; ++n) await page.keyboard.press(keys[n % keys.length]);
  assert.match(await progress(page), new RegExp(`^${half} of`));
  await page.keyboard.press("u");
  assert.match(await progress(page), new RegExp(`^${half - 1} of`));
  await page.reload();
  await page.locator("#desk .queue li").first().waitFor();
  assert.match(await progress(page), new RegExp(`^${half - 1} of`));
  // Zones of components that were decided as a whole are left out.
  const left = await page.evaluate(() => globalThis.crema.desk.items.filter((item) => !globalThis.crema.desk.ledger.isSettled(item)).length);
  await page.keyboard.press("n");
  for (let n = half - 1; n < left; ++n) await page.keyboard.press(keys[(n * 2) % keys.length]);
  assert.equal(await progress(page), `${left} of ${left}`);
  assert.match(await page.locator("#desk .hint").textContent(), /^All decided/);
  await drawn(page);
  const mask = await download(page, "#save-final", "final.nii");
  await download(page, "#save-decisions", "decisions.json");
  crema(cwd, "apply", "decisions.json", ...names, "-o", "applied.nii", "--force");
  assert.ok(mask.equals(readFileSync(join(cwd, "applied.nii"))), "the bytes differ");
  crema(cwd, "fuse", ...names, "-o", "fused.nii", "--force");
  assert.ok(!mask.equals(readFileSync(join(cwd, "fused.nii"))), "decisions changed nothing");
  assert.equal(JSON.parse(readFileSync(join(cwd, "decisions.json"), "utf8")).list.length, left);
  assert.deepEqual({ ...events, requests: events.requests.filter((one) => !one.startsWith("blob:")) },
    { requests: [], complaints: [], dialogs: 0 });
  await close();
});

test("keys typed as a reason decide nothing, and the reason is saved", async () => {
  const { page, close } = await open(running, join(cwd, "desk.html"));
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await page.locator("#desk .queue li").first().waitFor();
  await page.locator("#desk input").first().fill("arm <b>1</b>");
  assert.match(await progress(page), /^0 of/);
  await page.locator("#desk h3").click();
  await page.keyboard.press("n");
  await page.keyboard.press("r");
  await download(page, "#save-decisions", "reason.json");
  const [verdict] = JSON.parse(readFileSync(join(cwd, "reason.json"), "utf8")).list;
  assert.equal(verdict.reason, "arm <b>1</b>");
  assert.equal(verdict.action, "reject");
  await close();
});

test("decisions about labels are applied by the program", async () => {
  const maps = labelMaps(cwd, names);
  crema(cwd, "report", ...maps, "--labels", "all", "-o", "labels.html", "-m", "jaccard");
  const { page, close } = await open(running, join(cwd, "labels.html"));
  for (const key of ["n", "r", "a"]) await page.keyboard.press(key);
  const map = await download(page, "#save-final", "labels-final.nii");
  await download(page, "#save-decisions", "labels.json");
  const { list, settings } = JSON.parse(readFileSync(join(cwd, "labels.json"), "utf8"));
  assert.deepEqual(settings, { labels: "all" });
  assert.deepEqual(list.map(({ label }) => label), ["1", "1"]);
  crema(cwd, "apply", "labels.json", ...maps, "-o", "labels.nii");
  assert.ok(map.equals(readFileSync(join(cwd, "labels.nii"))), "the bytes differ");
  await close();
});

test("hostile names and a hostile memory do nothing but stand there", async () => {
  const hostile = ["<script>document.title=1<⁄script>.nii.gz", "\"'><img src=x onerror=alert(1)>.nii.gz"];
  const files = [...hostile.map((name, k) => copyAs(cwd, names[k], name)), ...names.slice(2)];
  crema(cwd, "report", ...files, "-o", "hostile.html", "-m", "jaccard");
  const { page, events, close } = await open(running, join(cwd, "hostile.html"));
  await page.evaluate(() => localStorage.setItem(globalThis.crema.desk.ledger.key, "{\"list\": 3, \"name\": \"<img src=x>\"}"));
  await page.reload();
  await page.locator("#desk .queue li").first().waitFor();
  for (const key of ["n", "1"]) await page.keyboard.press(key);
  assert.equal(await page.locator("img").count(), 0);
  await download(page, "#save-decisions", "hostile.json");
  crema(cwd, "apply", "hostile.json", ...files, "-o", "hostile.nii");
  assert.equal(events.dialogs, 0);
  assert.deepEqual(events.complaints, []);
  await close();
});

test("what the browser kept and is cut short is set aside with a word, and the browser still keeps decisions", async () => {
  for (const damaged of ["{\"list\": [{\"lab", "null"]) {
    const { page, events, close } = await fresh();
    await page.evaluate((text) => localStorage.setItem(globalThis.crema.desk.ledger.key, text), damaged);
    await page.reload();
    await page.locator("#desk .queue li").first().waitFor();
    const words = await page.locator("#desk").textContent();
    assert.match(words, /damaged and were set aside/);
    assert.match(words, /keeps the decisions across reloads/);
    assert.equal(await page.evaluate(() => localStorage.getItem(`${globalThis.crema.desk.ledger.key} damaged`)), damaged);
    for (const key of ["n", "a"]) await page.keyboard.press(key);
    await page.reload();
    await page.locator("#desk .queue li").first().waitFor();
    assert.match(await progress(page), /^1 of/);
    assert.deepEqual(events.complaints, []);
    await close();
  }
});

test("where the browser keeps nothing the page says so", async () => {
  const { page, close } = await open(running, join(cwd, "desk.html"), {
    before: () => Object.defineProperty(globalThis, "localStorage", { get() { throw new Error("no"); } }),
  });
  assert.match(await page.locator("#desk").textContent(), /save the decisions before you close it/);
  for (const key of ["n", "a"]) await page.keyboard.press(key);
  assert.match(await progress(page), /^1 of/);
  await close();
});

test("a place that was not looked at is shown, not decided about", async () => {
  const { page, close } = await open(running, join(cwd, "desk.html"));
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await page.locator("#desk .queue li").first().waitFor();
  await page.keyboard.press("r");
  assert.match(await progress(page), /^0 of/);
  assert.match(await page.locator("#desk").textContent(), /the same key again to decide/);
  const { at, wanted } = await page.evaluate(() => ({ at: globalThis.crema.look.at.map((v, a) => v + globalThis.crema.data.low[a]),
    wanted: globalThis.crema.desk.items[0].at }));
  assert.deepEqual(at, wanted);
  await page.keyboard.press("r");
  assert.match(await progress(page), /^1 of/);
  await page.keyboard.press("u");
  assert.match(await progress(page), /^0 of/);
  await close();
});

/** The page as at a first visit. */
async function fresh() {
  const opened = await open(running, join(cwd, "desk.html"));
  await opened.page.evaluate(() => localStorage.clear());
  await opened.page.reload();
  await opened.page.locator("#desk .queue li").first().waitFor();
  return opened;
}

test("a rejected component takes its zones with it, and none of them comes back by a walk through the list", async () => {
  const { page, close } = await fresh();
  const { at, zones, count } = await page.evaluate(() => {
    const { items } = globalThis.crema.desk;
    const zonesOf = (item) => items.filter((one) => one.zone !== null && one.component === item.component);
    const item = items.find((one) => one.reason === "flips" && zonesOf(one).length);
    return { at: item.rank, zones: zonesOf(item).map(({ rank }) => rank), count: items.length };
  });
  await page.evaluate((rank) => globalThis.crema.desk.go(rank), at);
  await page.keyboard.press("r");
  assert.equal(await progress(page), `1 of ${count - zones.length}`);
  const row = page.locator("#desk .queue li").nth(zones[0]);
  assert.match(await row.textContent(), /out, with component \d+/);
  const looked = [];
  while ((await page.locator("#desk .hint").textContent()) === "") {
    looked.push(await page.evaluate(() => globalThis.crema.desk.now));
    await page.keyboard.press("k");
  }
  assert.deepEqual(looked.filter((rank) => zones.includes(rank)), []);
  const inside = () => page.evaluate(() => {
    const { desk } = globalThis.crema;
    const { component } = desk.items.find((one) => one.reason === "flips" && desk.ledger.find(one)?.action === "reject");
    return Array.from(desk.find({ component, zone: null })).filter((place) => desk.current[place]).length;
  });
  assert.equal(await inside(), 0);
  // Who wants a zone back says so, and sees what was decided.
  await row.locator("button").click();
  assert.match(await page.locator("#desk .about").textContent(), /Component \d+ was decided: out/);
  await page.locator("#desk .acts [aria-keyshortcuts=K]").click();
  assert.match(await row.textContent(), / as the consensus/);
  await download(page, "#save-decisions", "shell.json");
  const mask = await download(page, "#save-final", "shell.nii");
  crema(cwd, "apply", "shell.json", ...names, "-o", "shell-applied.nii");
  assert.ok(mask.equals(readFileSync(join(cwd, "shell-applied.nii"))), "the bytes differ");
  await page.keyboard.press("u");
  await page.evaluate((rank) => globalThis.crema.desk.go(rank), at);
  await page.keyboard.press("a");
  assert.equal(await progress(page), `${count - zones.length} of ${count}`);
  await close();
});

test("a key that is held decides once, and walks through the list", async () => {
  const { page, close } = await fresh();
  const held = (key) => page.evaluate((letter) => {
    for (let n = 0; n < 4; ++n) document.body.dispatchEvent(new KeyboardEvent("keydown", { key: letter, repeat: n > 0, bubbles: true }));
    return globalThis.crema.desk.now;
  }, key);
  assert.equal(await held("n"), 3);
  await held("r");
  assert.match(await progress(page), /^1 of/);
  await close();
});

test("what is clicked gives the keys back: Space shows the image, letters decide", async () => {
  const { page, close } = await fresh();
  await page.keyboard.press("n");
  await page.getByRole("button", { name: "accept: in" }).click();
  assert.match(await progress(page), /^1 of/);
  await page.keyboard.down(" ");
  assert.equal(await page.evaluate(() => globalThis.crema.look.bare), true);
  await page.keyboard.up(" ");
  assert.match(await progress(page), /^1 of/, "Space pressed the button again");
  await page.locator("label.rater").first().click();
  await page.keyboard.press(" ");
  assert.equal(await page.evaluate(() => globalThis.crema.look.raters[0]), false, "Space pressed the box again");
  const order = page.getByLabel("order of the decisions");
  await order.dispatchEvent("pointerdown");
  await order.selectOption("size");
  await page.keyboard.press("r");
  assert.match(await progress(page), /^2 of/);
  // By keyboard a button stays where the focus is, and Space presses it.
  await page.getByRole("button", { name: "reject: out" }).focus();
  await page.keyboard.press(" ");
  assert.match(await progress(page), /^3 of/);
  await close();
});

test("Enter leaves the field of the reason, and the next key decides", async () => {
  const { page, close } = await fresh();
  await page.keyboard.press("n");
  await page.getByLabel("reason (optional)").focus();
  await page.keyboard.type("ark");
  await page.keyboard.press("Enter");
  await page.keyboard.press("r");
  const [{ action, reason }] = await page.evaluate(() => globalThis.crema.desk.ledger.list);
  assert.deepEqual([action, reason], ["reject", "ark"]);
  await close();
});

test("after a reload the last decision is taken back, then the one before", async () => {
  const { page, close } = await fresh();
  for (const key of ["n", "r", "a", "1"]) await page.keyboard.press(key);
  await page.reload();
  await page.locator("#desk .queue li").first().waitFor();
  await page.keyboard.press("u");
  assert.match(await progress(page), /^2 of/);
  assert.equal(await page.evaluate(() => globalThis.crema.desk.now), 2, "it is shown");
  for (const key of ["u", "u", "u"]) await page.keyboard.press(key);
  assert.match(await progress(page), /^0 of/);
  await close();
});

test("kept decisions about what the page has not are dropped, and the others stay", async () => {
  const { page, events, close } = await fresh();
  await page.evaluate(() => {
    const { ledger, data } = globalThis.crema.desk;
    const voxels = data.meta.grid.size.reduce((product, n) => product * n, 1);
    const list = [{ component: 9999, zone: null, action: "accept" }, { component: 0, zone: 1, action: "accept" },
      { component: 0, zone: null, action: "rater", rater: 60 }, { action: "draw", runs: [[0, 1e14]] },
      { action: "erase", runs: [[voxels + 1, 1]] }, { component: 0, zone: null, action: "reject", reason: { a: 1 } },
      { component: 1, zone: null, action: "reject" }].map((verdict) => ({ label: "", time: "2026-11-15T20:47:41Z", ...verdict }));
    localStorage.setItem(ledger.key, JSON.stringify({ list, name: "" }));
  });
  await page.reload();
  await page.locator("#desk .queue li").first().waitFor();
  assert.deepEqual(await page.evaluate(() => globalThis.crema.desk.ledger.list.map(({ component, action }) => [component, action])), [[1, "reject"]]);
  await download(page, "#save-decisions", "kept.json");
  crema(cwd, "apply", "kept.json", ...names, "-o", "kept.nii", "--force");
  assert.deepEqual({ ...events, requests: [] }, { requests: [], complaints: [], dialogs: 0 });
  await close();
});

test("once the browser has no room for more, the page says so", async () => {
  const { page, close } = await fresh();
  assert.match(await page.locator("#desk").textContent(), /keeps the decisions across reloads/);
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  for (const key of ["n", "a"]) await page.keyboard.press(key);
  assert.match(await progress(page), /^1 of/);
  assert.match(await page.locator("#desk").textContent(), /save the decisions before you close it/);
  await close();
});

/** Keys as keyboards give them: what is written, the place of the key, and what is held. */
const KEYBOARDS = [
  ["Russian", [["\u0444", "KeyA", {}, "accept"], ["\u043a", "KeyR", {}, "reject"]]],
  ["French", [["a", "KeyQ", {}, "accept"], ["\u00e9", "Digit2", {}, "rater 1"], ["(", "Digit5", {}, "rater 4"], ["3", "Digit3", { shiftKey: true }, "rater 2"]]],
  ["Arabic", [["\u0661", "Digit1", {}, "rater 0"], ["\u0634", "KeyA", {}, "accept"]]],
  ["American, with Caps Lock", [["R", "KeyR", {}, "reject"], ["!", "Digit1", { shiftKey: true }, null], ["a", "KeyA", { ctrlKey: true }, null]]],
];

for (const [name, keys] of KEYBOARDS)
  test(`the keys are there on a keyboard that is ${name}`, async () => {
    const { page, close } = await fresh();
    await page.keyboard.press("n");
    const done = await page.evaluate((all) => all.map(([key, code, held]) => {
      const { desk } = globalThis.crema;
      const before = desk.ledger.list.length;
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key, code, bubbles: true, cancelable: true, ...held }));
      const verdict = desk.ledger.list.length > before ? desk.ledger.list.at(-1) : null;
      return verdict && (verdict.action === "rater" ? `rater ${verdict.rater}` : verdict.action);
    }), keys);
    assert.deepEqual(done, keys.map((one) => one[3]));
    await close();
  });

test("brackets that take AltGr or Option make the brush larger, and Ctrl with them does not", async () => {
  const { page, close } = await fresh();
  const widths = await page.evaluate(() => [{ ctrlKey: true, altKey: true }, { altKey: true }, {}, { ctrlKey: true }, { metaKey: true }].map((held) => {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "]", code: "Digit9", bubbles: true, cancelable: true, ...held }));
    return globalThis.crema.desk.brush.radius;
  }));
  assert.deepEqual(widths, [3, 4, 5, 5, 5]);
  await close();
});
