// SPDX-License-Identifier: Apache-2.0
// The viewer of a case: planes, what is beside them, and ways to places.
import { make } from "./format.js";
import { Plane } from "./planes.js";
import { Look, PlaneView } from "./viewer.js";
import { controls } from "./controls.js";
import { voxelBox } from "./hover.js";
import { Jumps } from "./jumps.js";

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

/** Puts the viewer into a box; links within `root` lead into it. */
export function stage(data, box, root) {
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
  jumps.listen(root);
  jumps.disputed();
  return { data, look, views, jumps, panel };
}
