// SPDX-License-Identifier: Apache-2.0
// Contours of masks along the edges of their cells.

const DX = [1, 0, -1, 0];
const DY = [0, 1, 0, -1];

/** Which edges leave each corner, as bits by direction: right, down, left, up; inside lies to the right of the way. */
function edgesOf(mask, columns, rows) {
  const wide = columns + 1;
  const edges = new Uint8Array(wide * (rows + 1));
  const inside = (x, y) => x >= 0 && y >= 0 && x < columns && y < rows && mask[y * columns + x] !== 0;
  for (let y = 0; y < rows; ++y)
    for (let x = 0; x < columns; ++x) {
      if (mask[y * columns + x] === 0) continue;
      if (!inside(x, y - 1)) edges[y * wide + x] |= 1;
      if (!inside(x + 1, y)) edges[y * wide + x + 1] |= 2;
      if (!inside(x, y + 1)) edges[(y + 1) * wide + x + 1] |= 4;
      if (!inside(x - 1, y)) edges[(y + 1) * wide + x] |= 8;
    }
  return edges;
}

/** One closed way: its turning points as [x, y, direction before, direction after]. */
function follow(edges, wide, corner, direction) {
  const loop = [];
  let at = corner;
  let heading = direction;
  do {
    edges[at] &= ~(1 << heading);
    at += DX[heading] + DY[heading] * wide;
    // Cells that touch at a corner alone have loops of their own, so that the way turns right where it can.
    const ways = at === corner ? edges[at] | (1 << direction) : edges[at];
    const after = [1, 0, 3].map((turn) => (heading + turn) % 4).find((d) => ways & (1 << d));
    if (after !== heading) loop.push([at % wide, Math.floor(at / wide), heading, after]);
    heading = after;
  } while (edges[at] & (1 << heading));
  return loop;
}

/** All loops around the cells that are not zero. */
export function trace(mask, columns, rows) {
  const edges = edgesOf(mask, columns, rows);
  const wide = columns + 1;
  const loops = [];
  for (let corner = 0; corner < edges.length; ++corner)
    for (let d = 0; d < 4; ++d)
      while (edges[corner] & (1 << d)) loops.push(follow(edges, wide, corner, d));
  return loops;
}

/** Loops as a path, each moved inwards by so many pixels. */
export function pathOf(loops, [left, top], [width, height], inset) {
  const path = new Path2D();
  for (const loop of loops) {
    loop.forEach(([x, y, before, after], n) => {
      const moveX = -inset * (DY[before] + DY[after]);
      const moveY = inset * (DX[before] + DX[after]);
      path[n === 0 ? "moveTo" : "lineTo"](left + x * width + moveX, top + y * height + moveY);
    });
    path.closePath();
  }
  return path;
}

/** Where each rater's line lies beside one that stays: at most 0.45 of a cell inside. */
export function lanes(raters, cell) {
  const room = Math.min(0.45 * cell, 1.7 * raters + 1.5);
  return Array.from({ length: raters }, (_, k) => (room * (k + 1)) / (raters + 0.5));
}
