// SPDX-License-Identifier: Apache-2.0
// What is drawn over a slice: contours, the crosshair, letters and a scale.
import { roundLength } from "../format.js";
import { marks } from "../data.js";
import { lanes, pathOf } from "./contours.js";
import { DIFFERENCE, lineOf } from "./palette.js";

/** With more raters than this, lines are grey but for the one that is pointed at. */
export const MANY = 8;

export const colourOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const dashOf = (text) => (text ? text.split(" ").map(Number) : []);

/** A function that strokes loops on a view. */
function penOf(view, context, cell) {
  return (loops, inset, colour, width, dash) => {
    context.strokeStyle = colour;
    context.lineWidth = width * devicePixelRatio;
    context.setLineDash(dash.map((d) => d * devicePixelRatio));
    context.stroke(pathOf(loops, [view.left, view.top], cell, inset));
  };
}

/** The rater that is pointed at comes last. */
function drawRaters(view, line, cell) {
  const { data, look } = view;
  const insets = lanes(data.raters.length, Math.min(...cell));
  const grey = data.raters.length > MANY;
  const order = data.raters.map((_, k) => k).filter((k) => look.raters[k]).sort((a, b) => (a === look.lit) - (b === look.lit));
  for (const k of order) {
    const { colour, dash } = data.raters[k];
    const lit = k === look.lit;
    const loops = view.loops(`rater ${k} ${look.cut}`, (_, place) => marks(data, k, place, look.cut));
    line(loops, insets[k], grey && !lit ? colourOf("--many") : colour, lit ? 3 : 1.5, dashOf(dash));
  }
}

function drawMethod(view, line, m) {
  const { data, look } = view;
  const method = data.methods[m];
  const loops = view.loops(`method ${m} ${method.stamp ?? 0} ${look.cut}`,
    (_, place) => method.levelAt(data.rowOf, place) > look.cut);
  const style = lineOf(m);
  // A label's colour may be as light as the paper.
  const own = data.meta.label && m === 0;
  line(loops, 0, colourOf("--halo"), style.width + (own ? 3.4 : 2), []);
  if (own) line(loops, 0, colourOf("--line"), style.width + 1.4, []);
  line(loops, 0, own ? data.meta.colour : style.colour ?? colourOf("--line"), style.width, style.dash);
}

/** The consensus of other labels whose eye is open. */
function drawOthers(view, line) {
  const { others } = view.look;
  for (const [n] of others?.seen() ?? []) {
    const test = others.testOf(n, view.data);
    const loops = view.loops(`label ${n}`, (row, place) => test(place));
    line(loops, 0, colourOf("--halo"), 3.4, []);
    line(loops, 0, others.names[n].colour, 2, []);
  }
}

/** One mask in its colour, on a part of the canvas. */
function drawSide(view, context, line, side, colour, [from, to]) {
  const loops = view.loops(`${side} ${view.look.ab.turn}`, (row, place) => view.look.ab[side][place] === 1);
  context.save();
  context.beginPath();
  context.rect(from, 0, to - from, view.canvas.height);
  context.clip();
  const width = view.look.ab.mode === "difference" ? 1.4 : 2.4;
  line(loops, 0, colourOf("--halo"), width + 1.6, []);
  line(loops, 0, `rgb(${colour})`, width, []);
  context.restore();
}

/** Two masks: both, one left and one right of a line, or one at a time. */
function drawCompared(view, context, line) {
  const { mode, share, second } = view.look.ab;
  const { width, height } = view.canvas;
  const at = mode === "swipe" ? share * width : width;
  if (mode !== "blink" || !second) drawSide(view, context, line, "a", DIFFERENCE.lost, [0, at]);
  if (mode !== "blink" || second) drawSide(view, context, line, "b", DIFFERENCE.gained, [mode === "swipe" ? at : 0, width]);
  if (mode !== "swipe") return;
  context.fillStyle = colourOf("--accent");
  context.fillRect(at - devicePixelRatio, 0, 2 * devicePixelRatio, height);
}

