// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "crema/counts/groups.h"
#include "crema/counts/staple/rates.h"

namespace crema {

struct WindowEmOptions {
  double right = 0,
         wrong = 0;      ///< what the Beta prior adds to the counts of a rater, inside and outside alike
  double tolerance = 0;  ///< no rate may still move by more
  int max_iterations = 1;
};

/// Expectation maximisation over the groups of one window after the other, in memory that is used again. Sums
/// carry their rounding errors along, as ExactSum does, for all raters or all groups side by side.
class WindowEm {
 public:
  explicit WindowEm(const WindowEmOptions& options) : options_(options) {}

  /// The levels of all groups, from the M step on the mask average; true when it converged.
  bool run(const Groups& groups, double prior, Levels& levels);

 private:
  /// So many sums, each with what rounding took from it.
  struct Sums {
    std::vector<double> sum, error;

    void clear(std::size_t count) {
      sum.assign(count, 0);
      error.assign(count, 0);
    }
    [[nodiscard]] double value(std::size_t i) const { return sum[i] + error[i]; }
  };

  void begin(const Groups& groups);
  void find_rates(const Groups& groups, const Levels& levels);
  void add_row(std::size_t row, double inside, double outside);
  void find_levels(const Groups& groups, const LogPrior& prior, Levels& levels);
  bool sum_evidence(std::size_t rows);

  WindowEmOptions options_;
  std::vector<double> by_row_, by_rater_;  ///< 1 where a rater drew a group: rows × raters, raters × rows
  Sums hit_, miss_, pass_, slip_, inside_, outside_;
  Rates rates_, before_;
};

}  // namespace crema
