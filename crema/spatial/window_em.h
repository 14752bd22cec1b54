// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "crema/counts/groups.h"
#include "crema/counts/staple/rate_sums.h"

namespace crema {

struct WindowEmOptions {
  double right = 0,
         wrong = 0;      ///< what the Beta prior adds to the counts of a rater, inside and outside alike
  double tolerance = 0;  ///< no rate may still move by more
  int max_iterations = 1;
};

/// Expectation maximisation over the groups of one window after the other, in memory that is used again.
class WindowEm {
 public:
  explicit WindowEm(const WindowEmOptions& options) : options_(options) {}

  /// The levels of all groups, from the M step on the mask average; true when it converged.
  bool run(const Groups& groups, double prior, Levels& levels);

 private:
  void find_rates(const Groups& groups, const Levels& levels);

  WindowEmOptions options_;
  RateSums sums_;
  std::vector<Evidence> evidence_;
  Rates rates_, before_;
};

}  // namespace crema
