// SPDX-License-Identifier: Apache-2.0
// How far two masks are from each other: Dice, and HD95 as crema agreement has it.

/** The box around what either mask holds, with a voxel of room; null where both are empty. */
function boundsOf(a, b, size) {
  const low = [...size];
  const high = [-1, -1, -1];
  for (let place = 0; place < a.length; ++place) {
    if (!a[place] && !b[place]) continue;
    const at = [place % size[0], Math.floor(place / size[0]) % size[1], Math.floor(place / size[0] / size[1])];
    for (let n = 0; n < 3; ++n) {
      low[n] = Math.min(low[n], at[n]);
      high[n] = Math.max(high[n], at[n] + 1);
    }
  }
  return high[0] < 0 ? null : { low, size: high.map((end, n) => end - low[n]) };
}

/** Voxels of a mask that have one outside of it beside them, as a mask of the bounds; beyond the image is outside. */
function borderOf(mask, size, bounds) {
  const border = new Uint8Array(bounds.size[0] * bounds.size[1] * bounds.size[2]);
  const strides = [1, size[0], size[0] * size[1]];
  const axes = [0, 1, 2].filter((n) => size[n] > 1);
  let n = 0;
  for (let z = 0; z < bounds.size[2]; ++z)
    for (let y = 0; y < bounds.size[1]; ++y)
      for (let x = 0; x < bounds.size[0]; ++x, ++n) {
        const at = [x + bounds.low[0], y + bounds.low[1], z + bounds.low[2]];
        const place = at[0] + at[1] * strides[1] + at[2] * strides[2];
        if (!mask[place]) continue;
        const open = axes.some((a) => at[a] === 0 || at[a] === size[a] - 1 ||
          !mask[place - strides[a]] || !mask[place + strides[a]]);
        if (open) border[n] = 1;
      }
  return border;
}

/** Along one line: the lowest parabola over each place; `values` are squares so far. */
function lowerEnvelope(values, count, step, out) {
  const vertex = new Int32Array(count);
  const from = new Float64Array(count + 1);
  let last = -1;
  for (let q = 0; q < count; ++q) {
    if (values[q] === Infinity) continue;
    const height = (v) => values[v] + (v * step) ** 2;
    let start = -Infinity;
    while (last >= 0) {
      start = (height(q) - height(vertex[last])) / (2 * step * step * (q - vertex[last]));
      if (start > from[last]) break;
      --last;
    }
    vertex[++last] = q;
    from[last] = last === 0 ? -Infinity : start;
  }
  for (let q = 0, v = 0; q < count; ++q) {
    if (last < 0) {
      out[q] = Infinity;
      continue;
    }
    while (v < last && from[v + 1] < q) ++v;
    out[q] = values[vertex[v]] + ((q - vertex[v]) * step) ** 2;
  }
}

/** Squared distances to the nearest voxel that is set. */
function squaredDistances(set, size, spacing) {
  const field = Float64Array.from(set, (one) => (one ? 0 : Infinity));
  const strides = [1, size[0], size[0] * size[1]];
  for (let axis = 0; axis < 3; ++axis) {
    const [u, v] = [0, 1, 2].filter((n) => n !== axis);
    const line = new Float64Array(size[axis]);
    const out = new Float64Array(size[axis]);
    for (let j = 0; j < size[v]; ++j)
      for (let i = 0; i < size[u]; ++i) {
        const start = i * strides[u] + j * strides[v];
        for (let q = 0; q < size[axis]; ++q) line[q] = field[start + q * strides[axis]];
        lowerEnvelope(line, size[axis], spacing[axis], out);
        for (let q = 0; q < size[axis]; ++q) field[start + q * strides[axis]] = out[q];
      }
  }
  return field;
}

/** The 95th percentile of the distances from one border to the other, interpolated. */
function directed95(border, field) {
  const found = [];
  for (let n = 0; n < border.length; ++n) if (border[n]) found.push(Math.sqrt(field[n]));
  found.sort((a, b) => a - b);
  const place = 0.95 * (found.length - 1);
  const below = Math.floor(place);
  return found[below] + (place - below) * ((found[below + 1] ?? found[below]) - found[below]);
}

/** Null where one of them is empty. */
function hd95Of({ a, b, size, spacing }) {
  const bounds = boundsOf(a, b, size);
  if (!bounds) return null;
  const borders = [a, b].map((mask) => borderOf(mask, size, bounds));
  if (!borders.every((border) => border.includes(1))) return null;
  const fields = borders.map((border) => squaredDistances(border, bounds.size, spacing));
  return Math.max(directed95(borders[0], fields[1]), directed95(borders[1], fields[0]));
}

/** What runs in the worker. */
function serveDistances() {
  globalThis.onmessage = ({ data }) => globalThis.postMessage(hd95Of(data));
}

/** HD95 in a thread of its own; `stop` ends it. */
export function startHd95(question, done) {
  const parts = [boundsOf, borderOf, lowerEnvelope, squaredDistances, directed95, hd95Of];
  const text = `${parts.map(String).join("\n")}\n(${serveDistances})();`;
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const worker = new Worker(address);
  URL.revokeObjectURL(address);
  worker.onmessage = ({ data }) => {
    worker.terminate();
    done(data);
  };
  worker.postMessage(question);
  return { stop: () => worker.terminate() };
}

/** Voxels in both, in the first alone and in the second alone. */
export function overlapOf(a, b) {
  const counts = { both: 0, lost: 0, gained: 0 };
  for (let place = 0; place < a.length; ++place) {
    if (a[place] && b[place]) ++counts.both;
    else if (a[place]) ++counts.lost;
    else if (b[place]) ++counts.gained;
  }
  return counts;
}
