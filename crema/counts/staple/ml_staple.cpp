// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cmath>
#include <set>

#include "crema/counts/staple/performance.h"
#include "crema/counts/staple/rates.h"
#include "crema/counts/staple/tying.h"
#include "crema/counts/staple/variants.h"

namespace crema {
namespace {

double choose(Tie tie) { return tie == Tie::foreground ? 1 : 0; }

Levels majority(const Groups& groups, Tie tie) {
  Levels levels;
  for (const Group& row : groups.rows) {
    const int over = 2 * std::popcount(row.raters) - groups.raters;
    levels.push_back(over == 0 ? choose(tie) : over > 0 ? 1 : 0);
  }
  return levels;
}

/// Inside where that is more likely; even odds give one half as a posterior, and are the tie policy's.
Levels likelier(const std::vector<Evidence>& evidence, Tie tie) {
  Levels levels;
  for (const Evidence& row : evidence) {
    const double chance = posterior(row, 0.5);
    levels.push_back(chance == 0.5 ? choose(tie) : chance > 0.5 ? 1 : 0);
  }
  return levels;
}

double log_likelihood_of(const Groups& groups, const std::vector<Evidence>& evidence, const Levels& levels) {
  double sum = 0;
  for (std::size_t r = 0; r < levels.size(); ++r)
    sum += static_cast<double>(groups.rows[r].voxels) *
           (levels[r] == 1 ? evidence[r].inside : evidence[r].outside);
  return sum;
}

/// The mask whose votes are likeliest, under rates that the mask makes likeliest.
GroupAnswer likeliest(const Groups& groups, const GroupOptions& options, Tying tie) {
  GroupAnswer answer{.levels = majority(groups, options.tie), .performance = {}};
  Performance& found = answer.performance;
  std::set<Levels> seen{answer.levels};
  Rates rates;
  while (found.iterations < options.max_iterations) {
    const Rates before = std::move(rates);
    rates = rates_of(groups, answer.levels);
    tie(groups, answer.levels, rates);
    const auto evidence = evidence_of(groups, rates);
    // Of the mask that the rates come from, under which nothing it holds is impossible.
    found.log_likelihood = log_likelihood_of(groups, evidence, answer.levels);
    if (++found.iterations > 1) found.change = largest_change(rates, before);
    Levels next = likelier(evidence, options.tie);
    found.converged = next == answer.levels;
    if (found.converged) break;
    answer.levels = std::move(next);
    if (!seen.insert(answer.levels).second) break;  // it would go round for ever
  }
  found.sensitivity = std::move(rates.hit);
  found.specificity = std::move(rates.pass);
  return answer;
}

}  // namespace

GroupAnswer solve_ml_staple(const Groups& groups, const GroupOptions& options) {
  return likeliest(groups, options, keep_each);
}
GroupAnswer solve_ml_accuracy(const Groups& groups, const GroupOptions& options) {
  return likeliest(groups, options, tie_inside_to_outside);
}
GroupAnswer solve_ml_shared(const Groups& groups, const GroupOptions& options) {
  return likeliest(groups, options, tie_raters);
}
GroupAnswer solve_ml_common(const Groups& groups, const GroupOptions& options) {
  return likeliest(groups, options, tie_all);
}

}  // namespace crema
