// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "raters/open/headers.h"

namespace crema::raters {

struct RegionMask {
  std::vector<std::uint8_t> voxels;  ///< on the raters' grid; empty where the region is no mask
  Warnings warnings;
};

/// Throws InputError when nothing is inside; the name says whose mask it is.
void require_voxels(Mask region, const std::string& name);

/// The mask file that the settings name as the region, on the raters' grid. Throws InputError when it lies on
/// another one or is empty.
RegionMask read_region(const Settings& settings, const files::Header& reference);

}  // namespace crema::raters
