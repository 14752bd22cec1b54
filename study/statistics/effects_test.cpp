// SPDX-License-Identifier: Apache-2.0
#include "study/statistics/effects.h"

#include <gtest/gtest.h>

#include "study/statistics/bootstrap.h"
#include "test/random_case.h"

namespace crema::study {
namespace {

/// Every rater in every case.
std::vector<Observation> balanced(std::uint64_t seed, std::size_t cases, std::size_t raters) {
  random_case::Dice dice{seed};
  std::vector<Observation> all;
  std::vector<double> shift;
  for (std::size_t k = 0; k < raters; ++k) shift.push_back(dice.roll(0, 100) / 20.0);
  for (std::size_t c = 0; c < cases; ++c) {
    const double own = dice.roll(0, 100) / 10.0;
    for (std::size_t k = 0; k < raters; ++k)
      all.push_back({c, k, own + shift[k] + dice.roll(-100, 100) / 100.0});
  }
  return all;
}

TEST(RaterEffects, OfEveryRaterInEveryCaseAreDifferencesOfMeans) {
  const std::vector<Observation> all = balanced(3, 9, 4);
  const auto found = rater_effects(all, 4);
  ASSERT_TRUE(found);
  double grand = 0;
  std::vector<double> means(4, 0);
  for (const Observation& one : all) {
    grand += one.value / 36;
    means[one.rater] += one.value / 9;
  }
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(found->raters[k].mean, means[k], 1e-12);
    EXPECT_NEAR(found->raters[k].effect, means[k] - grand, 1e-12);
    EXPECT_LT(found->raters[k].interval->low, found->raters[k].effect);
  }
  EXPECT_EQ(found->rest_freedom, 24);
}

TEST(VarianceComponents, OfEveryRaterInEveryCaseAreThoseOfAnalysisOfVariance) {
  const std::vector<Observation> all = balanced(5, 12, 5);
  double total = 0, cases = 0, raters = 0, mean = 0;
  std::vector<double> by_case(12, 0), by_rater(5, 0);
  for (const Observation& one : all) {
    mean += one.value / 60;
    by_case[one.item] += one.value / 5;
    by_rater[one.rater] += one.value / 12;
  }
  for (const Observation& one : all) total += (one.value - mean) * (one.value - mean);
  for (const double own : by_case) cases += 5 * (own - mean) * (own - mean);
  for (const double own : by_rater) raters += 12 * (own - mean) * (own - mean);
  const double error = (total - cases - raters) / 44;
  const auto found = variance_components(all, 5);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->error, error, 1e-6 * error);
  EXPECT_NEAR(found->cases, (cases / 11 - error) / 5, 1e-5 * found->cases);
  EXPECT_NEAR(found->raters, (raters / 4 - error) / 12, 1e-5 * found->raters);
}

TEST(VarianceComponents, WhatVanishesIsZeroAndNotWhatTheSearchLeft) {
  std::vector<Observation> all;
  for (std::size_t c = 0; c < 12; ++c)
    for (std::size_t k = 0; k < 4; ++k)
      all.push_back({c, k, 0.1 * static_cast<double>(c * c) + ((c + k) % 2 == 0 ? 1.0 : -1.0)});
  const auto alike = variance_components(all, 4);
  ASSERT_TRUE(alike);
  EXPECT_EQ(alike->raters, 0);
  EXPECT_GT(alike->cases, 1);
  for (Observation& one : all) one.value -= 0.1 * static_cast<double>(one.item * one.item);
  EXPECT_EQ(variance_components(all, 4)->cases, 0);
}

TEST(RaterEffects, NeedRatersWhoHaveCasesInCommon) {
  EXPECT_FALSE(rater_effects(std::vector<Observation>{{0, 0, 1}, {1, 1, 2}}, 2));
  EXPECT_FALSE(rater_effects(std::vector<Observation>{{0, 0, 1}, {0, 1, 2}, {1, 2, 1}, {1, 3, 5}}, 4));
  EXPECT_FALSE(variance_components(std::vector<Observation>{{0, 0, 1}, {1, 1, 2}}, 2));
}

TEST(Bootstrap, OfTheMeanIsSeededAndNeedsTwoValues) {
  const std::vector<double> values{1, 2, 4, 8, 16, 3};
  EXPECT_EQ(bootstrap_mean(values), bootstrap_mean(values));
  EXPECT_NE(bootstrap_mean(values, 1), bootstrap_mean(values, 2));
  EXPECT_LT(bootstrap_mean(values)->low, 34.0 / 6);
  EXPECT_GT(bootstrap_mean(values)->high, 34.0 / 6);
  EXPECT_FALSE(bootstrap_mean(std::vector<double>{1}));
  const std::vector<double> same(5, 0.25);
  EXPECT_EQ(bootstrap_mean(same), (Interval{0.25, 0.25}));
  EXPECT_FALSE(summary_of({}));
}

}  // namespace
}  // namespace crema::study
