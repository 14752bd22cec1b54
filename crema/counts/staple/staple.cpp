// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "crema/counts/staple/performance.h"
#include "crema/counts/staple/rates.h"
#include "crema/counts/staple/tying.h"
#include "crema/counts/staple/variants.h"

namespace crema {
namespace {

Levels posteriors(const std::vector<Evidence>& evidence, double prior) {
  Levels levels;
  levels.reserve(evidence.size());
  for (const Evidence& row : evidence) levels.push_back(posterior(row, prior));
  return levels;
}

/// The largest difference between the levels of a row.
double largest_change(const Levels& a, const Levels& b) {
  double change = 0;
  for (std::size_t r = 0; r < a.size(); ++r) change = std::max(change, std::abs(a[r] - b[r]));
  return change;
}

/// Rates from levels, levels from rates, until they stand still.
GroupAnswer estimate(const Groups& groups, const GroupOptions& options, Tying tie) {
  const double prior = prior_value(options.prior, groups);
  GroupAnswer answer{.levels = vote_shares(groups), .performance = {.prior = prior}};
  Performance& found = answer.performance;
  Rates rates, before;
  while (found.iterations < options.max_iterations && !found.converged) {
    rates = rates_of(groups, answer.levels);
    tie(groups, answer.levels, rates);
    const auto evidence = evidence_of(groups, rates);
    const Levels last = std::exchange(answer.levels, posteriors(evidence, prior));
    found.log_likelihood = log_likelihood(groups, evidence, prior);
    if (++found.iterations > 1) {
      found.change = largest_change(rates, before);
      if (options.settling == Settling::rates_and_levels)
        found.change = std::max(found.change, largest_change(answer.levels, last));
      found.converged = found.change <= options.tolerance;
    }
    before = rates;
    if (options.stop && options.stop()) break;
  }
  found.sensitivity = std::move(rates.hit);
  found.specificity = std::move(rates.pass);
  return answer;
}

}  // namespace

Levels vote_shares(const Groups& groups) {
  Levels shares;
  for (const Group& row : groups.rows)
    shares.push_back(static_cast<double>(std::popcount(row.raters)) / static_cast<double>(groups.raters));
  return shares;
}

double prior_value(const Prior& prior, const Groups& groups) {
  if (prior.kind == Prior::Kind::number) return prior.value;
  const auto voxels = static_cast<double>(groups.voxels());
  if (prior.kind == Prior::Kind::power) return prior.value / std::pow(voxels, prior.alpha);
  std::int64_t drawn = 0;
  for (const Group& row : groups.rows) drawn += row.voxels * std::popcount(row.raters);
  return voxels > 0 ? prior.value * static_cast<double>(drawn) / (voxels * groups.raters) : 0;
}

GroupAnswer solve_staple(const Groups& groups, const GroupOptions& options) {
  if (options.as_package != nullptr) return options.as_package(groups, options);
  return estimate(groups, options, keep_each);
}

GroupAnswer solve_accuracy(const Groups& groups, const GroupOptions& options) {
  return estimate(groups, options, tie_inside_to_outside);
}

GroupAnswer solve_shared(const Groups& groups, const GroupOptions& options) {
  return estimate(groups, options, tie_raters);
}

GroupAnswer solve_common(const Groups& groups, const GroupOptions& options) {
  return estimate(groups, options, tie_all);
}

}  // namespace crema
