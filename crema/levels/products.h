// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace crema {

/// Some raters' levels, and what each counts in a weighted sum.
struct WeightedLevels {
  std::vector<const float*> level;
  std::vector<double> weight;

  [[nodiscard]] std::size_t count() const { return level.size(); }
};

/// Numbers that add_products() adds up.
inline std::size_t product_sums(std::size_t raters) { return raters * (raters + 1) / 2 + raters + 1; }

/// Of voxels [begin, end), where the weighted sum is below 1, Σ products of the levels of raters j and k ≤ j,
/// pair after pair; where it is not, Σ levels of each rater, and how many voxels these are. In the same lanes
/// as sum_lanes().
void add_products(const WeightedLevels& raters, std::int64_t begin, std::int64_t end, std::span<double> sums);

/// The weighted sums of voxels [begin, end).
void sum_weighted(const WeightedLevels& raters, std::int64_t begin, std::int64_t end, double* sums);

}  // namespace crema
