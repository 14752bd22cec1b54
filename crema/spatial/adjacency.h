// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "crema/image/grid.h"
#include "crema/voxels/neighbourhood.h"

namespace crema {

/// The single steps of a neighbourhood on a grid, in raster order of where they lead, so that direction d is
/// undone by direction count() − 1 − d.
class Adjacency {
 public:
  Adjacency(const Grid& grid, const Neighbourhood& neighbourhood) : size_(grid.size) {
    for (int dz = -1; dz <= 1; ++dz)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) add({dx, dy, dz}, neighbourhood);
  }

  [[nodiscard]] int count() const { return static_cast<int>(steps_.size()); }

  /// Calls f(direction, neighbour) for each neighbour of a voxel that lies on the grid.
  template <class F>
  void visit(std::int64_t voxel, F&& f) const {
    const std::int64_t row = voxel / size_[0];
    const std::array<std::int32_t, 3> p{static_cast<std::int32_t>(voxel % size_[0]),
                                        static_cast<std::int32_t>(row % size_[1]),
                                        static_cast<std::int32_t>(row / size_[1])};
    const bool inner =
        p[0] > 0 && p[1] > 0 && p[2] > 0 && p[0] + 1 < size_[0] && p[1] + 1 < size_[1] && p[2] + 1 < size_[2];
    for (std::size_t d = 0; d < steps_.size(); ++d)
      if (inner || on_grid(p, steps_[d])) f(d, voxel + offsets_[d]);
  }

  /// Calls f(from, to, offset) for each step that voxels [from, to) of a run on one image row may take; their
  /// neighbours lie that far away in the image.
  template <class F>
  void visit_run(std::int64_t first, std::int32_t length, F&& f) const {
    const std::int64_t row = first / size_[0];
    const std::array<std::int32_t, 3> p{static_cast<std::int32_t>(first % size_[0]),
                                        static_cast<std::int32_t>(row % size_[1]),
                                        static_cast<std::int32_t>(row / size_[1])};
    for (std::size_t d = 0; d < steps_.size(); ++d) {
      const Step& step = steps_[d];
      if (!on_grid({0, p[1], p[2]}, {0, step[1], step[2]})) continue;
      const std::int32_t from = std::max(0, -step[0] - p[0]);
      const std::int32_t to = std::min(length, size_[0] - p[0] - step[0]);
      if (from < to) f(from, to, offsets_[d]);
    }
  }

 private:
  using Step = std::array<std::int32_t, 3>;

  void add(const Step& step, const Neighbourhood& neighbourhood) {
    int changed = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      if (step[a] != 0 && !neighbourhood.open[a]) return;
      changed += step[a] != 0 ? 1 : 0;
    }
    if (changed == 0 || changed > neighbourhood.order) return;
    steps_.push_back(step);
    offsets_.push_back(step[0] + std::int64_t{size_[0]} * (step[1] + std::int64_t{size_[1]} * step[2]));
  }

  [[nodiscard]] bool on_grid(const Step& p, const Step& step) const {
    for (std::size_t a = 0; a < 3; ++a)
      if (p[a] + step[a] < 0 || p[a] + step[a] >= size_[a]) return false;
    return true;
  }

  std::array<std::int32_t, 3> size_;
  std::vector<Step> steps_;
  std::vector<std::int64_t> offsets_;
};

}  // namespace crema
