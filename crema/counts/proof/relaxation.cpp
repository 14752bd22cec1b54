// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/proof/relaxation.h"

#include <limits>
#include <numeric>

namespace crema {
namespace {

/// The least of λ x^p − c x over the group's range of levels.
double least_of_group(const Relaxation& r, double lambda, double c, double low, double high) {
  auto at = [&](double x) { return lambda * (r.squared ? x * x : x) - c * x; };
  double best = std::min(at(low), at(high));
  if (r.squared && lambda > 0) best = std::min(best, at(std::clamp(c / (2 * lambda), low, high)));
  return best;
}

/// A sum and the sum of the sizes of its terms, by which its rounding error is bounded.
struct Tracked {
  double sum = 0, size = 0;
  void add(double term) {
    sum += term;
    size += std::abs(term);
  }
};

/// The part of a bound that does not depend on the extent.
Tracked bound_of_groups(const Relaxation& r, const Domain& region, const Prices& prices) {
  Tracked total;
  for (std::size_t g = 0; g < r.groups(); ++g) {
    double c = 0, size = prices.extent;
    for (const std::uint32_t k : r.members[g]) {
      c += prices.rater[k];
      size += std::abs(prices.rater[k]);
    }
    total.sum += r.voxels[g] * least_of_group(r, prices.extent, c, region.x_low[g], region.x_high[g]);
    total.size += r.voxels[g] * size;
  }
  return total;
}

double bound_at(const Relaxation& r, const Domain& region, const Prices& prices, double extent,
                Tracked total) {
  total.add(r.absent);
  total.add(-prices.extent * extent);
  for (std::size_t k = 0; k < r.raters(); ++k) {
    const Envelope envelope(r.curve, region.u_low[k], region.u_high[k]);
    const double price = prices.rater[k] * r.both(extent, k);
    total.add(r.weight[k] * least(envelope, price / r.weight[k]));
    total.size += r.weight[k] + std::abs(price);
  }
  const auto terms = static_cast<double>(r.raters() * 8 + r.groups() + 32);
  return total.sum - 4 * terms * std::numeric_limits<double>::epsilon() * total.size;
}

}  // namespace

Relaxation relax(const Problem& groups) {
  const Ratio ratio = std::get<Ratio>(formula_of(groups.distance));
  Relaxation r{.ratio = ratio,
               .curve = Curve(ratio),
               .squared = squares(groups.distance),
               .unit = std::accumulate(groups.voxels.begin(), groups.voxels.end(), 0.0),
               .absent = groups.panel.absent,
               .weight = groups.panel.weight};
  for (const double size : groups.panel.size) r.size.push_back(size / r.unit);
  for (std::size_t g = 0; g < groups.blocks(); ++g) {
    r.voxels.push_back(groups.voxels[g] / r.unit);
    auto& members = r.members.emplace_back();
    for (std::uint32_t k = 0; k < groups.panel.count(); ++k)
      if (groups.share_of(g)[k] > 0) members.push_back(k);
  }
  return r;
}

Domain whole(const Relaxation& r) {
  return {0,
          1,
          std::vector<double>(r.raters(), 0),
          std::vector<double>(r.raters(), r.curve.most()),
          std::vector<double>(r.groups(), 0),
          std::vector<double>(r.groups(), 1)};
}

void tighten(const Relaxation& r, Domain& region) {
  constexpr double slack = 1 + 1e-12;  // rounding must not shut out a consensus
  for (std::size_t k = 0; k < r.raters(); ++k) {
    double most = r.size[k] / r.both(region.low, k);                              // overlap ≤ size
    if (!r.squared) most = std::min(most, region.high / r.both(region.high, k));  // overlap ≤ extent
    region.u_high[k] = std::max(region.u_low[k], std::min(region.u_high[k], most * slack));
  }
}

Prices prices_at(const Relaxation& r, const std::vector<double>& x) {
  double extent = 0;
  std::vector<double> overlap(r.raters(), 0);
  for (std::size_t g = 0; g < r.groups(); ++g) {
    extent += r.voxels[g] * (r.squared ? x[g] * x[g] : x[g]);
    for (const std::uint32_t k : r.members[g]) overlap[k] += r.voxels[g] * x[g];
  }
  Prices prices;
  for (std::size_t k = 0; k < r.raters(); ++k) {
    const double both = r.both(extent, k);
    const double u = std::clamp(overlap[k] / both, 0.0, r.curve.most());
    prices.rater.push_back(-r.weight[k] * r.curve.slope(u) / both);
    prices.extent += r.ratio.extent * prices.rater[k] * u;
  }
  return prices;
}

double bound(const Relaxation& r, const Domain& region, const Prices& prices) {
  const Tracked groups = bound_of_groups(r, region, prices);
  const double low = bound_at(r, region, prices, region.low, groups);
  return region.high == region.low ? low : std::min(low, bound_at(r, region, prices, region.high, groups));
}

}  // namespace crema
