// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "crema/solution.h"

namespace crema {

/// What each rater counts in a consensus of levels, over all components that are kept, each by its size.
struct LevelRule {
  std::vector<double> weights;      ///< per rater; of a vote their sum is 1
  std::size_t components = 0;       ///< so many are kept, each with a rule of its own
  std::optional<double> threshold;  ///< a vote is in above it; none: the level is the weighted sum, 1 at most
};

/// None where the method finds no weights, or nothing is kept.
std::optional<LevelRule> level_rule(const Solution& solution);

/// "in where 0.31·fold-0 + 0.28·fold-1 > 0.5 (mean over 3 components)", in the order of the raters.
std::string rule_text(const LevelRule& rule, const std::vector<std::string>& names);

}  // namespace crema
