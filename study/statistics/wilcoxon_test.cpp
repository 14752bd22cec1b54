// SPDX-License-Identifier: Apache-2.0
#include "study/statistics/wilcoxon.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "test/random_case.h"

namespace crema::study {
namespace {

/// The chance of as small a sum of ranks, by trying every sign; ranks are counted pair by pair.
double by_all_signs(const std::vector<double>& differences) {
  std::vector<double> ranks;
  double above = 0, all = 0;
  for (const double one : differences) {
    double rank = 0.5;
    for (const double other : differences)
      rank += std::abs(other) < std::abs(one) ? 1 : std::abs(other) == std::abs(one) ? 0.5 : 0;
    ranks.push_back(rank);
    all += rank;
    above += one > 0 ? rank : 0;
  }
  const double statistic = std::min(above, all - above);
  double as_small = 0;
  for (unsigned signs = 0; signs < 1U << ranks.size(); ++signs) {
    double sum = 0;
    for (std::size_t i = 0; i < ranks.size(); ++i) sum += (signs >> i & 1U) != 0 ? ranks[i] : 0;
    as_small += sum <= statistic + 1e-9 ? 1 : 0;
  }
  return std::min(1.0, 2 * as_small / std::ldexp(1, static_cast<int>(ranks.size())));
}

TEST(SignedRank, IsExactForFewPairsWithTiesAsWell) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    random_case::Dice dice{seed};
    std::vector<double> differences;
    for (int i = dice.roll(1, 11); i > 0; --i)
      differences.push_back((dice.roll(0, 1) == 0 ? -1 : 1) * dice.roll(1, 8));
    const auto found = signed_rank(differences);
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->exact);
    EXPECT_NEAR(found->p, by_all_signs(differences), 1e-12);
  }
}

TEST(SignedRank, PairsThatDoNotDifferAreLeftOut) {
  const std::vector<double> some{0, 1e-15, -3, 2, 5}, none{0, 0};
  EXPECT_EQ(signed_rank(some)->pairs, 3);
  EXPECT_DOUBLE_EQ(signed_rank(some)->statistic, 2);
  EXPECT_FALSE(signed_rank(none));
}

TEST(Holm, ChancesRiseWithTheirRankAndStayInOrder) {
  const std::vector<double> chances{0.01, 0.04, 0.03, 0.5};
  const std::vector<double> corrected = holm(chances);
  EXPECT_DOUBLE_EQ(corrected[0], 0.04);
  EXPECT_DOUBLE_EQ(corrected[2], 0.09);
  EXPECT_DOUBLE_EQ(corrected[1], 0.09);
  EXPECT_DOUBLE_EQ(corrected[3], 0.5);
  EXPECT_TRUE(holm({}).empty());
}

}  // namespace
}  // namespace crema::study
