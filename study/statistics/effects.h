// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "study/statistics/bootstrap.h"

namespace crema::study {

/// What one rater came to in one case; both are numbered from 0. A rater may be missing in a case.
struct Observation {
  std::size_t item = 0, rater = 0;
  double value = 0;
};

/// One rater against the mean of all raters, on the same cases.
struct RaterEffect {
  std::int64_t cases = 0;
  double mean = 0;    ///< as if the rater had drawn every case
  double effect = 0;  ///< the mean less that of all raters
  std::optional<Interval> interval =
      {};  ///< 95 %, of the effect; none where nothing is left to estimate it from
};

/// y = mean + case + rater + error by least squares.
struct RaterEffects {
  std::int64_t cases = 0, observations = 0;
  double freedom = 0, rest_freedom = 0;  ///< degrees of freedom of raters and of the error
  std::optional<double> f = {}, p = {};  ///< of the test that all raters are alike
  std::vector<RaterEffect> raters = {};
};

/// None for fewer than two raters or cases, and where raters are not linked by common cases.
std::optional<RaterEffects> rater_effects(std::span<const Observation> observations, std::size_t raters);

/// Variances of y = mean + case + rater + error, all three at random.
struct VarianceComponents {
  double mean = 0, cases = 0, raters = 0, error = 0;
};

/// By restricted maximum likelihood; raters may be missing. None for fewer than two raters or cases, and
/// where every case has one observation.
std::optional<VarianceComponents> variance_components(std::span<const Observation> observations,
                                                      std::size_t raters);

}  // namespace crema::study
