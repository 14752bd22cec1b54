// SPDX-License-Identifier: Apache-2.0
// Contours enclose what they are of: checked on random masks by area, without a browser.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const source = readFileSync(join(process.env.CREMA_ROOT, "report/page/viewer/contours.js"), "utf8");
const { trace } = await import(`data:text/javascript,${encodeURIComponent(source)}`);

/** Numbers from 0 to 1, the same in every run. */
function dice(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Twice the area of a loop, above 0 where it goes clockwise on a screen. */
function twiceArea(loop) {
  return loop.reduce((sum, [x, y], n) => {
    const [u, v] = loop[(n + 1) % loop.length];
    return sum + x * v - u * y;
  }, 0);
}

test("loops enclose as many cells as the mask has", () => {
  for (let seed = 1; seed <= 300; ++seed) {
    const random = dice(seed);
    const [columns, rows] = [1 + Math.floor(9 * random()), 1 + Math.floor(9 * random())];
    const share = random();
    const mask = Uint8Array.from({ length: columns * rows }, () => (random() < share ? 1 : 0));
    const loops = trace(mask, columns, rows);
    const cells = mask.reduce((sum, one) => sum + one, 0);
    assert.equal(loops.reduce((sum, loop) => sum + twiceArea(loop), 0), 2 * cells, `seed ${seed}`);
    // Every corner is a turn, so that no loop goes over the same edge twice.
    for (const loop of loops) for (const [, , before, after] of loop) assert.notEqual(before % 2, after % 2);
  }
});

test("cells that touch at a corner alone have loops of their own", () => {
  assert.equal(trace(Uint8Array.from([1, 0, 0, 1]), 2, 2).length, 2);
  assert.equal(trace(Uint8Array.from([0, 1, 1, 0]), 2, 2).length, 2);
  assert.equal(trace(Uint8Array.from([1, 1, 1, 1, 0, 1, 1, 1, 1]), 3, 3).length, 2);
});
