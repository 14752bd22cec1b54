// SPDX-License-Identifier: Apache-2.0
// From where a solid is seen. Matrices are three rows of three; nothing is nearer because it is in front.
import { clamp } from "../format.js";

const times = (m, [x, y, z]) => m.map(([a, b, c]) => a * x + b * y + c * z);
const product = (m, n) => m.map((row) => [0, 1, 2].map((c) => row[0] * n[0][c] + row[1] * n[1][c] + row[2] * n[2][c]));
const turned = (m) => [0, 1, 2].map((c) => m.map((row) => row[c]));
const cross = ([a, b, c], [d, e, f]) => [b * f - c * e, c * d - a * f, a * e - b * d];

/** Its determinant, and what undoes it. */
function inverted(m) {
  const rows = [cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])];
  const volume = m[0].reduce((sum, v, c) => sum + v * rows[0][c], 0);
  return { volume, inverse: turned(rows.map((row) => row.map((v) => v / volume))) };
}

/** From the front, with the head up, as the world of the files has it: x to the left of the patient, y to the back. */
const FRONT = [[1, 0, 0], [0, 0, 1], [0, -1, 0]];

export class Orbit {
  constructor({ size, spacing, meta: { grid } }) {
    this.middle = size.map((n) => n / 2);
    this.toWorld = [0, 1, 2].map((w) => [0, 1, 2].map((a) => grid.direction[3 * w + a] * spacing[a]));
    const { volume, inverse } = inverted(this.toWorld);
    this.mirrored = volume < 0;
    this.fromWorld = inverse;
    this.radius = 0.5 * Math.hypot(...times(this.toWorld.map((row) => row.map(Math.abs)), size));
    this.reset();
  }

  /** From the front, as large as fits. */
  reset(aspect = 1) {
    this.turn = FRONT;
    this.zoom = 1;
    this.shift = [0, 0];
    const ends = Array.from({ length: 8 }, (_, n) => this.seen(this.middle.map((v, a) => 2 * v * ((n >> a) & 1))));
    this.zoom = 0.9 / Math.max(...ends.flatMap(([right, up]) => [Math.abs(right) / aspect, Math.abs(up)]));
  }

  /** Turns by so much to the right and downwards, as seen now. */
  rotate(right, down) {
    const [c, s, d, e] = [Math.cos(right), Math.sin(right), Math.cos(down), Math.sin(down)];
    this.turn = product([[1, 0, 0], [0, d, -e], [0, e, d]], product([[c, 0, s], [0, 1, 0], [-s, 0, c]], this.turn));
  }

  zoomBy(factor) {
    this.zoom = clamp(this.zoom * factor, 0.5, 40);
  }

  /** Shares of half the height of the picture. */
  move(right, up) {
    this.shift = [this.shift[0] + right / this.zoom, this.shift[1] + up / this.zoom];
  }

  /** A place of the box as seen: to the right, up and towards the eye, 1 at the edge of the ball around the box. */
  seen(voxel) {
    const at = times(this.turn, times(this.toWorld, voxel.map((v, a) => v - this.middle[a]))).map((v) => v / this.radius);
    return [(at[0] + this.shift[0]) * this.zoom, (at[1] + this.shift[1]) * this.zoom, at[2]];
  }

  /** The line through a point of the picture, as a place of the box and the way from it away from the eye. */
  lineAt(right, up) {
    const away = (at) => times(this.fromWorld, times(turned(this.turn), at.map((v) => v * this.radius)));
    const from = away([right / this.zoom - this.shift[0], up / this.zoom - this.shift[1], 1.5]);
    return { from: from.map((v, a) => v + this.middle[a]), along: away([0, 0, -3]) };
  }

  /** Columns of the matrix that puts places of the box into the picture. */
  columns(aspect) {
    const origin = this.seen([0, 0, 0]);
    const columns = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((step) => this.seen(step).map((v, n) => v - origin[n]));
    const put = ([x, y, z], last) => [x / aspect, y, -z / 1.5, last];
    return [...columns.flatMap((column) => put(column, 0)), ...put(origin, 1)];
  }

  /** Columns of the matrix that turns normals. */
  normals() {
    return turned(product(this.turn, turned(this.fromWorld))).flat();
  }
}
