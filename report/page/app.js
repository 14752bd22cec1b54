// SPDX-License-Identifier: Apache-2.0
// Takes masks, and shows of them what a report shows.
import { make, plural } from "./format.js";
import { caseOf, greyOf } from "./data.js";
import { request, compiled, Engine, started, wordsOf } from "./engine.js";
import { masksOf, named, putIn } from "./dropped.js";
import { askAgain, Reading } from "./reading.js";
import { cutPhoto, fitPhoto, photoAmong } from "./photo.js";
import { partOf, Save } from "./save.js";
import { stage } from "./viewer/stage.js";
import { startChooser } from "./chooser.js";
import { startDesk } from "./desk/desk.js";
import { Labels } from "./labels.js";
import { startWhatIf } from "./whatif.js";

const status = document.getElementById("status");

function setStatus(words, refused = false) {
  status.replaceChildren(make("p", refused ? { class: "refused" } : {}, words));
}

/** A case that is in view stays there. */
const refuse = (error) => setStatus(wordsOf(error) + (globalThis.crema?.data ? " The previous case is still shown below." : ""), true);

/** Lets a message be seen before the page is busy. */
const seen = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));

const textOf = (calls, place) => new TextDecoder().decode(partOf(calls, place));

/** What the module says of a structure. */
function metaOf(calls, { json }) {
  const meta = JSON.parse(textOf(calls, json));
  if (meta.desk && !summed(calls, meta.desk)) meta.desk = null;
  return meta;
}

/** A structure of the files that lie in the module. */
function read(calls, structure) {
  const { voxels, painted, html } = structure;
  const levels = Object.fromEntries(painted.map((one) => [one.name, partOf(calls, one.levels)]));
  const meta = metaOf(calls, structure);
  const grey = meta.grey_box ? greyOf(meta, partOf(calls, calls.grey), calls.greyScale) : null;
  return { data: caseOf(meta, partOf(calls, voxels), levels, grey), html: textOf(calls, html) };
}

/** Puts the sums of the files into what decisions say of them, where the module has their paths; false where one has none. */
function summed(calls, { inputs }) {
  for (const input of inputs) input.sha256 = calls.sums.get(input.sha256) ?? "";
  return inputs.every((input) => input.sha256);
}

/** Shows a structure in the place of the one that was there. */
function put(calls, number) {
  const { data, html } = read(calls, calls.structures[number]);
  if (calls.photo) data.photo = cutPhoto(data, calls.photo);
  globalThis.crema.look?.forget();
  globalThis.crema.desk?.forget();
  const place = make("div", { id: "case" });
  place.innerHTML = html; // made by the module, where names are escaped
  document.getElementById("case").replaceWith(place);
  const shown = stage(data, place.querySelector("#viewer"), place);
  const others = () => calls.structures.map((one, n) => (n === number ? data : calls.labels?.list[n] ?? read(calls, one).data));
  Object.assign(shown, { number, others, labels: calls.labels });
  calls.labels?.turnTo(number, shown.look);
  shown.desk = startDesk(shown, place);
  shown.whatIf = startWhatIf(data, shown.look, shown.panel, new Engine(data, calls.module));
  shown.save = new Save(shown, calls);
  place.querySelector("#look").after(shown.save.box());
  Object.assign(globalThis.crema, shown);
}

/** The case of the files: its first structure, and buttons for the others. */
function show(calls) {
  const { reading } = calls;
  const places = reading.ask((text) => request(calls, "crema_show", text));
  if (calls.photo) fitPhoto(metaOf(calls, places.structures[0]).grid, calls.photo);
  globalThis.crema.look?.forget();
  globalThis.crema.desk?.forget();
  globalThis.crema = { views: [], calls };
  calls.masks = reading.masks;
  calls.grey = places.grey;
  calls.greyScale = places.grey_scale;
  const whole = document.getElementById("shown");
  whole.innerHTML = textOf(calls, places.chooser); // as above
  whole.append(make("div", { id: "case" }));
  whole.insertAdjacentHTML("beforeend", textOf(calls, places.end));
  calls.structures = places.structures;
  calls.end = places.end;
  const facts = JSON.parse(textOf(calls, places.labels) || "null");
  calls.labels = facts ? new Labels(facts, (number) => read(calls, places.structures[number]).data,
    (number) => metaOf(calls, places.structures[number]).desk) : null;
  put(calls, 0);
  startChooser(whole, (number) => put(calls, number), calls.labels);
  calls.labels?.load();
  return places;
}

/** Reads the files in the way that was chosen, and shows them. */
function showThem(calls) {
  const again = () => {
    setStatus("Reading …");
    seen().then(() => showThem(calls));
  };
  try {
    const start = performance.now();
    const { structures } = show(calls);
    globalThis.crema.took = performance.now() - start;
    document.getElementById("files").classList.add("taken");
    const { data } = globalThis.crema;
    const kind = data.meta.label ? ["label map", "label maps"] : data.raterLevels ? ["probability map", "probability maps"] : ["mask", "masks"];
    const raters = plural(data.raters.length, ...kind) + (data.meta.label ? ` with ${plural(structures.length, "label", "labels")}` : "");
    setStatus(`${raters}, read and fused in ${(globalThis.crema.took / 1000).toFixed(2)} s.${calls.reading.words()}`);
  } catch (error) {
    refuse(error);
  }
  askAgain(status, calls.reading, again);
}

/** How often files were given: what was given last is what is shown. */
let turn = 0;

/** A module with fresh memory for each case: memory is never given back. */
async function take(module, files) {
  const mine = ++turn;
  const late = () => mine !== turn;
  try {
    const list = named(files);
    setStatus(`Reading ${plural(list.length, "file", "files")} …`);
    await seen();
    const calls = { module, ...(await started(module)) };
    globalThis.crema.calls = calls;
    calls.photo = await photoAmong(list);
    const masks = list.filter(({ path }) => path !== calls.photo?.path);
    if (calls.photo && !masks.length) throw new Error(`${calls.photo.path} is a photograph; drop it together with its masks.`);
    await putIn(calls, masks, late);
    if (late()) return;
    calls.reading = new Reading(masksOf(masks.map(({ path }) => path)));
    calls.reading.photo = calls.photo !== null;
    showThem(calls);
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
    else setStatus("Nothing dropped was a file; drop masks from a folder of this computer.", true);
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
    return setStatus("This browser is too old, or WebAssembly is switched off; use the program: crema fuse.", true);
  const module = await compiled();
  globalThis.crema = { views: [] };
  listen(module);
  return undefined;
}

begin().catch((error) => {
  setStatus(`The page could not start: ${error.message}`, true);
  throw error;
});
