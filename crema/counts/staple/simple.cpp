// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "crema/counts/staple/performance.h"
#include "crema/counts/staple/rates.h"

namespace crema {
namespace {

constexpr double kScoreRounding = 1e-12;

/// What the raters with a say draw, each counted by a weight; half of all weights is a tie.
Levels vote(const Groups& groups, const std::vector<double>& weights, Raters dropped, Tie tie) {
  Levels levels;
  for (const Group& row : groups.rows) {
    double over = 0, all = 0;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      if ((dropped >> k & 1) != 0) continue;
      all += weights[k];
      over += (row.raters >> k & 1) != 0 ? weights[k] : -weights[k];
    }
    const bool even = std::abs(over) <= kScoreRounding * all;
    levels.push_back(even ? (tie == Tie::foreground && row.raters != 0 ? 1 : 0) : over > 0 ? 1 : 0);
  }
  return levels;
}

/// Dice overlap of each rater with the estimate; two empty masks agree.
std::vector<double> overlaps(const Groups& groups, const Levels& levels) {
  std::vector<double> common(static_cast<std::size_t>(groups.raters), 0), both(common);
  for (std::size_t r = 0; r < levels.size(); ++r) {
    const auto voxels = static_cast<double>(groups.rows[r].voxels);
    for (std::size_t k = 0; k < common.size(); ++k) {
      const bool drew = (groups.rows[r].raters >> k & 1) != 0;
      both[k] += voxels * (levels[r] + (drew ? 1 : 0));
      if (drew) common[k] += voxels * levels[r];
    }
  }
  for (std::size_t k = 0; k < common.size(); ++k) common[k] = both[k] > 0 ? 2 * common[k] / both[k] : 1;
  return common;
}

/// Those among the raters with a say whose score is so many standard deviations below the mean of all of
/// them.
Raters too_low(const std::vector<double>& score, Raters dropped, double deviations) {
  double sum = 0, squares = 0, count = 0;
  auto counts = [&](std::size_t k) { return (dropped >> k & 1) == 0; };
  for (std::size_t k = 0; k < score.size(); ++k)
    if (counts(k)) {
      sum += score[k];
      ++count;
    }
  const double mean = sum / count;
  for (std::size_t k = 0; k < score.size(); ++k)
    if (counts(k)) squares += (score[k] - mean) * (score[k] - mean);
  const double least = mean - deviations * std::sqrt(squares / count);
  Raters low = 0;
  for (std::size_t k = 0; k < score.size(); ++k)
    if (counts(k) && score[k] < least - kScoreRounding) low |= Raters{1} << k;
  return low;
}

}  // namespace

GroupAnswer solve_simple(const Groups& groups, const GroupOptions& options) {
  const std::vector<double> alike(static_cast<std::size_t>(groups.raters), 1);
  GroupAnswer answer{.levels = vote(groups, alike, 0, options.tie), .performance = {}};
  Performance& found = answer.performance;
  std::set<std::pair<Raters, Levels>> seen;
  while (found.iterations < options.max_iterations) {
    ++found.iterations;
    found.score = overlaps(groups, answer.levels);
    const Raters low = too_low(found.score, found.dropped, options.drop_below);
    Levels next = vote(groups, found.score, found.dropped | low, options.tie);
    found.converged = low == 0 && next == answer.levels;
    found.dropped |= low;
    answer.levels = std::move(next);
    if (found.converged || !seen.emplace(found.dropped, answer.levels).second) break;
  }
  Rates rates = rates_of(groups, answer.levels);
  found.sensitivity = std::move(rates.hit);
  found.specificity = std::move(rates.pass);
  return answer;
}

}  // namespace crema
