// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crema/counts/groups.h"
#include "crema/counts/staple/rates.h"

namespace crema {

/// Makes rates that were estimated freely obey a simplification. The levels are those they were estimated
/// from.
using Tying = void (*)(const Groups& groups, const Levels& levels, Rates& rates);

/// No simplification: each rater has a sensitivity and a specificity.
void keep_each(const Groups& groups, const Levels& levels, Rates& rates);
/// One accuracy per rater: the share of the region in which the rater is right.
void tie_inside_to_outside(const Groups& groups, const Levels& levels, Rates& rates);
/// One sensitivity and one specificity for all raters.
void tie_raters(const Groups& groups, const Levels& levels, Rates& rates);
/// One accuracy for all raters.
void tie_all(const Groups& groups, const Levels& levels, Rates& rates);

}  // namespace crema
