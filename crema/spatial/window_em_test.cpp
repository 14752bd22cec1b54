// SPDX-License-Identifier: Apache-2.0
#include "crema/spatial/window_em.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "crema/counts/staple/exact_sum.h"

namespace crema {
namespace {

/// The same as rates_of, one rater and one group after the other.
Rates plain_rates(const Groups& groups, const Levels& levels) {
  Rates rates;
  for (int k = 0; k < groups.raters; ++k) {
    ExactSum hit, miss, pass, slip;
    for (std::size_t r = 0; r < groups.rows.size(); ++r) {
      const auto voxels = static_cast<double>(groups.rows[r].voxels);
      const bool drew = (groups.rows[r].raters >> k & 1) != 0;
      (drew ? hit : miss).add(voxels * levels[r]);
      (drew ? slip : pass).add(voxels * (1 - levels[r]));
    }
    const double inside = hit.value() + miss.value(), outside = pass.value() + slip.value();
    rates.hit.push_back(inside > 0 ? hit.value() / inside : 1);
    rates.miss.push_back(inside > 0 ? miss.value() / inside : 0);
    rates.pass.push_back(outside > 0 ? pass.value() / outside : 1);
    rates.slip.push_back(outside > 0 ? slip.value() / outside : 0);
  }
  return rates;
}

/// The same as evidence_of for one group.
Evidence plain_evidence(Raters drawn, const Rates& rates) {
  ExactSum inside, outside;
  for (std::size_t k = 0; k < rates.hit.size(); ++k) {
    const bool drew = (drawn >> k & 1) != 0;
    inside.add(std::log(drew ? rates.hit[k] : rates.miss[k]));
    outside.add(std::log(drew ? rates.slip[k] : rates.pass[k]));
  }
  return {inside.value(), outside.value()};
}

Levels plain_levels(const Groups& groups, double prior, const WindowEmOptions& o) {
  Levels levels = vote_shares(groups);
  for (int i = 0; i < o.max_iterations; ++i) {
    Rates rates = plain_rates(groups, levels);
    double inside = 0, outside = 0;
    for (std::size_t r = 0; r < levels.size(); ++r) {
      inside += static_cast<double>(groups.rows[r].voxels) * levels[r];
      outside += static_cast<double>(groups.rows[r].voxels) * (1 - levels[r]);
    }
    const auto blend = [&](double& good, double& bad, double voxels) {
      const double all = voxels + o.right + o.wrong;
      if (all == 0) return;
      good = (good * voxels + o.right) / all;
      bad = (bad * voxels + o.wrong) / all;
    };
    for (std::size_t k = 0; k < rates.hit.size(); ++k) {
      blend(rates.hit[k], rates.miss[k], inside);
      blend(rates.pass[k], rates.slip[k], outside);
    }
    for (std::size_t r = 0; r < levels.size(); ++r)
      levels[r] = posterior(plain_evidence(groups.rows[r].raters, rates), prior);
  }
  return levels;
}

TEST(WindowEm, IsToTheBitWhatPlainSumsGiveWithAndWithoutAPrior) {
  std::mt19937_64 random(11);
  for (const double strength : {0.0, 0.5}) {
    const WindowEmOptions options{
        .right = strength * 4, .wrong = strength * 0.5, .tolerance = -1, .max_iterations = 12};
    WindowEm em(options);  // one after the other, in the same memory
    for (int round = 0; round < 60; ++round) {
      Groups groups{.raters = 1 + static_cast<int>(random() % 64), .rows = {}};
      const Raters all = ~Raters{0} >> (64 - groups.raters);
      Raters raters = 0;
      for (std::size_t r = 0; r < 1 + random() % 30 && raters <= all; ++r) {
        groups.rows.push_back({raters, 1 + static_cast<std::int64_t>(random() % 900)});
        raters += 1 + random() % (all / 40 + 1);
      }
      Levels levels;
      EXPECT_FALSE(em.run(groups, 0.3, levels));
      ASSERT_EQ(levels, plain_levels(groups, 0.3, options)) << round;
    }
  }
}

}  // namespace
}  // namespace crema
