// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <set>

#include "crema/labels/vectors.h"
#include "crema/options.h"

namespace crema {
namespace {

constexpr double kRounding = 1e-12;

/// Mean over the labels of each rater's Dice overlap with the estimate; labels that neither has do not count.
std::vector<double> overlaps(const LabelVectors& vectors, const std::vector<std::size_t>& places) {
  const std::size_t n = vectors.places;
  std::vector<double> common(vectors.raters * n, 0), both(common);
  for (std::size_t r = 0; r < vectors.rows(); ++r) {
    const auto voxels = static_cast<double>(vectors.voxels[r]);
    for (std::size_t k = 0; k < vectors.raters; ++k) {
      const std::size_t said = vectors.row(r)[k];
      both[k * n + said] += voxels;
      if (places[r] < n) both[k * n + places[r]] += voxels;
      if (places[r] == said) common[k * n + said] += voxels;
    }
  }
  std::vector<double> score;
  for (std::size_t k = 0; k < vectors.raters; ++k) {
    double sum = 0, labels = 0;
    for (std::size_t p = 1; p < n; ++p) {
      if (both[k * n + p] == 0) continue;
      sum += 2 * common[k * n + p] / both[k * n + p];
      ++labels;
    }
    score.push_back(labels > 0 ? sum / labels : 1);
  }
  return score;
}

/// Raters with a say whose score is so many standard deviations below the mean of all of them.
Raters too_low(const std::vector<double>& score, Raters dropped, double deviations) {
  std::vector<double> own;
  for (std::size_t k = 0; k < score.size(); ++k)
    if ((dropped >> k & 1) == 0) own.push_back(score[k]);
  std::sort(own.begin(), own.end());
  double mean = 0, squares = 0;
  for (const double each : own) mean += each / static_cast<double>(own.size());
  for (const double each : own) squares += (each - mean) * (each - mean);
  const double least = mean - deviations * std::sqrt(squares / static_cast<double>(own.size()));
  Raters low = 0;
  for (std::size_t k = 0; k < score.size(); ++k)
    if ((dropped >> k & 1) == 0 && score[k] < least - kRounding) low |= Raters{1} << k;
  return low;
}

}  // namespace

std::vector<std::size_t> solve_label_simple(const LabelVectors& vectors, const Options& options,
                                            LabelEstimate& estimate) {
  std::vector<double> weights(vectors.raters, 1);
  std::vector<std::size_t> places = vote(vectors, weights);
  std::set<std::pair<Raters, std::vector<std::size_t>>> seen;
  while (!estimate.converged && estimate.iterations < options.estimate.max_iterations) {
    ++estimate.iterations;
    estimate.score = overlaps(vectors, places);
    const Raters low = too_low(estimate.score, estimate.dropped, options.estimate.drop_below);
    estimate.dropped |= low;
    for (std::size_t k = 0; k < weights.size(); ++k)
      weights[k] = (estimate.dropped >> k & 1) != 0 ? 0 : estimate.score[k];
    std::vector<std::size_t> next = vote(vectors, weights);
    estimate.converged = low == 0 && next == places;
    places = std::move(next);
    if (!seen.emplace(estimate.dropped, places).second) break;
  }
  return places;
}

}  // namespace crema
