// SPDX-License-Identifier: Apache-2.0
// One rater who draws as one what others see as several.
#pragma once

#include <cstddef>

#include "crema/reduction.h"

namespace crema {

struct MergedByRater {
  int rater = -1;           ///< -1: nobody
  std::size_t regions = 0;  ///< so many without the rater, each drawn by two or more others
};

/// The rater without whom a component falls into the most regions that two or more of the others drew; at
/// least two. Not looked for in components so large that it would take long.
MergedByRater find_merged(const Reduction& reduction, std::size_t component);

}  // namespace crema
