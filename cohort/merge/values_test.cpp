// SPDX-License-Identifier: Apache-2.0
#include "cohort/merge/values.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "crema/agreement/percentile.h"

namespace crema::cohort {
namespace {

TEST(CohortValues, UpToTwoThousandValuesAreExact) {
  Values values;
  std::vector<double> all;
  for (std::size_t i = 0; i < Values::kExact; ++i) {
    all.push_back(std::sin(static_cast<double>(i)));
    values.add(all.back());
  }
  for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0})
    EXPECT_EQ(values.quantile(share), percentile(all, share));
  EXPECT_EQ(values.drawn().values, all);
}

TEST(CohortValues, QuantilesOfManyAreWithinAThousandthOfTheirValue) {
  const unsigned seed = 20260101;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  std::lognormal_distribution<double> sizes(3, 4);
  Values values;
  std::vector<double> all;
  double sum = 0;
  for (int i = 0; i < 50000; ++i) {
    all.push_back(i % 7 == 0 ? 0 : i % 5 == 0 ? -sizes(random) : sizes(random));
    sum += all.back();
    values.add(all.back());
  }
  for (int share = 0; share <= 100; ++share) {
    const double exact = percentile(all, share / 100.0);
    EXPECT_NEAR(values.quantile(share / 100.0), exact, std::abs(exact) / 1000) << share;
  }
  EXPECT_EQ(values.over_cases().mean, sum / 50000);
  const DrawnValues drawn = values.drawn();
  EXPECT_EQ(drawn.values.size(), Values::kDrawn);
  EXPECT_EQ(drawn.not_positive, std::count_if(all.begin(), all.end(), [](double v) { return !(v > 0); }));
  EXPECT_EQ(drawn.values.front(), *std::min_element(all.begin(), all.end()));
  EXPECT_EQ(drawn.values.back(), *std::max_element(all.begin(), all.end()));
}

TEST(CohortValues, ValuesThatAreAllTheSameStayWhatTheyAre) {
  Values values;
  for (int i = 0; i < 5000; ++i) values.add(1);
  EXPECT_EQ(values.quantile(0.5), 1);
  EXPECT_EQ(Values().median(), std::nullopt);
}

}  // namespace
}  // namespace crema::cohort
