// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/confidence/stability.h"

#include <gtest/gtest.h>

#include "test/agreement_testing.h"
#include "test/ascii.h"

namespace crema {
namespace {

using agreement_testing::Bytes;

bool keeps(const Reduction& reduction, std::size_t component, Options options, std::size_t k, double weight) {
  if (options.weights.empty()) options.weights.assign(static_cast<std::size_t>(reduction.raters), 1);
  options.weights[k] = weight;
  return solve(reduction, find_method(options.method), options).components[component].soft_voxels > 0;
}

TEST(Stability, MarginIsWhatTheEmptySetCostsMore) {
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    for (const char* method : {"jaccard", "dice2"}) {
      const auto c = agreement_testing::make(seed, method);
      const Reduction& reduction = c.consensus.reduction;
      const auto margins = measure_margins(reduction, c.consensus.solution, c.options);
      Options never_empty = c.options;
      never_empty.empty_test = EmptyTest::skip;
      const Solution full = solve(reduction, find_method(method), never_empty);
      for (std::size_t i = 0; i < margins.size(); ++i) {
        const Tally& tally = reduction.crowns[i].tally;
        const double empty = criterion(tally, Levels(tally.rows.size(), 0), find_method(method).distance);
        const bool kept = c.consensus.solution.components[i].soft_voxels > 0;
        if (full.components[i].soft_voxels > 0)
          ASSERT_NEAR(*margins[i], empty - full.components[i].criterion, 1e-10) << method << seed;
        else
          ASSERT_LT(*margins[i], 0) << "a greedy pass ended with nothing, which must be better, seed "
                                    << seed;
        if (kept)
          ASSERT_GE(*margins[i], -1e-12);
        else
          ASSERT_LE(*margins[i], 1e-12);
      }
    }
}

TEST(Stability, TheDecisionTurnsAtTheWeightThatIsTold) {
  int flips = 0, firm = 0;
  for (std::uint64_t seed = 0; seed < 120; ++seed)
    for (const char* method : {"jaccard", "dice", "tanimoto"}) {
      auto c = agreement_testing::make(seed, method);
      const Reduction& reduction = c.consensus.reduction;
      if (seed % 3 == 0)
        for (int k = 0; k < reduction.raters; ++k) c.options.weights.push_back(1 + k % 3);
      const Solution solution = solve(reduction, find_method(method), c.options);
      const auto list = measure_stability(reduction, solution, c.options);
      for (std::size_t i = 0; i < list.size(); ++i)
        for (std::size_t k = 0; k < list[i].flip_weight.size(); ++k) {
          const auto flip = list[i].flip_weight[k];
          if (!flip) {
            ++firm;
            if (reduction.raters == 1) continue;
            for (const double weight : {0.0, 1e-3, 0.5, 2.0, 100.0})
              ASSERT_EQ(keeps(reduction, i, c.options, k, weight), list[i].kept) << method << seed;
            continue;
          }
          ++flips;
          const bool below = keeps(reduction, i, c.options, k, std::max(0.0, *flip - 1e-6));
          const bool above = keeps(reduction, i, c.options, k, *flip + 1e-6);
          ASSERT_NE(below, above) << method << seed << " rater " << k << " weight " << *flip;
        }
    }
  EXPECT_GT(flips, 100);
  EXPECT_GT(firm, 100);
}

TEST(Stability, ToldByHandForThreeRatersOfWhomTwoDrewTheSame) {
  // Two of three drew the component: kept with the absent one's d = 1, empty costs 2/3. The absent rater's
  // weight w turns it at (w·1 + 0) = 2.
  const auto a = ascii::mask({"##"}), none = ascii::mask({".."});
  const Reduction reduction = agreement_testing::reduce({.size = {2, 1, 1}}, {a, a, none});
  const Options options{.method = "jaccard"};
  const auto list = measure_stability(reduction, solve(reduction, find_method("jaccard"), options), options);
  ASSERT_EQ(list.size(), 1U);
  EXPECT_TRUE(list[0].kept);
  EXPECT_NEAR(*list[0].margin, 1.0 / 3, 1e-12);
  EXPECT_NEAR(list[0].flip_weight[2].value(), 2, 1e-6);
  EXPECT_NEAR(list[0].flip_weight[0].value_or(-1), 0, 1e-6);  // 1 + w against 1: a tie at 0 drops it
}

TEST(Stability, IsUndefinedWhereAMethodHasNoCriterion) {
  const Bytes mask{1, 1};
  const Reduction reduction = agreement_testing::reduce({.size = {2, 1, 1}}, {mask, mask});
  const Solution majority = solve(reduction, find_method("majority"), {});
  EXPECT_EQ(measure_stability(reduction, majority, {})[0].margin, Measured(Undefined::no_criterion));
}

}  // namespace
}  // namespace crema
