// SPDX-License-Identifier: Apache-2.0
// A slice as colours: one pixel for each voxel.
import { shadesOf, subcrownColour } from "./palette.js";

const VEIL = 0.55; // how much of the paint is seen over an image

/** The colour of a voxel that somebody drew, by what is painted; null: nothing. */
function colouring(data, look) {
  const shade = shadesOf(data.meta.shades);
  const raters = data.raters.length;
  if (look.paint === "votes") {
    const colours = Array.from({ length: raters + 1 }, (_, n) => (n === 0 ? null : shade(voteShare(n, raters, look.dark))));
    return (place) => colours[data.rows.votes[data.rowOf[place]]];
  }
  if (look.paint === "level") {
    const method = data.methods[look.method];
    return (place) => {
      const value = method.levelAt(data.rowOf, place);
      return value > 0 ? shade(look.dark ? 0.95 - 0.8 * value : 0.1 + 0.8 * value) : null;
    };
  }
  if (look.paint === "subcrowns") return (place) => (data.rowOf[place] ? subcrownColour(data.rowOf[place]) : null);
  return () => null;
}

/** Which shade so many votes have: away from the paper's, and never so dark that lines are lost on it. */
export function voteShare(votes, raters, dark) {
  if (!dark) return 0.06 + 0.5 * (votes / raters);
  const share = 0.92 - 0.6 * (votes / raters);
  // Between these neither dark nor light letters can be read.
  return share > 0.66 && share < 0.74 ? (share > 0.7 ? 0.74 : 0.66) : share;
}

/** Draws a slice into a canvas of one pixel for each voxel. */
export function paintSlice(data, plane, index, look, canvas, paper) {
  canvas.width = plane.columns;
  canvas.height = plane.rows;
  const image = new ImageData(plane.columns, plane.rows);
  const pixels = image.data;
  const colour = colouring(data, look);
  const veil = data.grey ? VEIL : 1;
  plane.each(index, (cell, place) => {
    const grey = data.grey ? data.grey[place] : 0;
    const found = colour(place);
    for (let n = 0; n < 3; ++n) {
      const beneath = data.grey ? grey : paper[n];
      pixels[4 * cell + n] = found ? Math.round(veil * found[n] + (1 - veil) * beneath) : beneath;
    }
    pixels[4 * cell + 3] = 255;
  });
  canvas.getContext("2d").putImageData(image, 0, 0);
}

/** The mask of a slice in which a test of rows or places holds. */
export function maskOf(data, plane, index, test) {
  const mask = new Uint8Array(plane.columns * plane.rows);
  plane.each(index, (cell, place) => {
    if (test(data.rowOf[place], place)) mask[cell] = 1;
  });
  return mask;
}
