// SPDX-License-Identifier: Apache-2.0
// The page that takes files: what is dropped gives what the program gives, or its sentence.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { after, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { assertOpen, assertValid, nameOf, screens } from "./form.mjs";
import { answered, browser, crema, drawn, folder, join, labelMaps, open, phantom, pictures, remove, until, writeFileSync } from "./kit.mjs";

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
  const { page, events, close } = await start();
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
  events.requests = events.requests.filter((asked) => !asked.startsWith("blob:"));
  assert.deepEqual(events, { requests: [], complaints: [], dialogs: 0 });
  await close();
});

test("headers and their voxels in files of their own are dropped together", async (context) => {
  if (!able) return context.skip(LACKING);
  const { page, close } = await start();
  const pairs = names.flatMap((name, k) => {
    const bytes = gunzipSync(readFileSync(join(cwd, name)));
    const size = [1, 2, 3].map((n) => bytes.readInt16LE(40 + 2 * n));
    const header = k % 2
      ? `NRRD0004\ntype: uchar\ndimension: 3\nsizes: ${size.join(" ")}\nencoding: raw\ndata file: apart-${k}.raw\n`
      : `ObjectType = Image\nNDims = 3\nDimSize = ${size.join(" ")}\nElementType = MET_UCHAR\nElementDataFile = apart-${k}.raw\n`;
    const path = `apart-${k}.${k % 2 ? "nhdr" : "mhd"}`;
    writeFileSync(join(cwd, path), header);
    writeFileSync(join(cwd, `apart-${k}.raw`), bytes.subarray(bytes.readFloatLE(108)));
    return [path, `apart-${k}.raw`];
  });
  assert.match(await give(page, pairs), /^5 masks, read and fused/);
  const program = fused(pairs.filter((path) => !path.endsWith(".raw")), "-m", "jaccard");
  assert.ok(program.equals(await saved(page, "jaccard", ".nii")));
  // The first of them is a header of MetaImage: it is saved in one file of that format.
  assert.match((await saved(page, "jaccard", ".mha")).subarray(0, 20).toString(), /^ObjectType = Image/);
  assert.match(await give(page, pairs.filter((path) => path !== "apart-2.raw")), /apart-2\.raw, which is missing/);
  await close();
});

test("masks that are dropped can be decided about, and crema apply makes the same mask of it", async (context) => {
  if (!able) return context.skip(LACKING);
  const { page, close } = await start();
  await give(page, names);
  for (const key of ["n", "r", "a", "2", "m"]) await page.keyboard.press(key);
  assert.match(await page.locator("#desk .progress").textContent(), /^4 of/);
  const handed = async (button) => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.locator(button).click()]);
    return readFileSync(await file.path());
  };
  const mask = await handed("#save-final");
  writeFileSync(join(cwd, "app-decisions.json"), await handed("#save-decisions"));
  crema(cwd, "apply", "app-decisions.json", ...names, "-o", "app-applied.nii", "--force");
  assert.ok(mask.equals(readFileSync(join(cwd, "app-applied.nii"))), "the bytes differ");
  await close();
});

/** A picture that the browser itself packs: a disc of a colour on another. */
const drawnIn = (page, type, radius, colours) => page.evaluate(async ([kind, r, [ground, ink]]) => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 60, height: 40 });
  const context = canvas.getContext("2d");
  for (let x = 0; x < 60; ++x) {
    context.fillStyle = ground === "many" ? `rgb(${4 * x} 90 ${255 - 4 * x})` : ground;
    context.fillRect(x, 0, 1, 40);
  }
  context.fillStyle = ink;
  context.fillRect(30 - r, 20 - r, 2 * r, 2 * r);
  return canvas.toDataURL(kind).split(",")[1];
}, [type, radius, colours]);

/** A mask as PNG in grey: a square. */
function squareOf(name, half) {
  const script = "import sys, zlib, struct; name, r = sys.argv[1], int(sys.argv[2]); " +
    "rows = b''.join(b'\\0' + bytes(255 if abs(x - 29.5) < r and abs(y - 19.5) < r else 0 for x in range(60)) for y in range(40)); " +
    "part = lambda kind, data: struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data)); " +
    "open(name, 'wb').write(b'\\x89PNG\\r\\n\\x1a\\n' + part(b'IHDR', struct.pack('>IIBBBBB', 60, 40, 8, 0, 0, 0, 0)) + part(b'IDAT', zlib.compress(rows)) + part(b'IEND', b''))";
  execFileSync("python3", ["-c", script, join(cwd, name), String(half)]);
  return name;
}

