// SPDX-License-Identifier: Apache-2.0
// The page that takes files: what is dropped gives what the program gives, or its sentence.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { after, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { assertOpen, assertValid, nameOf, screens } from "./form.mjs";
import { browser, crema, drawn, folder, join, open, phantom, pictures, remove, until, writeFileSync } from "./kit.mjs";

const LACKING = "the program was built without emscripten";
let cwd, names, running, able;

before(async () => {
  cwd = folder();
  names = phantom(cwd);
  const made = spawnSync(process.env.CREMA, ["app", "-o", "crema.html"], { cwd, encoding: "utf8" });
  able = made.status === 0;
  if (!able) assert.match(made.stderr, /built without WebAssembly/);
  running = await browser();
});

after(async () => {
  await running?.close();
  remove(cwd);
});

const start = async (options = {}) => {
  const opened = await open(running, join(cwd, "crema.html"), { wait: false, ...options });
  await until(opened.page, () => globalThis.crema !== undefined);
  return opened;
};

/** Hands files over and waits until they are shown or refused. */
async function give(page, files) {
  await page.evaluate(() => document.getElementById("status").replaceChildren());
  await page.locator("#choose").setInputFiles(files.map((file) => (typeof file === "string" ? join(cwd, file) : file)));
  await until(page, () => /read and fused|refused/.test(document.getElementById("status").innerHTML));
  return page.locator("#status").textContent();
}

/** Drops files as a hand does; waits for nothing. */
async function drop(page, files) {
  const letters = files.map((file) => [basename(file), readFileSync(join(cwd, file)).toString("base64")]);
  await page.evaluate((given) => {
    const dataTransfer = new DataTransfer();
    for (const [name, text] of given)
      dataTransfer.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], name));
    document.getElementById("drop").dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }, letters);
}

async function saved(page, method, ending) {
  await page.locator("#save select").selectOption(method);
  const [download] = await Promise.all([page.waitForEvent("download"),
    page.getByRole("button", { name: `save as ${ending}`, exact: true }).click()]);
  const bytes = readFileSync(await download.path());
  assert.match(await page.locator("#save [role=status]").textContent(), /was handed to the browser/);
  return ending === ".nii.gz" ? gunzipSync(bytes) : bytes;
}

const fused = (inputs, ...flags) => {
  crema(cwd, "fuse", ...inputs, ...flags, "-o", "fused.nii", "--force", "-q");
  return readFileSync(join(cwd, "fused.nii"));
};

/** The program's sentence about files, named as the page knows them. */
function sentence(files) {
  const done = spawnSync(process.env.CREMA, ["fuse", ...files.map((file) => basename(file))],
    { cwd: join(cwd, files[0], ".."), encoding: "utf8" });
  assert.notEqual(done.status, 0);
  return done.stderr.trim().replace(/^(crema|error): */, "").replace(/^error: */, "");
}

test("masks that are dropped give the program's consensus, byte for byte", async (context) => {
  if (!able) return context.skip(LACKING);
  const { page, heard, close } = await start();
  await give(page, names);
  const took = await page.evaluate(() => globalThis.crema.took);
  console.log(`five masks read, fused and shown: ${took.toFixed(0)} ms`);
  for (const method of ["jaccard", "tanimoto", "staple"])
    assert.ok(fused(names, "-m", method).equals(await saved(page, method, ".nii")), method);
  assert.ok(fused(names, "-m", "dice").equals(await saved(page, "dice", ".nii.gz")), "dice, packed");
  assert.equal(await page.locator("#viewer canvas").count(), 3);
  assert.ok((await page.locator("#components tbody tr").count()) > 3);
  await drawn(page);
  await page.screenshot({ path: join(pictures, "app.png"), fullPage: true });
  heard.requests = heard.requests.filter((asked) => !asked.startsWith("blob:"));
  assert.deepEqual(heard, { requests: [], complaints: [], dialogs: 0 });
  await close();
});

test("a what-if is saved as the program finds it", async (context) => {
  if (!able) return context.skip(LACKING);
  const { page, close } = await start();
  await give(page, names);
  await page.locator("#whatif .rater select").first().selectOption("out");
  await page.locator("#whatif .rater select").nth(2).selectOption("2");
  const program = fused(names.slice(1), "-m", "jaccard", "--weights", "1,2,1,1");
  assert.ok(program.equals(await saved(page, "what if", ".nii")));
  await close();
});

test("plain NIfTI, NRRD, MetaImage and PNG are read as well", async (context) => {
  if (!able) return context.skip(LACKING);
  const { page, close } = await start();
  crema(cwd, "demo", "-o", "flat", "--kind", "organ", "--raters", "3", "--size", "40,30,1");
  for (const ending of ["nii", "nrrd", "mha", "png"]) {
    const files = [1, 2, 3].map((k) => {
      const name = `flat/rater-${k}.${ending}`;
      crema(cwd, "fuse", `flat/rater-${k}.nii.gz`, "-m", "majority", "-o", name, "-q");
      return name;
    });
    assert.match(await give(page, files), /^3 masks/, ending);
    assert.ok(fused(files, "-m", "jaccard").equals(await saved(page, "jaccard", ".nii")), ending);
  }
  await close();
});

