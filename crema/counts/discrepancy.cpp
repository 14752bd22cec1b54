// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/discrepancy.h"

namespace crema {

Sums sum_up(const Tally& tally, const Levels& levels) {
  const auto raters = static_cast<std::size_t>(tally.raters);
  Sums sums{.overlap = std::vector<double>(raters, 0), .size = std::vector<double>(raters, 0)};
  for (std::size_t r = 0; r < tally.rows.size(); ++r) {
    const auto n = static_cast<double>(tally.rows[r].voxels);
    const double x = levels[r];
    sums.total += n * x;
    sums.squares += n * x * x;
    for (std::size_t k = 0; k < raters; ++k)
      if ((tally.rows[r].raters >> k & 1) != 0) {
        sums.overlap[k] += n * x;
        sums.size[k] += n;
      }
  }
  return sums;
}

double distance_to(const Sums& sums, int rater, Distance distance) {
  const auto k = static_cast<std::size_t>(rater);
  const double a = sums.overlap[k], s = sums.size[k];
  const double extent = row_of(distance).squares ? sums.squares : sums.total;
  if (extent == 0 && s == 0) return 0;
  return row_of(distance).dice ? (extent + s - 2 * a) / (extent + s)
                               : (extent + s - 2 * a) / (extent + s - a);
}

double criterion(const Sums& sums, Distance distance, const std::vector<double>& weights) {
  double sum = 0, all = 0;
  for (std::size_t k = 0; k < sums.size.size(); ++k) {
    const double d = distance_to(sums, static_cast<int>(k), distance), w = weights.empty() ? 1 : weights[k];
    sum += w * d * d;
    all += w;
  }
  return sum / all;
}

double criterion(const Tally& tally, const Levels& levels, Distance distance,
                 const std::vector<double>& weights) {
  return criterion(sum_up(tally, levels), distance, weights);
}

}  // namespace crema
