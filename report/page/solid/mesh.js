// SPDX-License-Identifier: Apache-2.0
// The surface of a mask as quads: a corner between eight voxels lies in the middle of the edges that leave the mask.

/** A corner takes 16 bytes: three floats, three bytes of a normal and one for votes. */
export const CORNER_BYTES = 16;
/** More quads than this are not drawn. */
export const MOST_QUADS = 1500000;
const SHIFT = 3;
const BRICK = 1 << SHIFT;

/** Corners of a surface on their way into memory of the graphics card. */
class Corners {
  constructor() {
    this.count = 0;
    this.room(4096);
  }

  room(corners) {
    const bytes = new ArrayBuffer(corners * CORNER_BYTES);
    if (this.bytes) new Uint8Array(bytes).set(new Uint8Array(this.bytes));
    this.bytes = bytes;
    this.floats = new Float32Array(bytes);
    this.small = new Int8Array(bytes);
  }

  /** Eight voxels around a corner, as bits; it lies behind the voxel at x, y, z. */
  add(bits, x, y, z, votes, out) {
    if ((this.count + 1) * CORNER_BYTES > this.bytes.byteLength) this.room(2 * this.count);
    const shape = SHAPES[bits];
    const [at, small] = [this.count * 4, this.count * CORNER_BYTES + 12];
    this.floats[at] = x + shape[0];
    this.floats[at + 1] = y + shape[1];
    this.floats[at + 2] = z + shape[2];
    for (let a = 0; a < 3; ++a) this.small[small + a] = out ? out[a] : shape[3 + a];
    this.small[small + 3] = votes;
    ++this.count;
  }
}

/** For eight voxels: where their corner lies, and which way out is. */
function shapeOf(bits) {
  const inside = (n) => (bits >> n) & 1;
  const [sum, out] = [[0, 0, 0], [0, 0, 0]];
  let edges = 0;
  for (let n = 0; n < 8; ++n)
    for (let a = 0; a < 3; ++a) {
      const other = n | (1 << a);
      if (other === n) continue;
      out[a] += inside(n) - inside(other);
      if (inside(n) === inside(other)) continue;
      ++edges;
      for (let b = 0; b < 3; ++b) sum[b] += b === a ? 0.5 : (n >> b) & 1;
    }
  const length = Math.hypot(...out) || 1;
  return [...sum.map((v) => (edges ? v / edges : 0.5) + 0.5), ...out.map((v) => Math.round((127 * v) / length))];
}

const SHAPES = Array.from({ length: 256 }, (_, bits) => shapeOf(bits));

/** Which bricks of the box hold a voxel that somebody drew, or that `more(place)` holds. */
export function bricksOf({ size, rowOf }, more = null) {
  const counts = size.map((n) => Math.ceil(n / BRICK));
  const full = new Uint8Array(counts[0] * counts[1] * counts[2]);
  for (let z = 0, place = 0; z < size[2]; ++z)
    for (let y = 0; y < size[1]; ++y) {
      const line = ((z >> SHIFT) * counts[1] + (y >> SHIFT)) * counts[0];
      for (let x = 0; x < size[0]; ++x, ++place) if (rowOf[place] !== 0 || more?.(place)) full[line + (x >> SHIFT)] = 1;
    }
  const list = [];
  for (let n = 0; n < full.length; ++n)
    if (full[n]) list.push([n % counts[0], Math.floor(n / counts[0]) % counts[1], Math.floor(n / counts[0] / counts[1])].map((v) => v * BRICK));
  return list;
}

/** Calls f(x, y, z, place) for the voxels of a brick. */
function eachOfBrick(size, start, f) {
  const end = start.map((v, a) => Math.min(v + BRICK, size[a]));
  for (let z = start[2]; z < end[2]; ++z)
    for (let y = start[1]; y < end[1]; ++y)
      for (let x = start[0]; x < end[0]; ++x) f(x, y, z, (z * size[1] + y) * size[0] + x);
}

/** The corners of the quad on the side of a voxel, as steps to the voxel before each; around the way out. */
function quadsOf() {
  const quads = [];
  for (let axis = 0; axis < 3; ++axis)
    for (const side of [-1, 1]) {
      const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
      const round = [[-1, -1], [0, -1], [0, 0], [-1, 0]];
      const corners = (side > 0 ? round : [...round].reverse()).map(([i, j]) => {
        const step = [0, 0, 0];
        [step[axis], step[u], step[v]] = [side > 0 ? 0 : -1, i, j];
        return step;
      });
      quads.push({ axis, side, corners });
    }
  return quads;
}

const QUADS = quadsOf();

/** Which way out is at a corner, by the voxels around it two deep: a smooth surface looks smooth. */
function outAt(has, x, y, z) {
  const out = [0, 0, 0];
  for (let k = -1; k < 3; ++k)
    for (let j = -1; j < 3; ++j)
      for (let i = -1; i < 3; ++i) {
        if (!has(x + i, y + j, z + k)) continue;
        out[0] += 0.5 - i;
        out[1] += 0.5 - j;
        out[2] += 0.5 - k;
      }
  const length = Math.hypot(...out);
  return length > 0 ? out.map((v) => Math.round((127 * v) / length)) : null;
}

/** The surface of what `inside(place)` holds, within bricks: corners, four for each quad; `votes(place)` colours them. Null: too many. */
export function surfaceOf(size, bricks, inside, votes, smooth) {
  const corners = new Corners();
  const strides = [1, size[0], size[0] * size[1]];
  const has = (x, y, z) => x >= 0 && y >= 0 && z >= 0 && x < size[0] && y < size[1] && z < size[2] &&
    inside(x + y * strides[1] + z * strides[2]);
  const bitsAt = (x, y, z) => {
    let bits = 0;
    for (let n = 0; n < 8; ++n) if (has(x + (n & 1), y + ((n >> 1) & 1), z + (n >> 2))) bits |= 1 << n;
    return bits;
  };
  for (const brick of bricks) {
    eachOfBrick(size, brick, (x, y, z, place) => {
      if (!inside(place)) return;
      const at = [x, y, z];
      for (const { axis, side, corners: around } of QUADS) {
        const next = at[axis] + side;
        if (next >= 0 && next < size[axis] && inside(place + side * strides[axis])) continue;
        for (const [i, j, k] of around) {
          const corner = [x + i, y + j, z + k];
          corners.add(bitsAt(...corner), ...corner, votes(place), smooth ? outAt(has, ...corner) : null);
        }
      }
    });
    if (corners.count > 4 * MOST_QUADS) return null;
  }
  return { bytes: new Uint8Array(corners.bytes, 0, corners.count * CORNER_BYTES), quads: corners.count / 4 };
}

/** The first voxel along a line that `inside` holds, in steps of half a voxel; null where it meets none. */
export function firstAlong(size, inside, from, along) {
  const length = Math.hypot(...along);
  const step = along.map((v) => (0.5 * v) / length);
  const steps = 2 * length;
  const at = [...from];
  for (let n = 0; n < steps; ++n) {
    const voxel = at.map(Math.floor);
    if (voxel.every((v, a) => v >= 0 && v < size[a]) && inside((voxel[2] * size[1] + voxel[1]) * size[0] + voxel[0])) return voxel;
    for (let a = 0; a < 3; ++a) at[a] += step[a];
  }
  return null;
}
