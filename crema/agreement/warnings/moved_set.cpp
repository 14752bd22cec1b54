// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/warnings/moved_set.h"

#include <algorithm>
#include <cmath>

#include "crema/base/memory.h"
#include "crema/reduction.h"

namespace crema {
namespace {

std::int64_t voxel_of(const Grid& grid, const Point& p) {
  return (std::int64_t{p[2]} * grid.size[1] + p[1]) * grid.size[0] + p[0];
}

}  // namespace

VoxelSet flip(const Grid& grid, const VoxelSet& set, const std::array<bool, 3>& axes) {
  std::vector<Run> runs;
  for (const Run& run : set.runs) {
    Point p = grid.point(run.first);
    if (axes[0]) p[0] = grid.size[0] - p[0] - run.length;
    for (std::size_t a = 1; a < 3; ++a)
      if (axes[a]) p[a] = grid.size[a] - 1 - p[a];
    runs.push_back({voxel_of(grid, p), run.length});
  }
  return make_set(grid, std::move(runs));
}

VoxelSet exchange(const Grid& grid, const VoxelSet& set, std::size_t a, std::size_t b) {
  std::vector<Run> runs;
  for (const Run& run : set.runs)
    for (std::int32_t i = 0; i < run.length; ++i) {
      Point p = grid.point(run.first + i);
      std::swap(p[a], p[b]);
      runs.push_back({voxel_of(grid, p), 1});
    }
  return make_set(grid, std::move(runs));
}

VoxelSet move(const Grid& grid, const VoxelSet& set, const Point& shift) {
  std::vector<Run> runs;
  for (const Run& run : set.runs) {
    Point p = grid.point(run.first);
    for (std::size_t a = 0; a < 3; ++a) p[a] += shift[a];
    const std::int32_t end = std::min(grid.size[0], p[0] + run.length);
    p[0] = std::max(0, p[0]);
    if (p[0] >= end || p[1] < 0 || p[1] >= grid.size[1] || p[2] < 0 || p[2] >= grid.size[2]) continue;
    runs.push_back({voxel_of(grid, p), end - p[0]});
  }
  VoxelSet moved = make_set(grid, std::move(runs));
  moved.voxels = set.voxels;
  return moved;
}

Landmarks find_landmarks(const Grid& grid, const VoxelSet& set) {
  Landmarks marks{.corner = grid.size};
  for (const Run& run : set.runs) {
    const Point p = grid.point(run.first);
    for (std::size_t a = 0; a < 3; ++a) {
      const std::int32_t last = a == 0 ? p[0] + run.length - 1 : p[a];
      marks.corner[a] = std::min(marks.corner[a], p[a]);
      marks.far[a] = std::max(marks.far[a], last);
      marks.centre[a] += run.length * 0.5 * (p[a] + last) / static_cast<double>(set.voxels);
    }
  }
  return marks;
}

std::vector<Point> shifts_between(const Landmarks& from, const Landmarks& to) {
  std::vector<Point> shifts(3);
  for (std::size_t a = 0; a < 3; ++a) {
    shifts[0][a] = static_cast<std::int32_t>(std::lround(to.centre[a] - from.centre[a]));
    shifts[1][a] = to.corner[a] - from.corner[a];
    shifts[2][a] = to.far[a] - from.far[a];
  }
  return shifts;
}

void require_sets(const Reduction& reduction, const MemoryAccount& memory) {
  std::int64_t voxels = 0;
  for (const Component& component : reduction.components.list) voxels += component.voxels;
  memory.require("looking why raters do not overlap",
                 static_cast<std::int64_t>(sizeof(Run)) *
                     (2 * voxels + reduction.raters * std::ssize(reduction.components.runs)),
                 "leave out those who do not belong");
}

}  // namespace crema
