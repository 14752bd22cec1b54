// SPDX-License-Identifier: Apache-2.0
// crema itself, compiled to WebAssembly: fuses the masks of the page again.
import { content, inflate } from "./data.js";

/** What the module wants from outside: a clock, and nobody to write to. */
function surroundings(module, memory) {
  const given = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    given[from] ??= {};
    if (kind !== "function") continue;
    given[from][name] = (...values) => {
      if (name === "proc_exit") throw new Error("it stopped");
      if (name === "clock_time_get")
        new DataView(memory().buffer).setBigUint64(values.at(-1), BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    };
  }
  return given;
}

/** The masks as the module wants them: for each voxel who drew it, in 64 bits. */
function fillSets(data, memory, place) {
  const sets = new Uint32Array(memory.buffer, place, 2 * data.rowOf.length);
  for (let v = 0; v < data.rowOf.length; ++v) {
    sets[2 * v] = data.rows.low[data.rowOf[v]];
    sets[2 * v + 1] = data.rows.high[data.rowOf[v]];
  }
}

/** The module of the page, compiled; null where it has none. */
export async function compiled() {
  const letters = content("wasm");
  return letters && typeof WebAssembly !== "undefined" ? WebAssembly.compile(await inflate(letters)) : null;
}

/** What a module offers, with memory of its own. */
export async function started(module) {
  let calls = null;
  const instance = await WebAssembly.instantiate(module, surroundings(module, () => calls.memory));
  calls = instance.exports;
  calls._initialize?.();
  return calls;
}

/** Calls something with a text; its answer is JSON, an error in it is thrown. */
export function asked(calls, name, text) {
  const bytes = new TextEncoder().encode(`${text}\0`);
  const place = calls.crema_take(bytes.length) >>> 0;
  new Uint8Array(calls.memory.buffer, place, bytes.length).set(bytes);
  const told = calls[name](place) >>> 0;
  calls.crema_give(place);
  const memory = new Uint8Array(calls.memory.buffer);
  const answer = JSON.parse(new TextDecoder().decode(memory.subarray(told, memory.indexOf(0, told))));
  if (answer.error) throw new Error(answer.error);
  return answer;
}

/** What is told of an error; what the module throws without words is that memory has run out. */
export const wordsOf = (error) =>
  error.message || "This takes more memory than the browser gives; use the program: crema fuse.";

export const linesOf = (settings) => Object.entries(settings).map(([name, value]) => `${name} ${value}\n`).join("");

export class Engine {
  constructor(data, calls) {
    this.data = data;
    this.calls = calls;
    this.opened = false;
  }

  /** Hands the masks over at the first question: most who look at a page ask none. */
  open() {
    if (this.opened) return;
    const { data, calls } = this;
    fillSets(data, calls.memory, calls.crema_open(...data.size, ...data.spacing, data.raters.length) >>> 0);
    this.opened = true;
  }

  /** Null where the page has no module, or not all voxels. */
  static async load(data) {
    const module = data.meta.partial ? null : await compiled();
    return module ? new Engine(data, await started(module)) : null;
  }

  /** Settings by name, as the program has them; `levels` is one per voxel of the box. */
  ask(settings) {
    this.open();
    const answer = asked(this.calls, "crema_ask", linesOf(settings));
    const levels = new Float32Array(this.calls.memory.buffer, this.calls.crema_levels() >>> 0, this.data.rowOf.length);
    return { ...answer, levels: levels.slice() };
  }
}
