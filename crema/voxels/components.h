// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "crema/image/grid.h"
#include "crema/voxels/neighbourhood.h"

namespace crema {

class MemoryAccount;
class Votes;

/// Consecutive voxels of the union on one image row.
struct Run {
  std::int64_t first;  ///< offset of its first voxel in the image
  std::int32_t length;
};

/// A run on one image row as a box.
inline Box box_of(const Run& run, const Grid& grid) {
  const auto p = grid.point(run.first);
  return {p, {p[0] + run.length, p[1] + 1, p[2] + 1}};
}

struct Component {
  Box box;
  std::int64_t voxels = 0;
  std::size_t first_run = 0;  ///< its runs are [first_run, first_run + runs) of Components::runs
  std::size_t runs = 0;
};

/// The connected components of the union, numbered by their first voxel in raster order.
struct Components {
  std::vector<Run> runs;  ///< grouped by component, in raster order inside one
  std::vector<Component> list;

  [[nodiscard]] std::int64_t bytes() const {
    return static_cast<std::int64_t>(runs.size() * sizeof(Run) + list.size() * sizeof(Component));
  }
  [[nodiscard]] std::span<const Run> runs_of(const Component& component) const {
    return std::span(runs).subspan(component.first_run, component.runs);
  }
};

/// Throws ResourceError where an account is given and does not allow for them.
Components find_components(const Grid& grid, const Votes& votes, const Neighbourhood& neighbourhood,
                           const MemoryAccount* memory = nullptr);

}  // namespace crema
