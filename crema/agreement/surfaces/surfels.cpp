// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/surfaces/surfels.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace crema {
namespace {

using Spacing = std::array<double, 3>;

/// Corners of a cell that are joined by edges.
struct Piece {
  unsigned corners = 0;

  [[nodiscard]] bool has(unsigned corner) const { return (corners >> corner & 1U) != 0; }
  [[nodiscard]] int size() const { return std::popcount(corners); }
  /// Edges between its corners along an axis.
  [[nodiscard]] int edges(unsigned axis) const {
    int count = 0;
    for (unsigned corner = 0; corner < 8; ++corner)
      if ((corner >> axis & 1U) == 0 && has(corner) && has(corner | 1U << axis)) ++count;
    return count;
  }
  [[nodiscard]] int neighbours(unsigned corner) const {
    int count = 0;
    for (unsigned axis = 0; axis < 3; ++axis) count += has(corner ^ 1U << axis) ? 1 : 0;
    return count;
  }
};

/// Takes the piece that holds the lowest corner.
Piece take_piece(unsigned& corners) {
  Piece piece{corners & (~corners + 1)};
  for (unsigned before = 0; before != piece.corners;) {
    before = piece.corners;
    for (unsigned corner = 0; corner < 8; ++corner)
      if ((corners >> corner & 1U) != 0 && piece.neighbours(corner) > 0) piece.corners |= 1U << corner;
  }
  corners &= ~piece.corners;
  return piece;
}

// Of three lengths always: the standard library computes that by square roots, so that every processor has
// the same bits; of two it uses the C library, whose version may differ.

/// The triangle around one corner.
double triangle(const Spacing& s) { return std::hypot(s[1] * s[2], s[0] * s[2], s[0] * s[1]) / 8; }

/// The rectangle along an edge between two corners.
double rectangle(const Spacing& s, unsigned axis) {
  return s[axis] * std::hypot(s[(axis + 1) % 3], s[(axis + 2) % 3], 0) / 2;
}

/// Four corners one after the other along three axes: between them lie the triangles of four corners, and
/// half a rectangle along either end.
double chain(const Piece& piece, const Spacing& s) {
  double area = 4 * triangle(s);
  for (unsigned axis = 0; axis < 3; ++axis)
    for (unsigned corner = 0; corner < 8; ++corner) {
      const unsigned other = corner | 1U << axis;
      if (other == corner || !piece.has(corner) || !piece.has(other)) continue;
      if (piece.neighbours(corner) == 1 || piece.neighbours(other) == 1) area += rectangle(s, axis) / 2;
    }
  return area;
}

double area_of(const Piece& piece, const Spacing& s) {
  const std::array edges{piece.edges(0), piece.edges(1), piece.edges(2)};
  double plane = 1;  // of the axes along which it has edges
  unsigned along = 0;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (edges[axis] == 0) continue;
    plane *= s[axis];
    along = axis;
  }
  if (piece.size() == 1) return triangle(s);
  if (piece.size() == 2) return rectangle(s, along);
  if (piece.size() == 3) return plane / 2 + 3 * triangle(s);
  if (edges[0] + edges[1] + edges[2] == 4) return plane;  // a whole face
  for (unsigned corner = 0; corner < 8; ++corner)
    if (piece.has(corner) && piece.neighbours(corner) == 3) return 6 * triangle(s);  // a hexagon
  return chain(piece, s);
}

double length_of(const Piece& piece, const Spacing& s) {
  if (piece.size() == 1) return std::hypot(s[0], s[1], 0) / 2;
  return s[piece.edges(0) > 0 ? 0 : 1];
}

template <class Measure>
double sum_pieces(unsigned code, unsigned all, Measure measure) {
  if (2 * std::popcount(code) > std::popcount(all)) code = all & ~code;
  double sum = 0;
  while (code != 0) sum += measure(take_piece(code));
  return sum;
}

