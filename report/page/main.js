// SPDX-License-Identifier: Apache-2.0
// Puts the viewer into the page.
import { make } from "./format.js";
import { readCase } from "./data.js";
import { Engine } from "./engine.js";
import { stage } from "./stage.js";
import { startWhatIf } from "./whatif.js";

async function start() {
  const box = document.getElementById("viewer");
  if (typeof DecompressionStream === "undefined") {
    box.hidden = false;
    box.append(make("p", { class: "note" },
      "This browser is too old for the viewer; one of 2023 or newer has it. The picture and the tables are here."));
    return;
  }
  const data = await readCase();
  // For tests and for those who work on the page.
  globalThis.crema = { ...stage(data, box, document), ready: performance.now() };
  const { look, panel } = globalThis.crema;
  globalThis.crema.whatIf = await startWhatIf(data, look, panel, await Engine.load(data));
}

start().catch((error) => {
  const box = document.getElementById("viewer");
  box.hidden = false;
  box.append(make("p", { class: "note" }, `The viewer could not start: ${error.message}`));
  throw error;
});
