// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "crema/fuse.h"

namespace crema {

/// Components with more rater groups than this are not examined.
inline constexpr std::size_t kMaxExaminedGroups = 256;

/// Near enough to the least criterion: 1 %.
inline constexpr double kNearFactor = 1.01;

/// How unique the minimiser of a method's criterion is, whatever blocks the method works on.
struct Uniqueness {
  double lmsd = 0;                      ///< of the minimiser
  double size = 0;                      ///< of the minimiser: Σ level
  double smallest = 0, largest = 0;     ///< with each component within 1 % of its least criterion
  std::size_t groups = 0;               ///< rater groups of all components
  std::size_t undecided = 0;            ///< of them may be wholly in or wholly out
  std::int64_t undecided_voxels = 0;    ///< in these
  std::size_t optional_components = 0;  ///< may be kept or left out
  double entropy_low = 0;               ///< of minimisers with the same sums over groups: the least …
  double entropy_high = 0;              ///< … and that of the canonical one, which is the largest
  std::size_t unexamined = 0;           ///< components with too many groups
};

/// None for methods that minimise no distance, or one whose minimum is a vote.
std::optional<Uniqueness> measure_uniqueness(const Reduction& reduction, const Method& method,
                                             const Options& options);

}  // namespace crema
