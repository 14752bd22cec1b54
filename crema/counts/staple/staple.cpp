// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>

#include "crema/counts/staple/performance.h"
#include "crema/counts/staple/rates.h"

namespace crema {
namespace {

using Tying = void (*)(const Groups& groups, const Levels& levels, Rates& rates);

void keep_each(const Groups&, const Levels&, Rates&) {}

/// One accuracy per rater: the share of the region in which the rater is right.
void tie_inside_to_outside(const Groups& groups, const Levels& levels, Rates& rates) {
  double inside = 0;
  for (std::size_t r = 0; r < levels.size(); ++r)
    inside += levels[r] * static_cast<double>(groups.rows[r].voxels);
  const double all = static_cast<double>(groups.voxels()), outside = all - inside;
  for (std::size_t k = 0; k < rates.hit.size(); ++k) {
    const double right = inside * rates.hit[k] + outside * rates.pass[k];
    const double wrong = inside * rates.miss[k] + outside * rates.slip[k];
    rates.hit[k] = rates.pass[k] = all > 0 ? right / all : 1;
    rates.miss[k] = rates.slip[k] = all > 0 ? wrong / all : 0;
  }
}

/// Every rater has been shown the same voxels, so the pooled rate is the mean.
void tie_raters(const Groups&, const Levels&, Rates& rates) {
  for (auto* each : {&rates.hit, &rates.miss, &rates.pass, &rates.slip}) {
    const double mean = std::accumulate(each->begin(), each->end(), 0.0) / static_cast<double>(each->size());
    each->assign(each->size(), mean);
  }
}

Levels posteriors(const std::vector<Evidence>& evidence, double prior) {
  Levels levels;
  levels.reserve(evidence.size());
  for (const Evidence& row : evidence) levels.push_back(posterior(row, prior));
  return levels;
}

/// Rates from levels, levels from rates, until the rates stand still.
GroupAnswer estimate(const Groups& groups, const GroupOptions& options, Tying tie) {
  const double prior = prior_value(options.prior, groups);
  GroupAnswer answer{.levels = vote_shares(groups), .performance = {.prior = prior}};
  Performance& found = answer.performance;
  Rates rates, before;
  while (found.iterations < options.max_iterations && !found.converged) {
    rates = rates_of(groups, answer.levels);
    tie(groups, answer.levels, rates);
    const auto evidence = evidence_of(groups, rates);
    answer.levels = posteriors(evidence, prior);
    found.log_likelihood = log_likelihood(groups, evidence, prior);
    if (++found.iterations > 1) {
      found.change = largest_change(rates, before);
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

}  // namespace crema
