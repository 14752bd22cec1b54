// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "crema/counts/tally.h"
#include "crema/voxels/components.h"

namespace crema {

/// A component cut into subcrowns.
struct Crowns {
  Tally tally;
  std::vector<std::uint32_t> row_of_voxel;  ///< per voxel, in the order of the component's runs

  [[nodiscard]] std::int64_t bytes() const;
};

/// Counts the voxels of each (total distance, rater group). `distances` is per voxel, in the order of the
/// runs. Throws ResourceError where an account is given and does not allow for the rows.
Crowns cut_crowns(const Votes& votes, const Components& components, const Component& component,
                  std::vector<std::uint32_t> distances, const MemoryAccount* memory = nullptr);

/// The same component with one row per voxel, by increasing distance, then in raster order.
Crowns split_voxels(const Crowns& crowns);

}  // namespace crema
