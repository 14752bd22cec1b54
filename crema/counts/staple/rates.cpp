// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/staple/rates.h"

#include <algorithm>
#include <cmath>

#include "crema/counts/staple/exact_sum.h"

namespace crema {
namespace {

/// Relative to the terms that were added up, this much may be rounding.
constexpr double kOddsRounding = 1e-13;

std::vector<double> logarithms(const std::vector<double>& values) {
  std::vector<double> logs(values.size());
  std::transform(values.begin(), values.end(), logs.begin(), [](double x) { return std::log(x); });
  return logs;
}

std::vector<double> values(const std::vector<ExactSum>& sums) {
  std::vector<double> values;
  for (const ExactSum& sum : sums) values.push_back(sum.value());
  return values;
}

/// Divides a pair of sums by their sum; nothing at all counts as all right.
void normalise(double& right, double& wrong) {
  const double all = right + wrong;
  right = all > 0 ? right / all : 1;
  wrong = all > 0 ? wrong / all : 0;
}

}  // namespace

Rates rates_of(const Groups& groups, const Levels& levels) {
  const auto raters = static_cast<std::size_t>(groups.raters);
  std::vector<ExactSum> hit(raters), miss(raters), pass(raters), slip(raters);
  for (std::size_t r = 0; r < groups.rows.size(); ++r) {
    const auto voxels = static_cast<double>(groups.rows[r].voxels);
    const double inside = voxels * levels[r], outside = voxels * (1 - levels[r]);
    for (std::size_t k = 0; k < raters; ++k) {
      const bool drew = (groups.rows[r].raters >> k & 1) != 0;
      (drew ? hit : miss)[k].add(inside);
      (drew ? slip : pass)[k].add(outside);
    }
  }
  Rates rates{values(hit), values(miss), values(pass), values(slip)};
  for (std::size_t k = 0; k < raters; ++k) {
    normalise(rates.hit[k], rates.miss[k]);
    normalise(rates.pass[k], rates.slip[k]);
  }
  return rates;
}

std::vector<Evidence> evidence_of(const Groups& groups, const Rates& rates) {
  const auto hit = logarithms(rates.hit), miss = logarithms(rates.miss);
  const auto pass = logarithms(rates.pass), slip = logarithms(rates.slip);
  std::vector<Evidence> evidence;
  evidence.reserve(groups.rows.size());
  for (const Group& row : groups.rows) {
    ExactSum inside, outside;
    for (std::size_t k = 0; k < hit.size(); ++k) {
      const bool drew = (row.raters >> k & 1) != 0;
      inside.add(drew ? hit[k] : miss[k]);
      outside.add(drew ? slip[k] : pass[k]);
    }
    evidence.push_back({inside.value(), outside.value()});
  }
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