test("what is refused is refused with the program's sentence", async (context) => {
  if (!able) return context.skip(LACKING);
  const { page, close } = await start();
  const whole = readFileSync(join(cwd, names[0]));
  const broken = Buffer.from(whole);
  broken[broken.length - 6] ^= 1;
  const bad = { "short.nii.gz": whole.subarray(0, whole.length / 2), "sum.nii.gz": broken, "none.nii.gz": Buffer.alloc(0),
    "header.nii": gunzipSync(whole).subarray(0, 200), "cut.nii": gunzipSync(whole).subarray(0, 5000),
    "page.nii": Buffer.from("<!DOCTYPE html><p>404"), "behind.nii.gz": Buffer.concat([whole, Buffer.from("more")]) };
  for (const [name, bytes] of Object.entries(bad)) {
    writeFileSync(join(cwd, "case", name), bytes);
    assert.equal(await give(page, [`case/${name}`, names[1]]), sentence([`case/${name}`, names[1]]), name);
  }
  assert.match(await give(page, names), /^5 masks/);
  await close();
});

test("two gzip members in one file are one file", async (context) => {
  if (!able) return context.skip(LACKING);
  const { page, close } = await start();
  const plain = gunzipSync(readFileSync(join(cwd, names[0])));
  const pack = (bytes) => execFileSync("gzip", ["-nc"], { input: bytes });
  writeFileSync(join(cwd, "case/two.nii.gz"), Buffer.concat([pack(plain.subarray(0, 999)), pack(plain.subarray(999))]));
  assert.match(await give(page, ["case/two.nii.gz", names[1]]), /^2 masks/);
  await close();
});

test("more voxels than a page takes are left to the program, by what the header says", async (context) => {
  if (!able) return context.skip(LACKING);
  const { page, close } = await start();
  const header = Buffer.from(gunzipSync(readFileSync(join(cwd, names[0]))).subarray(0, 352));
  [400, 400, 400].forEach((n, a) => header.writeInt16LE(n, 42 + 2 * a));
  const packed = execFileSync("gzip", ["-nc1"], { input: Buffer.concat([header, Buffer.alloc(64e6)]) });
  const told = await give(page, [{ name: "large.nii.gz", mimeType: "", buffer: packed }]);
  assert.match(told, /^64000000 voxels are more than the 50000000 that this page takes; .*crema fuse/);
  assert.ok((await page.evaluate(() => globalThis.crema.calls.memory.buffer.byteLength)) < 40e6, "room was made for them");
  assert.match(await give(page, names), /^5 masks/);
  await close();
});

test("what is no case is told in a sentence, and the page goes on", async (context) => {
  if (!able) return context.skip(LACKING);
  const { page, heard, close } = await start();
  await drop(page, []);
  assert.match(await page.locator("#status").textContent(), /^There was no file in what was dropped/);
  const file = (name, bytes) => ({ name, mimeType: "", buffer: Buffer.from(bytes) });
  for (const name of ["notes.txt", "scan.dcm", "masks.zip", "plain"])
    assert.match(await give(page, [file(name, "nothing that anybody drew")]), new RegExp(`^${name}: `), name);
  const map = gunzipSync(readFileSync(join(cwd, names[0])));
  const other = Buffer.from(map);
  for (const place of [80, 280]) other.writeFloatLE(1.7, place);
  writeFileSync(join(cwd, "case/stretched.nii"), other);
  const grids = [names[0], "case/stretched.nii"];
  assert.equal(await give(page, grids), sentence(grids));
  map[352] = 3;
  map[353] = 2;
  writeFileSync(join(cwd, "case/map.nii"), map);
  assert.match(await give(page, ["case/map.nii", names[1]]), /^map\.nii: .*Such settings are those of the program: crema fuse\.$/);
  const empty = Buffer.from(map).fill(0, 352);
  assert.match(await give(page, [file("nobody.nii", empty)]), /no rater drew anything/);
  assert.match(await give(page, [names[0]]), /^1 mask,/);
  assert.match(await give(page, names), /^5 masks,/);
  assert.deepEqual(heard, { requests: [], complaints: [], dialogs: 0 });
  await close();
});

test("masks can be dropped, and what was given last is shown", async (context) => {
  if (!able) return context.skip(LACKING);
  const { page, heard, close } = await start();
  await Promise.all([drop(page, names), drop(page, names.slice(0, 3))]);
  await until(page, () => /read and fused/.test(document.getElementById("status").innerHTML));
  assert.match(await page.locator("#status").textContent(), /^3 masks,/);
  assert.equal(await page.locator("#viewer").count(), 1);
  await page.evaluate(() => {
    globalThis.before = globalThis.crema.look;
  });
  await give(page, names.slice(0, 3));
  assert.equal(await page.evaluate(() => globalThis.before.watchers.length), 0, "what was shown before is kept");
  assert.ok(fused(names.slice(0, 3), "-m", "jaccard").equals(await saved(page, "jaccard", ".nii")));
  assert.deepEqual({ ...heard, requests: [] }, { requests: [], complaints: [], dialogs: 0 });
  await close();
});

test("hostile names are inert", async (context) => {
  if (!able) return context.skip(LACKING);
  const { page, heard, close } = await start();
  const buffer = readFileSync(join(cwd, names[0]));
  await give(page, [{ name: "<img src=x onerror=alert(1)>.nii.gz", mimeType: "", buffer },
    { name: "\"'&\u202e.nii.gz", mimeType: "", buffer: readFileSync(join(cwd, names[1])) }]);
  assert.equal(await page.locator("#case img").count(), 0);
  assert.deepEqual(heard, { requests: [], complaints: [], dialogs: 0 });
  await close();
});

test("the page is valid HTML", async (context) => {
  if (!able) return context.skip(LACKING);
  return assertValid(join(cwd, "crema.html"));
});

for (const screen of screens)
  test(`axe-core finds nothing before and after masks were given, ${nameOf(screen)}`, async (context) => {
    if (!able) return context.skip(LACKING);
    const { page, close } = await start(screen);
    await assertOpen(page, `app-before-${nameOf(screen)}`);
    await give(page, names);
    await drawn(page);
    await assertOpen(page, `app-${nameOf(screen)}`);
    await close();
  });
