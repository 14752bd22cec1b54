// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace crema {

/// A set of raters: bit k is rater k.
using Raters = std::uint64_t;

inline constexpr int kMaxRaters = 64;

/// Voxels of one component that lie at the same total distance and were drawn by the same raters.
struct Subcrown {
  std::int32_t distance;
  Raters raters;
  std::int64_t voxels;

  friend bool operator==(const Subcrown&, const Subcrown&) = default;
};

/// All a solver may know of a component. Rows are sorted by (distance, raters) and unique in it.
struct Tally {
  int raters = 0;
  std::vector<Subcrown> rows;
};

/// One level in [0,1] per row of a tally; 0 or 1 for a hard consensus.
using Levels = std::vector<double>;

}  // namespace crema
