// SPDX-License-Identifier: Apache-2.0
// Surfaces on a canvas, by WebGL2.
import { CORNER_BYTES } from "./mesh.js";

const MOST_VOTES = 65;

const CORNERS = `#version 300 es
uniform mat4 place;
uniform mat3 turn;
uniform vec3 tints[${MOST_VOTES}];
uniform vec4 own;
in vec3 at;
in vec3 normal;
in float votes;
out vec4 colour;
void main() {
  gl_Position = place * vec4(at, 1.0);
  float light = 0.38 + 0.62 * max(normalize(turn * normal).z, 0.0);
  vec3 tint = own.a < 1.0 ? own.rgb : tints[int(votes)];
  colour = vec4(tint * light, own.a);
}`;

const PIXELS = `#version 300 es
precision mediump float;
in vec4 colour;
out vec4 pixel;
void main() { pixel = vec4(colour.rgb * colour.a, colour.a); }`;

function shader(gl, kind, text) {
  const made = gl.createShader(kind);
  gl.shaderSource(made, text);
  gl.compileShader(made);
  return made;
}

function programOf(gl) {
  const program = gl.createProgram();
  gl.attachShader(program, shader(gl, gl.VERTEX_SHADER, CORNERS));
  gl.attachShader(program, shader(gl, gl.FRAGMENT_SHADER, PIXELS));
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) ?? "the card gave no reason");
  return program;
}

/** Six corners of triangles for each quad of four. */
function triangles(quads) {
  const list = new Uint32Array(6 * quads);
  for (let n = 0; n < quads; ++n) list.set([4 * n, 4 * n + 1, 4 * n + 2, 4 * n, 4 * n + 2, 4 * n + 3], 6 * n);
  return list;
}

export class Scene {
  /** Throws where the browser has no WebGL2. */
  constructor(canvas) {
    this.gl = canvas.getContext("webgl2", { antialias: true, alpha: true });
    if (!this.gl) throw new Error("no WebGL2");
    this.canvas = canvas;
    this.program = programOf(this.gl);
    this.uniforms = Object.fromEntries(["place", "turn", "tints", "own"].map((name) => [name, this.gl.getUniformLocation(this.program, name)]));
    this.solids = new Map();
  }

  /** Keeps a surface by name; one of the same name goes. */
  put(name, { bytes, quads }) {
    this.drop(name);
    const { gl } = this;
    const corners = gl.createBuffer();
    const order = gl.createBuffer();
    const way = gl.createVertexArray();
    gl.bindVertexArray(way);
    gl.bindBuffer(gl.ARRAY_BUFFER, corners);
    gl.bufferData(gl.ARRAY_BUFFER, bytes, gl.STATIC_DRAW);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, order);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, triangles(quads), gl.STATIC_DRAW);
    const bind = (word, count, kind, scaled, from) => {
      const place = gl.getAttribLocation(this.program, word);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, count, kind, scaled, CORNER_BYTES, from);
    };
    bind("at", 3, gl.FLOAT, false, 0);
    bind("normal", 3, gl.BYTE, true, 12);
    bind("votes", 1, gl.BYTE, false, 15);
    gl.bindVertexArray(null);
    this.solids.set(name, { corners, order, way, count: 6 * quads });
  }

  drop(name) {
    const old = this.solids.get(name);
    if (!old) return;
    this.gl.deleteBuffer(old.corners);
    this.gl.deleteBuffer(old.order);
    this.gl.deleteVertexArray(old.way);
    this.solids.delete(name);
  }

  /** Draws surfaces in their order, [name, colour with opacity]; opacity 1: colours are those of votes. */
  draw(orbit, list, tints) {
    const { gl, uniforms, canvas } = this;
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.depthMask(true);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.CULL_FACE);
    gl.frontFace(orbit.mirrored ? gl.CW : gl.CCW);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.useProgram(this.program);
    gl.uniformMatrix4fv(uniforms.place, false, orbit.columns(canvas.width / canvas.height));
    gl.uniformMatrix3fv(uniforms.turn, false, orbit.normals());
    gl.uniform3fv(uniforms.tints, tints.slice(0, MOST_VOTES).flat());
    for (const [name, colour] of list) {
      const solid = this.solids.get(name);
      if (!solid) continue;
      gl.uniform4fv(uniforms.own, colour);
      gl.depthMask(colour[3] === 1);
      gl.bindVertexArray(solid.way);
      gl.drawElements(gl.TRIANGLES, solid.count, gl.UNSIGNED_INT, 0);
    }
    gl.bindVertexArray(null);
  }

  /** The card has room again. */
  end() {
    this.gl.getExtension("WEBGL_lose_context")?.loseContext();
  }
}
