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
};

}  // namespace crema