for (const [type, ending] of [["image/jpeg", "jpg"], ["image/png", "png"]])
  test(`a photograph (${ending}) lies beneath 2-D masks, which have pixels and no slices`, async (context) => {
    if (!able) return context.skip(LACKING);
    const { page, events, close } = await start();
    const photo = `photo.${ending}`;
    writeFileSync(join(cwd, photo), Buffer.from(await drawnIn(page, type, 5, ["many", "#c02020"]), "base64"));
    const masks = [4, 6, 7].map((half) => squareOf(`square-${half}.png`, half));
    assert.match(await give(page, [...masks, photo]), /^3 masks, read and fused/);
    await drawn(page);
    const seen = await page.evaluate(() => {
      const { views, look, data } = globalThis.crema;
      const { data: pixels } = views[0].beneath.getContext("2d").getImageData(30 - data.low[0], 20 - data.low[1], 1, 1);
      return { paint: look.paint, colour: [...pixels.subarray(0, 3)], size: data.size };
    });
    assert.equal(seen.paint, "none");
    assert.deepEqual(seen.size, [60, 40, 1], "all of the photograph is shown");
    seen.colour.forEach((v, n) => assert.ok(Math.abs(v - [192, 32, 32][n]) < 12, `${seen.colour}`));
    assert.equal(await page.locator(".along, #disputed").count(), 0);
    assert.match(await page.locator("#voxel").textContent(), /^pixel\d+, \d+drawn by/);
    assert.doesNotMatch(await page.locator("main").textContent(), /\bml\b/);
    await page.screenshot({ path: join(pictures, `app-photo-${ending}.png`) });
    writeFileSync(join(cwd, "small.jpg"), Buffer.from(await page.evaluate(() => Object.assign(document.createElement("canvas"),
      { width: 9, height: 9 }).toDataURL("image/jpeg").split(",")[1]), "base64"));
    assert.match(await give(page, [...masks, "small.jpg"]), /small\.jpg has 9 × 9 pixels, but the masks 60 × 40/);
    assert.match(await page.locator("#status").textContent(), /The previous case is still shown below/);
    assert.ok(await page.locator("#viewer canvas").first().isVisible(), "what was in view stays there");
    await page.keyboard.press("n");
    assert.equal(await page.evaluate(() => globalThis.crema.desk?.begun ?? true), true);
    assert.match(await give(page, [photo]), /is a photograph; drop it together with its masks/);
    assert.deepEqual(events, { requests: [], complaints: [], dialogs: 0 });
    await close();
  });

test("a what-if is saved as the program finds it", async (context) => {
  if (!able) return context.skip(LACKING);
  const { page, close } = await start();
  await give(page, names);
  await page.locator("#whatif .rater select").first().selectOption("out");
  await answered(page);
  await page.locator("#whatif .rater select").nth(2).selectOption("2");
  await answered(page);
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

test("label maps are fused label by label, and one label is seen at a time", async (context) => {
  if (!able) return context.skip(LACKING);
  const { page, close } = await start();
  const maps = labelMaps(cwd, names);
  assert.match(await give(page, maps), /^5 label maps with 2 labels/);
  assert.equal(await page.locator("#labels tbody tr").count(), 2);
  await page.locator("#chooser button").nth(1).click();
  assert.match(await page.locator("#verdict-heading").textContent(), /label 2$/);
  assert.equal(await page.locator("#viewer canvas").count(), 3);
  assert.ok(fused(maps, "--labels", "all", "-m", "jaccard").equals(await saved(page, "jaccard", ".nii")));
  assert.match(await give(page, names), /^5 masks/);
  assert.equal(await page.locator("#chooser").count(), 0);
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
  const shown = await give(page, [{ name: "large.nii.gz", mimeType: "", buffer: packed }]);
  assert.match(shown, /^64000000 voxels exceed the limit of 50000000 for this page; .*crema fuse/);
  assert.ok((await page.evaluate(() => globalThis.crema.calls.memory.buffer.byteLength)) < 40e6, "room was made for them");
  assert.match(await give(page, names), /^5 masks/);
  await close();
});

test("what is not a case gets a sentence, and the page goes on", async (context) => {
  if (!able) return context.skip(LACKING);
  const { page, events, close } = await start();
  await drop(page, []);
  assert.match(await page.locator("#status").textContent(), /^Nothing dropped was a file/);
  const file = (name, bytes) => ({ name, mimeType: "", buffer: Buffer.from(bytes) });
  for (const name of ["notes.txt", "scan.dcm", "masks.zip", "plain"])
    assert.match(await give(page, [file(name, "nothing that anybody drew")]), new RegExp(`^${name}: `), name);
  const map = gunzipSync(readFileSync(join(cwd, names[0])));
  const other = Buffer.from(map);
  for (const place of [80, 280]) other.writeFloatLE(1.7, place);
  writeFileSync(join(cwd, "case/stretched.nii"), other);
  const grids = [names[0], "case/stretched.nii"];
  assert.equal(await give(page, grids), sentence(grids));
  const soft = Buffer.alloc(352 + 4 * (map.length - 352));
  map.copy(soft, 0, 0, 352);
  soft.writeInt16LE(16, 70);
  soft.writeInt16LE(32, 72);
  for (const [place, level] of [0.3, 0.6, 1].entries()) soft.writeFloatLE(level, 352 + 4 * place);
  writeFileSync(join(cwd, "case/map.nii"), soft);
  assert.match(await give(page, ["case/map.nii", names[1]]), /^map\.nii: .*looks like a probability map.*cut the maps at 0\.5fuse the levels as they are$/);
  const empty = Buffer.from(map).fill(0, 352);
  assert.match(await give(page, [file("nobody.nii", empty)]), /no rater marked anything/);
  assert.match(await give(page, [names[0]]), /^1 mask,/);
  assert.match(await give(page, names), /^5 masks,/);
  assert.deepEqual(events, { requests: [], complaints: [], dialogs: 0 });
  await close();
});

test("masks can be dropped, and what was given last is shown", async (context) => {
  if (!able) return context.skip(LACKING);
  const { page, events, close } = await start();
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
  assert.deepEqual({ ...events, requests: [] }, { requests: [], complaints: [], dialogs: 0 });
  await close();
});

test("hostile names are inert", async (context) => {
  if (!able) return context.skip(LACKING);
  const { page, events, close } = await start();
  const buffer = readFileSync(join(cwd, names[0]));
  await give(page, [{ name: "<img src=x onerror=alert(1)>.nii.gz", mimeType: "", buffer },
    { name: "\"'&\u202e.nii.gz", mimeType: "", buffer: readFileSync(join(cwd, names[1])) }]);
  assert.equal(await page.locator("#case img").count(), 0);
  assert.deepEqual(events, { requests: [], complaints: [], dialogs: 0 });
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
