// SPDX-License-Identifier: Apache-2.0
#include "crema/weights.h"

#include <gtest/gtest.h>

#include "crema/base/error.h"
#include "crema/counts/discrepancy.h"
#include "crema/voxels/votes/votes.h"
#include "test/ascii.h"

namespace crema {
namespace {

const auto kFirst = ascii::mask({"......", ".####.", ".####.", "......"});
const auto kSecond = ascii::mask({"......", ".####.", ".###..", "......"});
const auto kStray = ascii::mask({"......", ".#....", ".#####", "....##"});

Reduction reduction_of(const std::vector<Mask>& masks) {
  return reduce({.size = {6, 4, 1}}, take_votes(24, masks), Needs::distances, {});
}

TEST(Weights, ARaterWhoStraysCountsLess) {
  const auto reduction = reduction_of({kFirst, kSecond, kStray});
  for (const Method& method : methods()) {
    if (!accepts(method, Accept::weights) || !takes_masks(method) || method.needs == Needs::neighbours)
      continue;
    const WeightSearch search = find_weights(reduction, method, {});
    EXPECT_TRUE(search.converged) << method.name;
    EXPECT_LT(search.weights[2], search.weights[0]) << method.name;
    EXPECT_LT(search.weights[2], search.weights[1]) << method.name;
  }
}

TEST(Weights, AreAFixedPoint) {
  const auto reduction = reduction_of({kFirst, kSecond, kStray});
  const Method& method = find_method("tanimoto");
  const WeightSearch search = find_weights(reduction, method, {});
  const Solution solution = solve(reduction, method, {.weights = search.weights});
  double common = 0, size = 0;
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c) {
    const Sums sums = sum_up(reduction.crowns[c].tally, solution.components[c].levels);
    common += sums.overlap[2];
    size += sums.size[2];
  }
  double best = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const Sums sums = sum_up(reduction.crowns[0].tally, solution.components[0].levels);
    best = std::max(best, 2 * sums.overlap[k] / (solution.soft_volume + sums.size[k]));
  }
  EXPECT_NEAR(search.weights[2], 2 * common / (solution.soft_volume + size) / best, 1e-6);
}

TEST(Weights, EqualRatersCountAlike) {
  const WeightSearch search = find_weights(reduction_of({kFirst, kFirst, kFirst}), find_method("dice"), {});
  EXPECT_EQ(search.weights, (std::vector<double>{1, 1, 1}));
  EXPECT_TRUE(search.converged);
}

TEST(Weights, AnEmptyConsensusLeavesThemAlone) {
  const std::vector<std::uint8_t> nothing(24, 0);
  const WeightSearch search =
      find_weights(reduction_of({kFirst, nothing, nothing}), find_method("jaccard"), {});
  for (const double weight : search.weights) EXPECT_GE(weight, 0);
}

TEST(Weights, TooSmallOrTooLargeToBeAddedUpAreRefused) {
  for (const double small : {5e-324, 1e-310, 0.9e-300}) {
    EXPECT_THROW(check_weights({1, small, 1}, 3), UsageError) << small;
    EXPECT_THROW(check_weights({small, small, small}, 3), UsageError) << small;
  }
  EXPECT_THROW(check_weights({1e200, 1e-200, 1}, 3), UsageError);
  EXPECT_THROW(check_weights({1.7e308, 1.7e308}, 2), UsageError);
  EXPECT_NO_THROW(check_weights({1e-299, 1, 0}, 3));
  EXPECT_NO_THROW(check_weights({1e-290, 1e-290}, 2));
  EXPECT_THROW(check_weights({0, 0}, 2), UsageError);
}

TEST(Weights, OfAnySizeThatIsTakenKeepTheBoundBelowTheCriterion) {
  const auto reduction = reduction_of({kFirst, kSecond, kStray});
  for (const auto& weights :
       {std::vector<double>{1, 1e-299, 1e-150}, {1e-299, 1e-299, 1e-298}, {1e299, 1, 1e150}})
    for (const Method& method : methods()) {
      if (method.aim != Aim::distance) continue;
      const Solution solution = solve(reduction, method, {.weights = weights, .certify = Certify::yes});
      EXPECT_LE(*solution.lower_bound, solution.lmsd * (1 + 1e-12)) << method.name;
    }
}

TEST(Weights, ScaledByAPowerOfTwoGiveTheSameLevels) {
  const auto reduction = reduction_of({kFirst, kSecond, kStray});
  for (const Method& method : methods()) {
    if (method.aim != Aim::distance) continue;
    const std::vector<double> weights{1, 0.7, 0.4}, larger{1024, 0.7 * 1024, 0.4 * 1024};
    EXPECT_EQ(solve(reduction, method, {.weights = weights}).components[0].levels,
              solve(reduction, method, {.weights = larger}).components[0].levels)
        << method.name;
  }
}

}  // namespace
}  // namespace crema
