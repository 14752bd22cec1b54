// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crema/counts/staple/performance.h"

/// The paper's simplifications of STAPLE that performance.h does not name already.
namespace crema {

/// One accuracy for all raters, inside as outside. With a prior of one half it is the majority vote.
GroupAnswer solve_common(const Groups& groups, const GroupOptions& options);

/// Maximum likelihood, as solve_ml_staple: a mask, no prior, from the majority vote.
/// One accuracy per rater: a weighted vote, whose weights move with the background.
GroupAnswer solve_ml_accuracy(const Groups& groups, const GroupOptions& options);
/// One sensitivity and one specificity for all raters: a vote by number, whose threshold moves with the
/// background.
GroupAnswer solve_ml_shared(const Groups& groups, const GroupOptions& options);
/// One accuracy for all raters: exactly the majority vote, whatever the background.
GroupAnswer solve_ml_common(const Groups& groups, const GroupOptions& options);

}  // namespace crema
