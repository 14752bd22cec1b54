// SPDX-License-Identifier: Apache-2.0
// Slices of the box as they lie on paper.

/** How a plane across an axis is laid out: columns and rows on paper to voxels of the box. */
export class Plane {
  constructor(size, spacing, view) {
    this.axis = view.axis;
    this.axes = view.axes;
    this.backwards = view.backwards;
    this.letters = view.letters;
    this.columns = size[view.axes[0]];
    this.rows = size[view.axes[1]];
    this.count = size[view.axis];
    this.cell = [spacing[view.axes[0]], spacing[view.axes[1]]];
    const strides = [1, size[0], size[0] * size[1]];
    this.stride = strides[view.axis];
    this.step = view.axes.map((a, n) => (view.backwards[n] ? -1 : 1) * strides[a]);
    this.origin = view.axes.reduce((sum, a, n) => sum + (view.backwards[n] ? (size[a] - 1) * strides[a] : 0), 0);
  }

  /** The place of a cell's voxel. */
  place(index, column, row) {
    return this.origin + index * this.stride + column * this.step[0] + row * this.step[1];
  }

  /** The voxel of the box that a cell shows. */
  voxel(index, column, row) {
    const at = [0, 0, 0];
    at[this.axis] = index;
    [column, row].forEach((value, n) => {
      const last = (n === 0 ? this.columns : this.rows) - 1;
      at[this.axes[n]] = this.backwards[n] ? last - value : value;
    });
    return at;
  }

  /** The cell that shows a voxel; whole numbers or not. */
  cellOf(voxel) {
    return this.axes.map((a, n) => {
      const last = (n === 0 ? this.columns : this.rows) - 1;
      return this.backwards[n] ? last - voxel[a] : voxel[a];
    });
  }

  /** Calls f(cell number, place) for every cell of a slice, row by row. */
  each(index, f) {
    let cell = 0;
    for (let row = 0; row < this.rows; ++row) {
      let place = this.place(index, 0, row);
      for (let column = 0; column < this.columns; ++column, place += this.step[0]) f(cell++, place);
    }
  }
}
