// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "crema/image/grid.h"

namespace crema::report {

/// A stretch of slices, to keep a page small.
struct Slices {
  Axis axis = Axis::z;
  std::int32_t first = 0, last = 0;  ///< both included
};

/// "z=20:60" on that grid. Throws UsageError that names the range, without naming the option.
Slices parse_slices(const std::string& text, const Grid& grid);

}  // namespace crema::report
