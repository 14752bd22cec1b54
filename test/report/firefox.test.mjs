// SPDX-License-Identifier: Apache-2.0
// The same page in Firefox, as Debian has it: a case adjudicated by keyboard.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { after, before, test } from "node:test";
import { copyAs, crema, drawn, firefox, folder, join, open, phantom, remove, until, writeFileSync } from "./kit.mjs";

let cwd, names, running;

before(async () => {
  if (!process.env.FIREFOX) return;
  cwd = folder();
  const masks = phantom(cwd);
  names = [copyAs(cwd, masks[0], "<img src=x onerror=alert(1)>.nii.gz"), ...masks.slice(1)];
  crema(cwd, "report", ...names, "-o", "desk.html", "-m", "jaccard");
  running = await firefox();
});

after(async () => {
  await running?.close();
  if (cwd) remove(cwd);
});

/** Keeps what the page hands to the browser, by name: Firefox tells the driver of no download. */
function keepFiles() {
  globalThis.handed = {};
  const make = URL.createObjectURL;
  const blobs = new Map();
  URL.createObjectURL = (blob) => {
    const address = make.call(URL, blob);
    blobs.set(address, blob);
    return address;
  };
  HTMLAnchorElement.prototype.click = function click() {
    blobs.get(this.href).arrayBuffer().then((bytes) => (globalThis.handed[this.download] = [...new Uint8Array(bytes)]));
  };
}

async function saved(page, button, name) {
  await page.evaluate(keepFiles);
  await (typeof button === "string" ? page.locator(button) : button).click();
  const letters = await until(page, (wanted) => {
    const bytes = globalThis.handed[wanted];
    return bytes ? btoa(bytes.map((byte) => String.fromCharCode(byte)).join("")) : null;
  }, name);
  writeFileSync(join(cwd, name), Buffer.from(letters, "base64"));
  return readFileSync(join(cwd, name));
}

const progress = (page) => page.evaluate(() => document.querySelector("#desk .progress").textContent);

test("a full adjudication by keyboard in Firefox, with a reload in the middle, saves the mask of crema apply", async (context) => {
  if (!running) return context.skip("firefox-esr is not installed; 'scripts/setup check' installs it");
  const { page, events, close } = await open(running, join(cwd, "desk.html"));
  const count = await page.evaluate(() => globalThis.crema.desk.items.length);
  assert.ok(count > 4);
  const keys = ["a", "r", "1", "m", "k", "5", "2"];
  await page.keyboard.press("n");
  for (let n = 0; n < 4; ++n) await page.keyboard.press(keys[n]);
  await page.keyboard.press("u");
  const before = await progress(page);
  assert.match(before, /^3 of \d+$/);
  await page.reload();
  await until(page, () => globalThis.crema?.desk && globalThis.crema.views[0].scale > 0);
  assert.equal(await progress(page), before);
  await page.keyboard.press("n");
  // Zones of a component that is decided need no decision: the total falls on the way.
  let [done, all] = [3, count];
  for (let n = 3; done < all; ++n) {
    await page.keyboard.press(keys[n % keys.length]);
    const [now, left] = (await progress(page)).match(/\d+/g).map(Number);
    assert.ok(now > done || left < all, `${now} of ${left} after ${done} of ${all}`);
    [done, all] = [now, left];
  }
  await drawn(page);
  const mask = await saved(page, "#save-final", "final.nii");
  await saved(page, "#save-decisions", "decisions.json");
  crema(cwd, "apply", "decisions.json", ...names, "-o", "applied.nii", "--force");
  assert.ok(mask.equals(readFileSync(join(cwd, "applied.nii"))), "the bytes differ");
  assert.equal(await page.evaluate(() => document.querySelectorAll("img").length), 0);
  assert.deepEqual(events, { requests: [], complaints: [], dialogs: 0 });
  await close();
});

test("in Firefox the solid is drawn, or the page says that there is no WebGL2", async (context) => {
  if (!running) return context.skip("firefox-esr is not installed; 'scripts/setup check' installs it");
  const { page, close } = await open(running, join(cwd, "desk.html"));
  await page.locator("#solid-button").click();
  await until(page, () => globalThis.crema.solid.drawnAt || globalThis.crema.solid.note.textContent);
  const found = await page.evaluate(() => ({
    able: Boolean(document.createElement("canvas").getContext("webgl2")), words: globalThis.crema.solid.note.textContent,
  }));
  assert.match(found.words, found.able ? /faces$/ : /no WebGL2/);
  await close();
});

test("masks that are dropped on the app in Firefox are fused and decided about as by the program", async (context) => {
  if (!running) return context.skip("firefox-esr is not installed; 'scripts/setup check' installs it");
  if (spawnSync(process.env.CREMA, ["app", "-o", "crema.html"], { cwd }).status !== 0) return context.skip("the program was built without emscripten");
  const { page, events, close } = await open(running, join(cwd, "crema.html"), { wait: false });
  await until(page, () => globalThis.crema !== undefined);
  await page.evaluate((given) => {
    const dataTransfer = new DataTransfer();
    for (const [name, text] of given)
      dataTransfer.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], name));
    document.getElementById("drop").dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }, names.map((name) => [basename(name), readFileSync(join(cwd, name)).toString("base64")]));
  await until(page, () => /read and fused|refused/.test(document.getElementById("status").innerHTML));
  for (const key of ["n", "r", "2", "a"]) await page.keyboard.press(key);
  await saved(page, "#save-decisions", "decisions.json");
  const plain = page.getByRole("button", { name: "save as .nii", exact: true });
  const given = [...names].sort((a, b) => (basename(a) < basename(b) ? -1 : 1));
  for (const [method, command] of [["jaccard", ["fuse", ...given, "-m", "jaccard"]], ["decided", ["apply", "decisions.json", ...given]]]) {
    await page.locator("#save select").selectOption(method);
    const bytes = await saved(page, plain, `consensus-${method}.nii`);
    crema(cwd, ...command, "-o", "program.nii", "--force");
    assert.ok(bytes.equals(readFileSync(join(cwd, "program.nii"))), method);
  }
  assert.deepEqual({ ...events, requests: [] }, { requests: [], complaints: [], dialogs: 0 });
  await close();
});
