// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "crema/counts/staple/rates.h"

namespace crema {

/// Both steps of expectation maximisation over groups, in memory that is used again. Sums carry their
/// rounding errors along, as ExactSum does. What four raters have in common is summed once for each of the 16
/// ways in which they can draw, so that a group takes a step for four raters and not one for each.
class RateSums {
 public:
  void find_rates(const Groups& groups, const Levels& levels, Rates& rates);
  void find_evidence(const Groups& groups, const Rates& rates, std::vector<Evidence>& evidence);

 private:
  /// A sum for inside and one for outside, each with what rounding took from it.
  struct Pair {
    double sum[2] = {0, 0}, error[2] = {0, 0};

    /// Of terms that are finite. The error of each addition is exact, so that its order of sizes does not
    /// matter.
    void add(double inside, double outside) {
      const double term[2] = {inside, outside};
      for (std::size_t side = 0; side < 2; ++side) {
        const double next = sum[side] + term[side], added = next - sum[side];
        error[side] += (sum[side] - (next - added)) + (term[side] - added);
        sum[side] = next;
      }
    }
    void add(const Pair& other) {
      add(other.sum[0], other.sum[1]);
      for (std::size_t side = 0; side < 2; ++side) error[side] += other.error[side];
    }
    [[nodiscard]] double inside() const { return sum[0] + error[0]; }
    [[nodiscard]] double outside() const { return sum[1] + error[1]; }
  };
  /// Four raters, by the bits of those who drew.
  using Four = std::array<Pair, 16>;

  bool sum_evidence();

  std::vector<Four> fours_;
  Rates logs_;
};

}  // namespace crema
