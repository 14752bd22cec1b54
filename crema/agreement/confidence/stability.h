// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "crema/agreement/measured.h"

namespace crema {

struct Options;
struct Reduction;
struct Solution;

/// How firmly a component was kept or left out.
struct Stability {
  bool kept = false;
  /// The criterion of the empty set less that of the best consensus that is found and not empty: above 0
  /// speaks for keeping the component. Undefined for methods that minimise no distance.
  Measured margin;
  /// Per rater: the weight at which the decision turns, the others keeping theirs (1 where there are none).
  /// None where no weight of that rater does it.
  std::vector<std::optional<double>> flip_weight;
};

/// For each component. Raising the weight of a rater who drew something in it speaks for keeping it, raising
/// that of one who did not speaks against it; so there is at most one weight at which the decision turns.
std::vector<Stability> measure_stability(const Reduction& reduction, const Solution& solution,
                                         const Options& options);

/// The margins alone, which cost next to nothing where components were kept.
std::vector<Measured> measure_margins(const Reduction& reduction, const Solution& solution,
                                      const Options& options);

}  // namespace crema
