// SPDX-License-Identifier: Apache-2.0
// Over the solid: where the planes meet, and the patient's sides.
import { colourOf } from "../viewer/strokes.js";

/** The letter of the way in which a step of the box goes most, where the files say how the patient lies. */
function letterOf(orbit, axis, side) {
  const way = orbit.toWorld.map((row) => row[axis] * side);
  const most = way.reduce((best, v, w) => (Math.abs(v) > Math.abs(way[best]) ? w : best), 0);
  return ["LR", "PA", "SI"][most][way[most] > 0 ? 0 : 1];
}

/** Draws on the canvas that lies over the solid. */
export function drawOver({ data, look, orbit, over, canvas }) {
  [over.width, over.height] = [canvas.width, canvas.height];
  const context = over.getContext("2d");
  const half = over.height / 2;
  const put = (voxel) => {
    const [right, up] = orbit.seen(voxel);
    return [over.width / 2 + right * half, half - up * half];
  };
  const ratio = devicePixelRatio;
  const centre = look.at.map((v) => v + 0.5);
  const known = data.meta.views[0].letters.length === 4;
  context.strokeStyle = colourOf("--cross");
  context.lineWidth = ratio;
  context.font = `600 ${13 * ratio}px system-ui, sans-serif`;
  context.textAlign = "center";
  for (let a = 0; a < 3; ++a) {
    const ends = [0, data.size[a]].map((v) => put(centre.map((c, n) => (n === a ? v : c))));
    context.beginPath();
    context.moveTo(...ends[0]);
    context.lineTo(...ends[1]);
    context.stroke();
    ends.forEach(([x, y], n) => {
      const letter = known ? letterOf(orbit, a, n === 0 ? -1 : 1) : n === 1 ? "xyz"[a] : "";
      context.lineWidth = 3 * ratio;
      context.strokeStyle = colourOf("--halo");
      context.strokeText(letter, x, y);
      context.fillStyle = colourOf("--line");
      context.fillText(letter, x, y);
      context.strokeStyle = colourOf("--cross");
      context.lineWidth = ratio;
    });
  }
}
