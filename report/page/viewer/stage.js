// SPDX-License-Identifier: Apache-2.0
// The viewer of a case: planes, what is beside them, and ways to places.
import { make } from "../format.js";
import { Plane } from "./planes.js";
import { Look } from "./look.js";
import { PlaneView } from "./viewer.js";
import { controls } from "./controls.js";
import { voxelBox } from "./hover.js";
import { Jumps } from "./jumps.js";
import { Compare } from "./compare.js";
import { Solid } from "../solid/solid.js";

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

/** While Space is held the image is seen alone. */
function hideOnSpace(look) {
  const free = (event) => event.key === " " && !event.target.closest?.("button, input:not([type=range]), select, textarea, a, summary");
  const press = (event) => {
    if (!free(event)) return;
    event.preventDefault();
    if (!look.bare) look.set({ bare: true });
  };
  const release = (event) => {
    if (event.key === " " && look.bare) look.set({ bare: false });
  };
  document.addEventListener("keydown", press);
  document.addEventListener("keyup", release);
  look.atEnd(() => {
    document.removeEventListener("keydown", press);
    document.removeEventListener("keyup", release);
  });
}

/** What is chosen with a pointer gives the keys back: Space would press the same button again, and a letter choose in a list. */
function freeKeys(box) {
  let pointed = false;
  box.addEventListener("pointerdown", () => (pointed = true));
  box.addEventListener("keydown", () => (pointed = false), true);
  const free = (event, what) => {
    if (pointed) event.target.closest(what)?.blur();
  };
  box.addEventListener("click", (event) => free(event, "button, input[type=checkbox], input[type=radio]"));
  box.addEventListener("change", (event) => free(event, "select"));
}

/** The way to the questions that lie below; null where the page has none. */
const whatIfLink = (root) => (root.querySelector("#whatif") ? make("a", { href: "#whatif" }, "What if: one rater fewer, another weight or method") : null);

/** Puts the viewer into a box; links within `root` lead into it. */
export function stage(data, box, root) {
  const look = new Look(data);
  const views = planesOf(data).map(([plane, name]) => new PlaneView(data, look, plane, name));
  const jumps = new Jumps(data, look);
  const panel = controls(data, look, views, jumps);
  const compare = new Compare(data, look);
  panel.box.append(compare.box());
  const [main, ...others] = views.map((view) => view.box);
  main.classList.add("main");
  const solid = others.length ? new Solid(data, look) : null;
  if (solid) panel.box.querySelector(".buttons").append(solid.button);
  box.append(make("div", { class: `planes${others.length ? "" : " flat"}` }, main, ...others),
    make("div", { class: "side" }, voxelBox(data, look), whatIfLink(root), panel.box));
  box.hidden = false;
  document.documentElement.classList.add("alive");
  hideOnSpace(look);
  freeKeys(box);
  jumps.listen(root);
  jumps.disputed();
  return { data, look, views, jumps, panel, compare, solid };
}
