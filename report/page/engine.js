// SPDX-License-Identifier: Apache-2.0
// crema itself, compiled to WebAssembly: fuses the masks or levels of the page again.
import { bytesOfLetters, content, inflate } from "./data.js";

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

/** A checksum in letters. */
export const inHex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** What a page beside this one hands over: it is shown in a frame that may do nothing else. Null where nothing comes. */
function handedOver(page) {
  return new Promise((done) => {
    const frame = document.createElement("iframe");
    frame.sandbox = "allow-scripts";
    frame.hidden = true;
    frame.src = page;
    const hear = ({ source, data }) => {
      if (source === frame.contentWindow) end(typeof data === "string" ? data : null);
    };
    const timer = setTimeout(() => end(null), 60000);
    const end = (letters) => {
      clearTimeout(timer);
      removeEventListener("message", hear);
      frame.remove();
      done(letters);
    };
    // It speaks before it is loaded, which a busy computer may hand on late; what is not there is loaded, too, as the
    // browser's own words.
    frame.onload = () => setTimeout(() => end(null), 5000);
    addEventListener("message", hear);
    document.body.append(frame);
  });
}

/** The module that the pages of a run share, in letters. Throws a sentence where it is another one. */
async function sharedLetters() {
  const { page, sha256 } = JSON.parse(content("engine"));
  const letters = await handedOver(page);
  const name = page.split("/").at(-1);
  if (!letters) throw new Error(`${name}, which this page needs to fuse again, is not in the run's folder.`);
  const bytes = bytesOfLetters(letters);
  if (inHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))) !== sha256)
    throw new Error(`${name} does not match this page; crema cohort run writes it again.`);
  return letters;
}

/** The module of the page, compiled; null where it has none. */
export async function compiled() {
  const letters = content("engine") ? await sharedLetters() : content("wasm");
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
export function request(calls, name, text) {
  const bytes = new TextEncoder().encode(`${text}\0`);
  const place = calls.crema_take(bytes.length) >>> 0;
  new Uint8Array(calls.memory.buffer, place, bytes.length).set(bytes);
  const reply = calls[name](place) >>> 0;
  calls.crema_give(place);
  const memory = new Uint8Array(calls.memory.buffer);
  const answer = JSON.parse(new TextDecoder().decode(memory.subarray(reply, memory.indexOf(0, reply))));
  if (answer.error) throw Object.assign(new Error(answer.error), { offers: answer.offers ?? [] });
  return answer;
}

/** The words for an error; what the module throws without words is that memory has run out. */
export const wordsOf = (error) =>
  error.message || "The browser does not have enough memory for this; use the program: crema fuse.";

export const linesOf = (settings) => Object.entries(settings).map(([name, value]) => `${name} ${value}\n`).join("");

/** What runs in the worker: opens masks, then answers one question after the other. */
function serve() {
  let calls = null;
  let voxels = 0;
  const open = async ({ module, sets, levels, size, spacing, raters }) => {
    calls = await started(module);
    voxels = size[0] * size[1] * size[2];
    if (levels) {
      const place = calls.crema_open_levels(...size, ...spacing, raters) >>> 0;
      levels.forEach((own, k) => new Uint8Array(calls.memory.buffer, place + k * voxels, voxels).set(own));
      return;
    }
    const place = calls.crema_open(...size, ...spacing, raters) >>> 0;
    new Uint32Array(calls.memory.buffer, place, sets.length).set(sets);
  };
  const answerTo = (text) => {
    const answer = request(calls, "crema_ask", text);
    const levels = new Float32Array(calls.memory.buffer, calls.crema_levels() >>> 0, voxels).slice();
    return { answer: { ...answer, levels } };
  };
  globalThis.onmessage = async ({ data }) => {
    try {
      if (data.module) await open(data);
      const result = answerTo(data.text);
      globalThis.postMessage(result, [result.answer.levels.buffer]);
    } catch (error) {
      globalThis.postMessage({ error: error.message });
    }
  };
}

/** The same functions as in the page. */
const serverText = () => `${[surroundings, started, request].map(String).join("\n")}\n(${serve})();`;

/** Fuses in a thread of its own, so that the page goes on; a question that is no longer of interest is dropped. */
export class Engine {
  constructor(data, module) {
    this.data = data;
    this.module = module;
    this.worker = null;
    this.refuse = null;
  }

  /** Hands the masks over at the first question: most who look at a page ask none. */
  opening() {
    const { data, module } = this;
    const given = { module, size: data.size, spacing: data.spacing, raters: data.raters.length };
    if (data.raterLevels) return { ...given, levels: data.raterLevels };
    const sets = new Uint32Array(2 * data.rowOf.length);
    for (let v = 0; v < data.rowOf.length; ++v) {
      sets[2 * v] = data.rows.low[data.rowOf[v]];
      sets[2 * v + 1] = data.rows.high[data.rowOf[v]];
    }
    return { ...given, sets };
  }

  /** Settings by name, as the program has them; `levels` is one per voxel of the box. Another question ends this one. */
  ask(settings) {
    if (this.refuse) this.stop();
    const fresh = !this.worker;
    if (fresh) {
      const address = URL.createObjectURL(new Blob([serverText()], { type: "text/javascript" }));
      this.worker = new Worker(address);
      URL.revokeObjectURL(address);
    }
    return new Promise((done, refuse) => {
      this.refuse = refuse;
      const end = (f) => (value) => {
        this.refuse = null;
        f(value);
      };
      this.worker.onmessage = ({ data: { answer, error } }) =>
        (answer ? end(done)(answer) : end(refuse)(new Error(error)));
      this.worker.onerror = () => end(refuse)(new Error("The browser could not start a worker to fuse in."));
      this.worker.postMessage({ ...(fresh ? this.opening() : {}), text: linesOf(settings) });
    });
  }

  /** Ends what goes on; the next question starts anew. */
  stop() {
    this.worker?.terminate();
    this.worker = null;
    this.refuse?.(new Stopped("stopped"));
    this.refuse = null;
  }
}

/** The question is no longer of interest. */
export class Stopped extends Error {}
