// SPDX-License-Identifier: Apache-2.0
// Elements and numbers.

/** An element: make("p", {class: "note"}, "text", child). Text is never read as markup. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** A name that people chose, which keeps its direction of writing to itself. */
export function nameOf(text) {
  return make("bdi", {}, text);
}

const SVG = "http://www.w3.org/2000/svg";

/** A short piece of a line, as it is drawn; without a colour it has that of letters. */
export function sample({ colour = null, width = 3, dash = "" }) {
  const picture = document.createElementNS(SVG, "svg");
  const line = document.createElementNS(SVG, "path");
  for (const [name, value] of Object.entries({ width: 26, height: 10, "aria-hidden": "true", class: "sample" }))
    picture.setAttribute(name, value);
  for (const [name, value] of Object.entries({ d: "M0 5H26", "stroke-width": width, "stroke-dasharray": dash }))
    if (value !== "") line.setAttribute(name, value);
  if (colour) line.setAttribute("stroke", colour);
  picture.append(line);
  return picture;
}

/** A rater's line and name. */
export function raterMark(rater) {
  return make("span", { class: "rater" }, sample(rater), nameOf(rater.name));
}

/** 1234567 as "1 234 567". */
export function grouped(number) {
  return String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** With its sign, and with so many digits behind the point. */
export function signed(number, digits = 0) {
  const size = Math.abs(number);
  return `${number < 0 ? "−" : "+"}${digits ? size.toFixed(digits) : grouped(size)}`;
}

export function plural(number, one, several) {
  return `${grouped(number)} ${number === 1 ? one : several}`;
}

/** A level with as many digits as make a difference. */
export function level(value) {
  return value === 0 || value === 1 ? String(value) : value.toFixed(3);
}

export function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}

/** A round length, 1, 2 or 5 times a power of ten, of at most so much. */
export function roundLength(most) {
  const power = 10 ** Math.floor(Math.log10(most));
  return [5, 2, 1].map((n) => n * power).find((length) => length <= most) ?? power;
}