/** Raters first, then other methods, and the consensus of the page over all of them. */
export function drawLines(view, context, cell) {
  const { data, look } = view;
  const line = penOf(view, context, cell);
  context.lineJoin = "round";
  if (look.ab) {
    drawCompared(view, context, line);
    context.setLineDash([]);
    return;
  }
  drawOthers(view, line);
  drawRaters(view, line, cell);
  const hidden = (m) => m === 0 && look.others && !look.others.eyes[look.others.shown];
  for (let m = data.methods.length - 1; m >= 0; --m) if (look.lines[m] && !hidden(m)) drawMethod(view, line, m);
  // What is to be decided, as a dashed line just outside of it, so that no other line lies beneath.
  if (look.focus) {
    const loops = view.loops(`focus ${look.focusStamp}`, (row, place) => look.focus[place] === 1);
    const outside = -3 * devicePixelRatio;
    line(loops, outside, colourOf("--halo"), 4, []);
    line(loops, outside, colourOf("--accent"), 2.2, [5, 4]);
  }
  context.setLineDash([]);
}

export function drawCross(view, context, cell) {
  const [column, row] = view.plane.cellOf(view.look.at);
  const x = view.left + (column + 0.5) * cell[0];
  const y = view.top + (row + 0.5) * cell[1];
  context.strokeStyle = colourOf("--cross");
  context.lineWidth = devicePixelRatio;
  context.beginPath();
  for (const side of [-1, 1]) {
    const gap = side * 9 * devicePixelRatio;
    context.moveTo(x + gap, y);
    context.lineTo(side < 0 ? 0 : view.canvas.width, y);
    context.moveTo(x, y + gap);
    context.lineTo(x, side < 0 ? 0 : view.canvas.height);
  }
  context.stroke();
}

/** How far the brush reaches from where the pointer is. */
export function drawBrush(view, context, cell) {
  const { look, plane } = view;
  const at = look.hover ?? look.at;
  if (at[plane.axis] !== view.index) return;
  const [column, row] = plane.cellOf(at);
  const reach = look.brush.reach(plane) * view.scale;
  context.beginPath();
  context.ellipse(view.left + (column + 0.5) * cell[0], view.top + (row + 0.5) * cell[1], reach + cell[0] / 2, reach + cell[1] / 2, 0, 0, 7);
  context.strokeStyle = colourOf(look.brush.action === "draw" ? "--good" : "--bad");
  context.lineWidth = 2 * devicePixelRatio;
  context.stroke();
}

/** Where the patient's sides are, and a length. */
export function drawWords(view, context) {
  const ratio = devicePixelRatio;
  const { width, height } = view.canvas;
  context.font = `600 ${13 * ratio}px system-ui, sans-serif`;
  const write = (text, x, y, align) => {
    context.textAlign = align;
    context.lineWidth = 3 * ratio;
    context.strokeStyle = colourOf("--halo");
    context.strokeText(text, x, y);
    context.fillStyle = colourOf("--line");
    context.fillText(text, x, y);
  };
  const [left, right, top, bottom] = [...view.plane.letters.padEnd(4)];
  write(left, 8 * ratio, height / 2, "left");
  write(right, width - 8 * ratio, height / 2, "right");
  write(top, width / 2, 17 * ratio, "center");
  write(bottom, width / 2, height - 8 * ratio, "center");
  const length = roundLength(width / 4 / view.scale);
  const bar = (colour, more) => {
    context.fillStyle = colourOf(colour);
    context.fillRect((10 - more) * ratio, height - (9 + more) * ratio, length * view.scale + 2 * more * ratio, (2.5 + 2 * more) * ratio);
  };
  bar("--halo", 1.5);
  bar("--line", 0);
  write(`${length} ${view.data.meta.unit}`, 10 * ratio, height - 14 * ratio, "left");
}
