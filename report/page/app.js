// SPDX-License-Identifier: Apache-2.0
// Takes masks, and shows of them what a report shows.
import { make, plural } from "./format.js";
import { caseOf } from "./data.js";
import { asked, compiled, Engine, started, wordsOf } from "./engine.js";
import { masksOf, named, putIn } from "./dropped.js";
import { partOf, Save } from "./save.js";
import { stage } from "./stage.js";
import { startWhatIf } from "./whatif.js";

const status = document.getElementById("status");

function tell(words, refused = false) {
  status.replaceChildren(make("p", refused ? { class: "refused" } : {}, words));
}

const refuse = (error) => tell(wordsOf(error), true);

/** Lets what was told be seen before the page is busy. */
const seen = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));

/** The case of files that lie in the module. */
function read(calls, paths) {
  const places = asked(calls, "crema_show", masksOf(paths).join("\n"));
  const text = (place) => new TextDecoder().decode(partOf(calls, place));
  const painted = Object.fromEntries(places.painted.map(({ name, levels }) => [name, partOf(calls, levels)]));
  const data = caseOf(JSON.parse(text(places.json)), partOf(calls, places.voxels), painted);
  return { data, html: text(places.html) };
}

function show(calls, { data, html }) {
  const place = make("div", { id: "case" });
  place.innerHTML = html; // made by the module, where names are escaped
  document.getElementById("case").replaceWith(place);
  const shown = stage(data, place.querySelector("#viewer"), place);
  shown.whatIf = startWhatIf(data, shown.look, shown.panel, new Engine(data, calls));
  shown.save = new Save(shown, calls);
  place.querySelector("#look").after(shown.save.box());
  return shown;
}

/** How often files were given: what was given last is what is shown. */
let turn = 0;

/** A module with fresh memory for each case: memory is never given back. */
async function take(module, files) {
  const mine = ++turn;
  const late = () => mine !== turn;
  globalThis.crema.look?.forget();
  globalThis.crema = { views: [] };
  document.getElementById("case").replaceChildren();
  try {
    const list = named(files);
    tell(`Reading ${plural(list.length, "file", "files")} …`);
    await seen();
    const calls = await started(module);
    globalThis.crema.calls = calls;
    await putIn(calls, list, late);
    if (late()) return;
    const start = performance.now();
    const shown = show(calls, read(calls, list.map(({ path }) => path)));
    globalThis.crema = { ...shown, calls, took: performance.now() - start };
    tell(`${plural(shown.data.raters.length, "mask", "masks")}, read and fused in ` +
      `${((performance.now() - start) / 1000).toFixed(2)} s.`);
  } catch (error) {
    if (!late()) refuse(error);
  }
}

function listen(module) {
  const drop = document.getElementById("drop");
  const choose = document.getElementById("choose");
  const over = (on) => (event) => {
    event.preventDefault();
    drop.classList.toggle("over", on);
  };
  document.addEventListener("dragover", over(true));
  document.addEventListener("dragleave", over(false));
  document.addEventListener("drop", (event) => {
    over(false)(event);
    if (event.dataTransfer.files.length) take(module, event.dataTransfer.files);
    else tell("There was no file in what was dropped; drop masks from a folder of this computer.", true);
  });
  // So that the same files can be chosen again.
  choose.addEventListener("click", () => {
    choose.value = "";
  });
  choose.addEventListener("change", () => {
    if (choose.files.length) take(module, choose.files);
  });
  drop.hidden = false;
}

async function begin() {
  if (typeof WebAssembly === "undefined" || typeof CompressionStream === "undefined")
    return tell("This browser is too old, or has WebAssembly switched off; the program does the same: crema fuse.", true);
  const module = await compiled();
  globalThis.crema = { views: [] };
  listen(module);
  return undefined;
}

begin().catch((error) => {
  tell(`The page could not start: ${error.message}`, true);
  throw error;
});
