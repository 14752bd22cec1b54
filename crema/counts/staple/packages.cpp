// SPDX-License-Identifier: Apache-2.0
// STAPLE as other packages compute it, from what their sources do; docs/method.md compares them.
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>

#include "crema/counts/staple/performance.h"
#include "crema/counts/staple/rates.h"

namespace crema {
namespace {

bool unanimous(const Group& row, int raters) {
  const int drew = std::popcount(row.raters);
  return drew == 0 || drew == raters;
}

Groups disputed(const Groups& groups) {
  Groups part{.raters = groups.raters, .rows = {}};
  for (const Group& row : groups.rows)
    if (!unanimous(row, groups.raters)) part.rows.push_back(row);
  return part;
}

/// Levels of the disputed rows put back among the unanimous ones, which are 0 and 1.
Levels with_unanimous(const Groups& groups, const Levels& levels) {
  Levels all;
  auto next = levels.begin();
  for (const Group& row : groups.rows)
    all.push_back(unanimous(row, groups.raters) ? (row.raters == 0 ? 0 : 1) : *next++);
  return all;
}

Levels expect(const Groups& groups, const Rates& rates, const Levels& priors) {
  const auto evidence = evidence_of(groups, rates);
  Levels levels;
  for (std::size_t r = 0; r < evidence.size(); ++r)
    levels.push_back(priors[r] <= 0 || priors[r] >= 1 ? priors[r] : posterior(evidence[r], priors[r]));
  return levels;
}

/// Rates with something added to what they are divided by, or to both counts of a pair.
Rates maximise(const Groups& groups, const Levels& levels, double to_sum, double to_each) {
  Rates rates = rates_of(groups, levels);
  double inside = 0;
  for (std::size_t r = 0; r < levels.size(); ++r)
    inside += levels[r] * static_cast<double>(groups.rows[r].voxels);
  const double outside = static_cast<double>(groups.voxels()) - inside;
  auto weaken = [&](std::vector<double>& right, std::vector<double>& wrong, double sum) {
    for (std::size_t k = 0; k < right.size(); ++k) {
      const double all = sum + to_sum + 2 * to_each;
      const double hits = sum > 0 ? right[k] * sum : 0, misses = sum > 0 ? wrong[k] * sum : 0;
      right[k] = (hits + to_each) / all;
      wrong[k] = (misses + to_each + to_sum) / all;
    }
  };
  weaken(rates.hit, rates.miss, inside);
  weaken(rates.pass, rates.slip, outside);
  return rates;
}

Rates equal_rates(int raters, double right) {
  const std::vector<double> good(static_cast<std::size_t>(raters), right);
  const std::vector<double> bad(good.size(), 1 - right);
  return {good, bad, good, bad};
}

/// What NiftySeg and CRKit watch.
double mean_rate(const Rates& rates) {
  const double sum = std::accumulate(rates.hit.begin(), rates.hit.end(), 0.0) +
                     std::accumulate(rates.pass.begin(), rates.pass.end(), 0.0);
  return sum / (2 * static_cast<double>(rates.hit.size()));
}

GroupAnswer report(Levels levels, Rates rates, Performance found) {
  found.sensitivity = std::move(rates.hit);
  found.specificity = std::move(rates.pass);
  return {std::move(levels), std::move(found)};
}

double log_likelihood_of(const Groups& groups, const Rates& rates, const Levels& priors) {
  const auto evidence = evidence_of(groups, rates);
  double sum = 0;
  for (std::size_t r = 0; r < evidence.size(); ++r)
    sum += log_likelihood({groups.raters, {groups.rows[r]}}, {evidence[r]}, priors[r]);
  return sum;
}

/// Starts from perfect-looking raters and stops at the limit of double precision.
GroupAnswer as_stapler(const Groups& groups) {
  constexpr double kStart = 0.99999, kStop = 0x1p-52, kAdded = 0x1p-26;
  constexpr int kMax = 10000;
  const Levels priors = vote_shares(groups);
  Rates rates = equal_rates(groups.raters, kStart);
  Performance found;
  Levels levels;
  while (!found.converged && found.iterations < kMax) {
    levels = expect(groups, rates, priors);
    Rates next = maximise(groups, levels, kAdded, 0);
    found.change = largest_change(rates, next);
    found.converged = found.change <= kStop;
    ++found.iterations;
    if (!found.converged) rates = std::move(next);
  }
  found.log_likelihood = log_likelihood_of(groups, rates, priors);
  return report(std::move(levels), std::move(rates), std::move(found));
}

}  // namespace

GroupAnswer solve_as_stapler(const Groups& groups, const GroupOptions&) { return as_stapler(groups); }

GroupAnswer solve_as_stapler_bin(const Groups& groups, const GroupOptions&) {
  GroupAnswer answer = as_stapler(disputed(groups));
  answer.levels = with_unanimous(groups, answer.levels);
  answer.performance.disputed_only = true;
  return answer;
}

GroupAnswer solve_as_crkit(const Groups& groups, const GroupOptions&) {
  constexpr double kStop = 5e-7, kOwnVote = 0.5;
  constexpr int kMax = 10'000'000;
  const Groups part = disputed(groups);
  Levels levels = vote_shares(part), priors = levels;
  Performance found;
  found.disputed_only = true;
  found.prior = prior_value({}, part);
  for (double& prior : priors) prior = kOwnVote * prior + (1 - kOwnVote) * *found.prior;
  Rates rates = rates_of(part, levels);
  double before = 0;
  while (!found.converged && found.iterations < kMax) {
    rates = rates_of(part, levels);
    levels = expect(part, rates, priors);
    const double mean = mean_rate(rates);
    found.change = std::abs(mean - before) / mean;
    found.converged = found.change <= kStop;
    ++found.iterations;
    before = mean;
  }
  found.log_likelihood = log_likelihood_of(part, rates, priors);
  return report(with_unanimous(groups, levels), std::move(rates), std::move(found));
}

GroupAnswer solve_as_niftyseg(const Groups& groups, const GroupOptions&) {
  constexpr double kStart = 0.95, kStop = 0.01, kAdded = 1e-4;
  constexpr int kLastPass = 15;
  Levels levels, priors(groups.rows.size(), 0.5);
  for (std::size_t r = 0; r < priors.size(); ++r)  // a label that nobody chose is out of the question
    if (unanimous(groups.rows[r], groups.raters)) priors[r] = groups.rows[r].raters == 0 ? 0 : 1;
  Rates rates = equal_rates(groups.raters, kStart);
  Performance found;
  found.prior = 0.5;
  double before = 0;
  for (int pass = 0; pass <= kLastPass && !found.converged; ++pass) {
    levels = expect(groups, rates, priors);
    rates = maximise(groups, levels, 0, kAdded);
    const double mean = mean_rate(rates);
    if (pass > 0) found.change = std::abs(mean - before) / before;
    found.converged = pass >= 2 && found.change <= kStop;
    found.iterations = pass + 1;
    before = mean;
  }
  found.log_likelihood = log_likelihood_of(groups, rates, priors);
  return report(std::move(levels), std::move(rates), std::move(found));
}

}  // namespace crema
