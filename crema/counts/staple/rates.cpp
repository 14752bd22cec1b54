// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/staple/rates.h"

#include <algorithm>
#include <cmath>

#include "crema/counts/staple/rate_sums.h"

namespace crema {
namespace {

/// Relative to the terms that were added up, this much may be rounding.
constexpr double kOddsRounding = 1e-13;

}  // namespace

Rates rates_of(const Groups& groups, const Levels& levels) {
  Rates rates;
  RateSums().find_rates(groups, levels, rates);
  return rates;
}

std::vector<Evidence> evidence_of(const Groups& groups, const Rates& rates) {
  std::vector<Evidence> evidence;
  RateSums().find_evidence(groups, rates, evidence);
  return evidence;
}

LogPrior log_prior(double prior) { return {std::log(prior), std::log1p(-prior)}; }

double log_odds(const Evidence& evidence, double prior) { return log_odds(evidence, log_prior(prior)); }

double log_odds(const Evidence& evidence, const LogPrior& prior) {
  const double inside = prior.inside + evidence.inside, outside = prior.outside + evidence.outside;
  // Neither can be: nothing was learnt.
  if (std::isinf(inside) && std::isinf(outside)) return prior.inside - prior.outside;
  const double odds = inside - outside;
  return std::isfinite(odds) && std::abs(odds) <= kOddsRounding * (1 - inside - outside) ? 0 : odds;
}

double posterior(const Evidence& evidence, double prior) { return posterior(evidence, log_prior(prior)); }

double posterior(const Evidence& evidence, const LogPrior& prior) {
  return 1 / (1 + std::exp(-log_odds(evidence, prior)));
}

double log_likelihood(const Groups& groups, const std::vector<Evidence>& evidence, double prior) {
  double sum = 0;
  for (std::size_t r = 0; r < groups.rows.size(); ++r) {
    const double inside = std::log(prior) + evidence[r].inside;
    const double outside = std::log1p(-prior) + evidence[r].outside;
    const double larger = std::max(inside, outside), smaller = std::min(inside, outside);
    if (std::isinf(larger)) continue;  // impossible under rates that were rounded to 0 or 1
    sum += static_cast<double>(groups.rows[r].voxels) * (larger + std::log1p(std::exp(smaller - larger)));
  }
  return sum;
}

double largest_change(const Rates& a, const Rates& b) {
  double change = 0;
  for (std::size_t k = 0; k < a.hit.size(); ++k)
    change = std::max({change, std::abs(a.hit[k] - b.hit[k]), std::abs(a.pass[k] - b.pass[k])});
  return change;
}

}  // namespace crema
