// SPDX-License-Identifier: Apache-2.0
// Puts the viewer into the page.
import { make } from "./format.js";
import { readCase, readDesk, readLabels } from "./data.js";
import { compiled, Engine } from "./engine.js";
import { stage } from "./viewer/stage.js";
import { startChooser } from "./chooser.js";
import { Labels } from "./labels.js";
import { startWhatIf } from "./whatif.js";
import { startDesk } from "./desk/desk.js";
import { followAddress, startFramed } from "./framed.js";

function setStatus(words) {
  const box = document.getElementById("viewer");
  box.hidden = false;
  box.append(make("p", { class: "note" }, words));
}

/** There is no module, and the section says why. */
function sayWhy(error) {
  document.getElementById("whatif-box")?.replaceChildren(make("p", { class: "note" }, error.message));
  return null;
}

/** Shows structures, one at a time, in the place of the first. */
class Shelf {
  constructor() {
    this.first = document.getElementById("case").cloneNode(true);
    this.compiled = null;
    this.turn = 0;
    const facts = readLabels();
    this.labels = facts ? new Labels(facts, (number) => readCase(number, false), readDesk) : null;
  }

  /** The module, once for all structures; null where the page has none, or not all voxels. */
  async module(data) {
    if (data.meta.partial) return null;
    this.compiled ??= compiled();
    return this.compiled;
  }

  /** The sections of a structure, as they were before a viewer was put into them. */
  fresh(number) {
    const place = make("div", { id: "case" });
    const from = number === 0 ? this.first : document.getElementById(`case-${number}`).content;
    place.append(...from.cloneNode(true).childNodes);
    document.getElementById("case").replaceWith(place);
    return place;
  }

  /** All structures of the page; the one that is shown need not be read again. */
  async all(number, data) {
    const structures = [];
    for (let n = 0; n === 0 || document.getElementById(`data-${n}`); ++n)
      structures.push(n === number ? data : this.labels?.list[n] ?? await readCase(n, false));
    return structures;
  }

  async show(number) {
    const mine = ++this.turn;
    const data = await readCase(number);
    if (mine !== this.turn) return;
    globalThis.crema?.look.forget();
    globalThis.crema?.desk?.forget();
    const place = globalThis.crema ? this.fresh(number) : document.getElementById("case");
    // For tests and for those who work on the page.
    const others = () => this.all(number, data);
    globalThis.crema = { ...stage(data, place.querySelector("#viewer"), place), number, others, ready: performance.now() };
    const { look, panel } = globalThis.crema;
    globalThis.crema.labels = this.labels;
    this.labels?.turnTo(number, look);
    globalThis.crema.desk = startDesk(globalThis.crema, place);
    const module = await this.module(data).catch(sayWhy);
    if (mine === this.turn)
      globalThis.crema.whatIf = startWhatIf(data, look, panel, module ? new Engine(data, module) : null);
  }
}

async function start() {
  if (typeof DecompressionStream === "undefined") {
    setStatus("This browser is too old for the viewer, which needs one of 2023 or newer. The picture and the tables are below.");
    return;
  }
  const shelf = new Shelf();
  await shelf.show(0);
  startChooser(document, (number) => shelf.show(number).catch(refuse), shelf.labels);
  startFramed();
  await shelf.labels?.load();
  followAddress();
}

function refuse(error) {
  setStatus(`The viewer could not start: ${error.message}`);
  throw error;
}

start().catch(refuse);
