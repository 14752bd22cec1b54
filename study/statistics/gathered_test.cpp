// SPDX-License-Identifier: Apache-2.0
#include "study/statistics/gathered.h"

#include <cmath>

#include <gtest/gtest.h>

#include "test/random_case.h"

namespace crema::study {
namespace {

/// Skewed: most are small, a few are large.
std::vector<double> skewed(std::size_t count, std::uint64_t seed) {
  random_case::Dice dice{seed};
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(std::exp(0.001 * static_cast<double>(dice.roll(0, 3000))) +
                     1e-6 * static_cast<double>(dice.roll(0, 1000)));
  return values;
}

Gathered gathered(const std::vector<double>& values) {
  Gathered all;
  for (const double value : values) all.add(value);
  return all;
}

void expect_same(const Summary& a, const Summary& b) {
  EXPECT_EQ(a.cases, b.cases);
  EXPECT_EQ(a.mean, b.mean);
  EXPECT_EQ(a.median, b.median);
  EXPECT_EQ(a.low_quartile, b.low_quartile);
  EXPECT_EQ(a.high_quartile, b.high_quartile);
  EXPECT_EQ(a.deviation, b.deviation);
  EXPECT_EQ(a.interval, b.interval);
}

TEST(Gathered, AsManyAsAreHeldGiveWhatAllOfThemGive) {
  EXPECT_FALSE(Gathered().summary());
  EXPECT_FALSE(GatheredMean().interval());
  for (const std::size_t count : std::vector<std::size_t>{1, 2, 500, kHeldCases}) {
    const std::vector<double> values = skewed(count, count);
    expect_same(*gathered(values).summary(), *summary_of(values));
  }
}

TEST(Gathered, BeyondMeansAreExactQuartilesWithinAThousandthIntervalsThoseOfTheBootstrap) {
  const std::vector<double> values = skewed(3 * kHeldCases, 7);
  const Summary many = *gathered(values).summary(), all = *summary_of(values);
  EXPECT_EQ(many.cases, all.cases);
  EXPECT_EQ(many.mean, all.mean);
  EXPECT_EQ(many.deviation, all.deviation);
  for (const auto which : {&Summary::median, &Summary::low_quartile, &Summary::high_quartile})
    EXPECT_NEAR(many.*which / all.*which, 1, 1e-3);
  // 2000 replicates know the ends to about 3 % of the width.
  const double width = all.interval->high - all.interval->low;
  EXPECT_NEAR(many.interval->low, all.interval->low, 0.05 * width);
  EXPECT_NEAR(many.interval->high, all.interval->high, 0.05 * width);
}

TEST(Gathered, TheIntervalLeansToWhereTheTailIs) {
  GatheredMean few_large;
  for (std::size_t i = 0; i < 2 * kHeldCases; ++i) few_large.add(i % 2000 == 0 ? 1 : 0);
  const Interval interval = *few_large.interval();
  EXPECT_GT(interval.high - 0.0005, 1.1 * (0.0005 - interval.low));
  // Ten of them by Poisson's distribution: 95 % of such counts lie between these.
  EXPECT_NEAR(interval.low * 2 * kHeldCases, 4.4, 0.4);
  EXPECT_NEAR(interval.high * 2 * kHeldCases, 16.6, 0.4);
  GatheredMean equal;
  for (std::size_t i = 0; i <= kHeldCases; ++i) equal.add(0.25);
  EXPECT_EQ(*equal.interval(), (Interval{0.25, 0.25}));
}

TEST(GatheredRanks, GiveTheTestOfAllDifferences) {
  for (const std::size_t count : std::vector<std::size_t>{0, 3, 40, 300, kHeldCases, 2 * kHeldCases}) {
    SCOPED_TRACE(count);
    std::vector<double> differences = skewed(count, count + 1);
    GatheredRanks ranks;
    for (std::size_t i = 0; i < count; ++i) {
      differences[i] = i % 7 == 0 ? 0 : (i * 2654435761U >> 7) % 199 < 100 ? differences[i] : -differences[i];
      ranks.add(differences[i]);
    }
    const auto found = ranks.test(), all = signed_rank(differences);
    ASSERT_EQ(found.has_value(), all.has_value());
    if (!all) continue;
    EXPECT_EQ(found->pairs, all->pairs);
    EXPECT_NEAR(found->statistic, all->statistic, count > kHeldCases ? 2e-4 * all->statistic : 0);
    EXPECT_NEAR(found->p, all->p, count > kHeldCases ? 0.02 : 0);
  }
}

TEST(GatheredRanks, ManyThatAreEqualAreTies) {
  GatheredRanks ranks;
  std::vector<double> differences;
  for (std::size_t i = 0; i < 2 * kHeldCases; ++i) {
    differences.push_back(static_cast<double>(i % 5) - 1.9375);
    ranks.add(differences.back());
  }
  const auto found = ranks.test(), all = signed_rank(differences);
  EXPECT_EQ(found->statistic, all->statistic);
  EXPECT_EQ(found->p, all->p);
}

}  // namespace
}  // namespace crema::study