/// Which corners of each cell of a box are in the set.
class Codes {
 public:
  Codes(const Grid& grid, const VoxelSet& set) : grid_(grid) {
    for (const Run& run : set.runs) box_ = united(box_, box_of(run, grid_));
    for (std::size_t a = 0; a < (grid.flat() ? 2U : 3U); ++a) ++box_.high[a];
    size_ = box_.size();
    codes_.assign(static_cast<std::size_t>(std::int64_t{size_[0]} * size_[1] * size_[2]), 0);
    for (const Run& run : set.runs) add(run);
  }

  /// Calls visit(number of the cell in the grid of cells, code) in raster order.
  template <class Visit>
  void for_each(Visit visit) const {
    const Grid cells = cell_grid(grid_);
    std::size_t i = 0;
    for (std::int64_t z = box_.low[2]; z < box_.high[2]; ++z)
      for (std::int64_t y = box_.low[1]; y < box_.high[1]; ++y)
        for (std::int64_t x = box_.low[0]; x < box_.high[0]; ++x, ++i)
          visit((z * cells.size[1] + y) * cells.size[0] + x, codes_[i]);
  }

 private:
  /// A voxel is the last corner of the cell of its own number, and the first of the one behind it.
  void add(const Run& run) {
    const auto p = grid_.point(run.first);
    const unsigned corners = grid_.flat() ? 4 : 8;
    for (unsigned corner = 0; corner < corners; ++corner) {
      const std::int64_t dx = corner & 1U, dy = corner >> 1U & 1U, dz = corner >> 2U & 1U;
      const std::int64_t x = p[0] - box_.low[0] + dx, y = p[1] - box_.low[1] + dy,
                         z = p[2] - box_.low[2] + dz;
      const auto bit = static_cast<std::uint8_t>(1U << (corners - 1 - corner));
      std::uint8_t* const cells = codes_.data() + (z * size_[1] + y) * size_[0] + x;
      for (std::int32_t i = 0; i < run.length; ++i) cells[i] = static_cast<std::uint8_t>(cells[i] | bit);
    }
  }

  const Grid& grid_;
  Box box_;
  std::array<std::int32_t, 3> size_{};
  std::vector<std::uint8_t> codes_;
};

}  // namespace

Grid cell_grid(const Grid& grid) {
  Grid cells = grid;
  for (std::size_t a = 0; a < (grid.flat() ? 2U : 3U); ++a) ++cells.size[a];
  return cells;
}

double surface_area(unsigned code, const Spacing& spacing) {
  return sum_pieces(code, 255, [&](const Piece& piece) { return area_of(piece, spacing); });
}

double outline_length(unsigned code, const Spacing& spacing) {
  return sum_pieces(code, 15, [&](const Piece& piece) { return length_of(piece, spacing); });
}

Surfels find_surfels(const Grid& grid, const Spacing& spacing, const VoxelSet& set) {
  if (set.voxels == 0) return {};
  const unsigned all = grid.flat() ? 15 : 255;
  std::vector<double> area_of_code(all + 1, 0);
  for (unsigned code = 0; code <= all; ++code)
    area_of_code[code] = grid.flat() ? outline_length(code, spacing) : surface_area(code, spacing);
  Surfels surfels;
  std::vector<Run> runs;
  Codes(grid, set).for_each([&](std::int64_t cell, std::uint8_t code) {
    if (code == 0 || code == all) return;
    runs.push_back({cell, 1});
    surfels.areas.push_back(area_of_code[code]);
  });
  surfels.cells = make_set(cell_grid(grid), std::move(runs));
  return surfels;
}

double percentile_by_area(const std::vector<double>& distances, const std::vector<double>& areas,
                          double share) {
  std::vector<std::pair<double, double>> sorted;
  double all = 0;
  for (std::size_t i = 0; i < distances.size(); ++i) {
    sorted.emplace_back(distances[i], areas[i]);
    all += areas[i];
  }
  if (sorted.empty()) return 0;
  std::sort(sorted.begin(), sorted.end());
  double sum = 0;
  for (const auto& [distance, area] : sorted) {
    sum += area;
    if (sum / all >= share) return distance;
  }
  return sorted.back().first;
}

}  // namespace crema
