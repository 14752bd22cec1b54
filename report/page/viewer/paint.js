// SPDX-License-Identifier: Apache-2.0
// A slice as colours: one pixel for each voxel.
import { DIFFERENCE, shadesOf, subcrownColour } from "./palette.js";

/** What two masks share, gained and lost; nothing where they are seen one after the other. */
function comparing({ mode, a, b }) {
  if (mode !== "difference") return () => null;
  return (place) => (a[place] ? (b[place] ? DIFFERENCE.both : DIFFERENCE.lost) : b[place] ? DIFFERENCE.gained : null);
}

/** The colour of a voxel that somebody drew, by what is painted; null: nothing. */
function colouring(data, look) {
  if (look.ab) return comparing(look.ab);
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

/** Writes pixels into a canvas of one pixel for each voxel; `fill` gets them and the plane's cells. */
function paintInto(canvas, plane, index, fill) {
  canvas.width = plane.columns;
  canvas.height = plane.rows;
  const image = new ImageData(plane.columns, plane.rows);
  const pixels = new Uint32Array(image.data.buffer);
  plane.each(index, (cell, place) => (pixels[cell] = fill(place)));
  canvas.getContext("2d").putImageData(image, 0, 0);
}

/** A colour as the number that stands in the memory of a picture. */
const packedColour = ([red, green, blue], alpha = 255) => ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0;

/** What is painted on a slice; clear where that is nothing. */
export function paintSlice(data, plane, index, look, canvas) {
  const colour = look.bare ? () => null : colouring(data, look);
  const alpha = data.grey || data.photo ? Math.round(255 * look.veil) : 255; // how much of the paint is seen over an image
  paintInto(canvas, plane, index, (place) => {
    const found = colour(place);
    return found ? packedColour(found, alpha) : 0;
  });
}

/** The colour of each step of an image: black at one end of the window, white at the other. */
function shadesOfWindow({ low, step }, [black, white], steps) {
  return Uint32Array.from({ length: steps }, (_, n) => {
    const share = Math.min(Math.max((low + step * n - black) / (white - black), 0), 1);
    const shade = Math.round(255 * share);
    return packedColour([shade, shade, shade]);
  });
}

/** The shades that were found last: all planes and slices have the same. */
const lastShades = { key: "", shades: null };

/** The image on a slice. */
export function paintBeneath(data, plane, index, window, canvas) {
  if (data.photo) {
    paintInto(canvas, plane, index, (place) => data.photo[place]);
    return;
  }
  const steps = 256 ** data.grey.BYTES_PER_ELEMENT;
  const key = JSON.stringify([data.greyScale, window, steps]);
  if (lastShades.key !== key) Object.assign(lastShades, { key, shades: shadesOfWindow(data.greyScale, window, steps) });
  const { shades } = lastShades;
  paintInto(canvas, plane, index, (place) => shades[data.grey[place]]);
}

/** The mask of a slice in which a test of rows or places holds. */
export function maskOf(data, plane, index, test) {
  const mask = new Uint8Array(plane.columns * plane.rows);
  plane.each(index, (cell, place) => {
    if (test(data.rowOf[place], place)) mask[cell] = 1;
  });
  return mask;
}
