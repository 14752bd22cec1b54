// SPDX-License-Identifier: Apache-2.0
// How the image beneath is seen: its window, by numbers or a preset, and smoothed or not.
import { make } from "../format.js";

/** Level and width in Hounsfield units. */
const CT = [["CT brain", 40, 80], ["CT soft tissue", 50, 400], ["CT lung", -600, 1500], ["CT bone", 500, 2000]];

/** Air is far below zero in Hounsfield units and in nothing else that is common. */
const isCt = ({ low }) => low <= -500;

/** Windows by name, as [black, white]. */
export function presetsOf({ low, step, window }, steps) {
  const named = [["automatic", window], ["all values", [low, low + step * (steps - 1)]]];
  if (isCt({ low })) named.push(...CT.map(([name, level, width]) => [name, [level - width / 2, level + width / 2]]));
  return named;
}

const short = (number) => String(Number(number.toPrecision(5)));

/** The box of the image; null where the page has none. */
export function imageChoice(data, look) {
  if (!data.grey) return null;
  const highest = data.grey.reduce((most, code) => Math.max(most, code), 0);
  const presets = presetsOf(data.greyScale, highest + 1);
  const option = (name) => make("option", { value: name }, name);
  const preset = make("select", {
    "aria-label": "window of the image",
    onchange: () => look.set({ window: [...(presets.find(([name]) => name === preset.value)?.[1] ?? look.window)] }),
  }, ...presets.map(([name]) => option(name)), option("own"));
  const number = (label) => make("input", { type: "number", step: "any", "aria-label": label, onchange: () => choose() });
  const [level, width] = [number("level of the window"), number("width of the window")];
  const choose = () => {
    const [middle, wide] = [Number(level.value), Math.max(Number(width.value), data.greyScale.step)];
    look.set({ window: [middle - wide / 2, middle + wide / 2] });
  };
  const refresh = () => {
    const [black, white] = look.window;
    preset.value = presets.find(([, [low, high]]) => low === black && high === white)?.[0] ?? "own";
    level.value = short((black + white) / 2);
    width.value = short(white - black);
  };
  const smooth = make("input", { type: "checkbox", "data-smooth": "", onchange: () => look.set({ smooth: smooth.checked }) });
  look.watch((changes) => {
    if ("window" in changes) refresh();
  });
  refresh();
  return make("fieldset", { class: "imagery" }, make("legend", {}, "Image"),
    make("label", { class: "choice" }, "window", preset), make("label", { class: "choice" }, "level", level),
    make("label", { class: "choice" }, "width", width), make("label", { class: "choice" }, smooth, "smooth"));
}
