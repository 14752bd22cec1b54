// SPDX-License-Identifier: Apache-2.0
// Puts the viewer into the page.
import { make } from "./format.js";
import { readCase } from "./data.js";
import { Plane } from "./planes.js";
import { Look, PlaneView } from "./viewer.js";
import { controls } from "./controls.js";
import { voxelBox } from "./hover.js";
import { Jumps } from "./jumps.js";
import { startWhatIf } from "./whatif.js";

/** What a plane is called: by the patient where the file says how that lies. */
function nameOfPlane(view) {
  const across = ["RL", "LR"].some((pair) => view.letters.startsWith(pair));
  const upright = view.letters.endsWith("SI") || view.letters.endsWith("IS");
  if (view.letters.length < 4) return `across ${"xyz"[view.axis]}`;
  if (across) return upright ? "coronal" : "axial";
  return "sagittal";
}

/** The main plane first; a flat image has no others. */
function planesOf(data) {
  const axes = [data.meta.main, ...[2, 1, 0].filter((a) => a !== data.meta.main)];
  const shown = data.meta.grid.size[2] === 1 ? [2] : axes;
  return shown.map((axis) => {
    const view = data.meta.views[axis];
    return [new Plane(data.size, data.spacing, view), nameOfPlane(view)];
  });
}

async function start() {
  const box = document.getElementById("viewer");
  if (typeof DecompressionStream === "undefined") {
    box.hidden = false;
    box.append(make("p", { class: "note" },
      "This browser is too old for the viewer; one of 2023 or newer has it. The picture and the tables are here."));
    return;
  }
  const data = await readCase();
  const look = new Look(data);
  const views = planesOf(data).map(([plane, name]) => new PlaneView(data, look, plane, name));
  const jumps = new Jumps(data, look);
  const panel = controls(data, look, views, jumps);
  const [main, ...others] = views.map((view) => view.box);
  main.classList.add("main");
  box.append(make("div", { class: "stack" }, main, panel.box),
    make("div", { class: "stack" }, ...others, voxelBox(data, look)));
  box.hidden = false;
  document.documentElement.classList.add("alive");
  jumps.listen();
  jumps.disputed();
  // For tests and for those who work on the page.
  globalThis.crema = { data, look, views, jumps, panel, ready: performance.now() };
  globalThis.crema.whatIf = await startWhatIf(data, look, panel);
}

start().catch((error) => {
  const box = document.getElementById("viewer");
  box.hidden = false;
  box.append(make("p", { class: "note" }, `The viewer could not start: ${error.message}`));
  throw error;
});
