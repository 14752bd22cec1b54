// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "crema/counts/tally.h"

namespace crema {

/// Voxels of a region that were drawn by the same raters; by none: its background.
struct Group {
  Raters raters;
  std::int64_t voxels;

  friend bool operator==(const Group&, const Group&) = default;
};

/// All that a method for the whole image may know. Rows are sorted by raters, unique in it and not empty.
struct Groups {
  int raters = 0;
  std::vector<Group> rows;

  [[nodiscard]] std::int64_t voxels() const {
    std::int64_t sum = 0;
    for (const Group& row : rows) sum += row.voxels;
    return sum;
  }
};

}  // namespace crema
