// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/confidence/weights_found.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "crema/agreement/overlap.h"
#include "crema/base/error.h"
#include "crema/base/text.h"
#include "crema/counts/discrepancy.h"
#include "crema/options.h"
#include "crema/reduction.h"
#include "crema/solution.h"
#include "crema/tables/method.h"

namespace crema {
namespace {

/// Sums closer to the threshold than this are ties, on which either answer is right.
constexpr double kTie = 1e-5;

/// How the criterion changes with each overlap, and with the extent (t or q).
struct Slopes {
  std::vector<double> overlap;
  double extent = 0;
};

Slopes slopes_of(const Sums& sums, const Distance& distance, const std::vector<double>& weights) {
  double all = 0;
  for (std::size_t k = 0; k < sums.size.size(); ++k) all += weights.empty() ? 1 : weights[k];
  Slopes slopes;
  for (std::size_t k = 0; k < sums.size.size(); ++k) {
    const Fall fall = fall_to(sums, static_cast<int>(k), distance, weights.empty() ? 1 : weights[k], all);
    slopes.overlap.push_back(sums.size[k] > 0 ? -fall.overlap : 0);
    slopes.extent += fall.extent;
  }
  return slopes;
}

double sum_of(Raters raters, const std::vector<double>& weights) {
  double sum = 0;
  for (std::size_t k = 0; k < weights.size(); ++k)
    if ((raters >> k & 1) != 0) sum += weights[k];
  return sum;
}

std::int64_t count_exceptions(const Tally& tally, const Decision& decision, const FoundWeights& found) {
  std::int64_t exceptions = 0;
  for (std::size_t r = 0; r < tally.rows.size(); ++r) {
    const double over = sum_of(tally.rows[r].raters, found.weights) - found.threshold;
    if (over > kTie) exceptions += tally.rows[r].voxels - decision.inside[r];
    if (over < -kTie) exceptions += decision.inside[r];
  }
  return exceptions;
}

}  // namespace

FoundWeights find_weights_of(const Tally& tally, const Decision& decision, const Distance& distance,
                             const std::vector<double>& weights) {
  if (decision.levels.size() != tally.rows.size())
    throw InputError(fmt::format("a consensus of {} levels does not belong to a component of {} rows",
                                 decision.levels.size(), tally.rows.size()));
  FoundWeights found{.present = raters_present(tally)};
  found.graded = squares(distance);
  found.threshold = found.graded ? 0.5 : 1;
  const Sums sums = sum_up(tally, decision.levels);
  if (sums.total == 0) {
    found.reason = Undefined::empty_consensus;
    return found;
  }
  const Slopes slopes = slopes_of(sums, distance, weights);
  if (!(slopes.extent > 0)) {
    found.reason = Undefined::all_alike;
    return found;
  }
  for (const double slope : slopes.overlap)
    found.weights.push_back(std::max(0.0, -slope) / (found.graded ? 2 * slopes.extent : slopes.extent));
  found.exceptions = count_exceptions(tally, decision, found);
  return found;
}

std::vector<FoundWeights> find_weights_of(const Reduction& reduction, const Solution& solution,
                                          const Options& options) {
  std::vector<FoundWeights> list;
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c) {
    const Tally& tally = reduction.crowns[c].tally;
    list.push_back(solution.method->aim == Aim::distance
                       ? find_weights_of(tally, solution.components[c],
                                         solution.method->distance.with(options.tversky), options.weights)
                       : FoundWeights{.reason = Undefined::no_criterion, .present = raters_present(tally)});
  }
  return list;
}

std::string rule_in_words(const FoundWeights& found, std::span<const std::string> names) {
  if (found.reason) return fmt::format("no rule: {}", to_string(*found.reason));
  std::vector<std::string> terms;
  for (std::size_t k = 0; k < found.weights.size(); ++k)
    if ((found.present >> k & 1) != 0) terms.push_back(fmt::format("{:.2f}·{}", found.weights[k], names[k]));
  std::string rule = fmt::format("in where {} > {}", fmt::join(terms, " + "), found.threshold);
  if (found.exceptions == 0) return rule;
  return fmt::format("{}, but for {}", rule, counted(found.exceptions, "voxel"));
}

}  // namespace crema
