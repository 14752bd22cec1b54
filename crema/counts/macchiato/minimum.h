// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "crema/counts/macchiato/line.h"

namespace crema {

/// The criterion at level y, less the constant share of the absent raters, which would drown small values.
double value_at(const Line& line, double y);

/// Criterion at level y less that at level z. No digits are lost however small the block is.
Difference difference(const Line& line, double y, double z);

/// The share of its terms below which a difference may be rounding: it is a tie.
inline constexpr double kTie = 1e-12;

/// The level in [0,1] at which the criterion is least: the global minimum. On a tie 0 wins, then 1, so that
/// neither rounding nor the order of the raters decides.
///
/// Stretches of [0,1] on which bounds of the first and second derivative show the criterion to be monotone,
/// concave or convex are settled at their ends or by Newton's method; others are halved. It starts at the
/// level there is `now`, which is often near.
double minimise(const Line& line, double now = 0.5);

/// The two ways to it, which agree to the last bit: where one look at each rater shows where the minimum is,
/// and the search for all others.
std::optional<double> find_at_a_glance(const Line& line, double now);
double find_by_search(const Line& line, double now);

/// What setting a block to its best level does.
struct BestStep {
  double level = 0;
  double change = 0;  ///< of the criterion, from the level it has
  double unit = 0;    ///< size of the terms of such changes per unit of level
};

BestStep best_step(const Line& line, double now);

}  // namespace crema
