// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "crema/voxels/region.h"

namespace crema {

/// Which of the three 95th percentiles is meant by "HD95".
enum class Hd95 : std::uint8_t { max, pooled, area };
inline constexpr std::string_view kHd95Words = "max|pooled|area";

/// Whether the components stay as all raters made them, the one left out having weight 0, or are formed anew
/// from the others' masks.
enum class LeaveOut : std::uint8_t { fixed, exact };

/// What measures of agreement read; the table of settings has a row for each that people can set.
struct MeasureOptions {
  bool surfaces = true;          ///< surface distances are wanted
  double surface_tolerance = 1;  ///< millimetres, for the normalised surface Dice
  Hd95 hd95 = Hd95::max;
  Region region = {};                      ///< of kappa and alpha; what the options of a run say
  std::optional<LeaveOut> leave_out = {};  ///< each rater is left out once
  int replicates = 0;                      ///< of the bootstrap; 0: none
  std::uint64_t seed = 1;                  ///< of the bootstrap
  bool flips = false;                      ///< weights at which decisions turn are wanted
  bool uniqueness = false;                 ///< how unique the minimiser is, is wanted
  std::optional<std::size_t> review = {};  ///< so many places to look at again are wanted; 0: all
};

}  // namespace crema
