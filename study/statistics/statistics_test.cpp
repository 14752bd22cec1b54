// SPDX-License-Identifier: Apache-2.0
#include "study/statistics/statistics.h"

#include <cmath>

#include <gtest/gtest.h>

#include "study/statistics/f_distribution.h"

namespace crema::study {
namespace {

TEST(Mean, IsOfWhatWasAddedAndUndefinedWithout) {
  Mean mean;
  EXPECT_FALSE(mean.value());
  EXPECT_FALSE(mean.deviation());
  mean.add(2);
  EXPECT_FALSE(mean.deviation());
  mean.add(std::nullopt);
  mean.add(std::optional<double>(4));
  mean.add(9);
  EXPECT_EQ(mean.count(), 3);
  EXPECT_DOUBLE_EQ(*mean.value(), 5);
  EXPECT_DOUBLE_EQ(*mean.deviation(), std::sqrt((9.0 + 1 + 16) / 2));
  EXPECT_DOUBLE_EQ(mean.sum(), 15);
}

TEST(SizeChange, TellsMeansOfPercentagesAndPercentagesOfSumsApart) {
  SizeChange change;
  change.add(150, 100);   // +50 %
  change.add(900, 1000);  // -10 %
  change.add(20, 20);     // the same
  change.add(3, 0);       // no percentage, but larger
  EXPECT_EQ(change.cases(), 4);
  EXPECT_EQ(change.percentages().count(), 3);
  EXPECT_DOUBLE_EQ(*change.percentages().value(), 40.0 / 3);
  EXPECT_DOUBLE_EQ(*change.pooled(), 100 * (1073.0 - 1120) / 1120);
  EXPECT_DOUBLE_EQ(*change.larger(), 50);
  EXPECT_DOUBLE_EQ(*change.not_smaller(), 75);
}

TEST(SizeChange, VolumesThatDifferByRoundingAreEqual) {
  SizeChange change;
  change.add(0.1 + 0.2, 0.3);
  EXPECT_DOUBLE_EQ(*change.larger(), 0);
  EXPECT_DOUBLE_EQ(*change.not_smaller(), 100);
  EXPECT_EQ(*change.percentages().value(), 0);
  EXPECT_EQ(*change.pooled(), 0);
}

TEST(SizeChange, WithoutCasesNothingIsDefined) {
  const SizeChange change;
  EXPECT_FALSE(change.pooled() || change.larger() || change.not_smaller());
}

TEST(FDistribution, ClosedFormsHold) {
  // I_x(1, b) = 1 - (1-x)^b and I_x(a, 1) = x^a.
  EXPECT_NEAR(incomplete_beta(1, 3, 0.2), 1 - 0.8 * 0.8 * 0.8, 1e-14);
  EXPECT_NEAR(incomplete_beta(4, 1, 0.7), 0.7 * 0.7 * 0.7 * 0.7, 1e-14);
  EXPECT_EQ(incomplete_beta(2, 3, 0), 0);
  EXPECT_EQ(incomplete_beta(2, 3, 1), 1);
  // With two and two degrees of freedom the chance is f / (1 + f).
  EXPECT_NEAR(f_quantile(0.975, 2, 2), 39, 1e-10);
}

TEST(FDistribution, PublishedQuantilesAreMet) {
  EXPECT_NEAR(f_quantile(0.95, 1, 1), 161.4476, 1e-4);
  EXPECT_NEAR(f_quantile(0.95, 5, 10), 3.325835, 1e-6);
  EXPECT_NEAR(f_quantile(0.99, 10, 20), 3.368186, 1e-6);
}

TEST(FDistribution, BrokenDegreesOfFreedomAreAsInScipy) {
  EXPECT_NEAR(f_quantile(0.975, 5, 13.5), 3.712748700914751, 1e-10);
  EXPECT_NEAR(f_quantile(0.975, 13.5, 5), 6.471041687205632, 1e-10);
  EXPECT_NEAR(f_quantile(0.95, 200.5, 3000), 1.176697122988606, 1e-10);
  EXPECT_NEAR(incomplete_beta(2.5, 1.5, 0.3), 0.08894372317066562, 1e-14);
  EXPECT_NEAR(incomplete_beta(500, 300, 0.63), 0.6127395298402378, 1e-11);
}

TEST(FDistribution, TheTailKeepsItsDigitsWhereItIsTiny) {
  EXPECT_NEAR(f_tail(3.5, 4, 20), 1 - f_probability(3.5, 4, 20), 1e-14);
  EXPECT_NEAR(f_tail(47.105271834582275, 4, 77) / 5.762889781764363e-20, 1, 1e-9);  // statsmodels
  EXPECT_EQ(f_tail(0, 3, 4), 1);
}

TEST(FDistribution, QuantileAndProbabilityAreInverse) {
  for (const double chance : {0.001, 0.025, 0.5, 0.975, 0.9999})
    for (const double a : {0.7, 3.0, 41.5, 2000.0})
      for (const double b : {1.2, 17.0, 900.0})
        EXPECT_NEAR(f_probability(f_quantile(chance, a, b), a, b), chance, 1e-11) << a << " " << b;
}

}  // namespace
}  // namespace crema::study
