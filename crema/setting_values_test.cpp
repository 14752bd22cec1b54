// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "cli/estimate.h"
#include "crema/error.h"

namespace crema::cli {
namespace {

std::vector<const Method*> chosen(const std::vector<std::string>& names) {
  std::vector<const Method*> methods;
  for (const std::string& name : names) methods.push_back(&find_method(name));
  return methods;
}

TEST(Prior, MeanIsTheShareARaterDraws) {
  const Prior prior = parse_prior("mean");
  EXPECT_EQ(prior.kind, Prior::Kind::mean);
  EXPECT_EQ(prior.value, 1);
}

TEST(Prior, ANumberIsTakenAsItIs) {
  const Prior prior = parse_prior("0.125");
  EXPECT_EQ(prior.kind, Prior::Kind::number);
  EXPECT_EQ(prior.value, 0.125);
}

TEST(Prior, ANumberOverAPowerOfTheSize) {
  const Prior prior = parse_prior("500/N^1.5");
  EXPECT_EQ(prior.kind, Prior::Kind::power);
  EXPECT_EQ(prior.value, 500);
  EXPECT_EQ(prior.alpha, 1.5);
  EXPECT_EQ(parse_prior("500/N").alpha, 1);
  EXPECT_EQ(parse_prior("0.5/N^0").alpha, 0);
}

TEST(Prior, WhatIsNoneIsRefused) {
  for (const auto* text : {"", "0", "1", "-0.1", "1.5", "nan", "inf", "median", "0,5", "500/M", "500/N2",
                           "500/N^", "500/N^x", "500/N^-1", "/N^1", "0/N", "-5/N", "1/N^1 ", "MEAN"})
    EXPECT_THROW(parse_prior(text), UsageError) << text;
}

TEST(Prior, ARefusalSaysWhatWasTyped) {
  try {
    parse_prior("1.5");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("1.5"), std::string::npos);
  }
}

TEST(Estimate, OptionsNeedAMethodThatHeedsThem) {
  EstimateWish wish;
  wish.prior = Prior{};
  EXPECT_THROW(check_estimate(wish, chosen({"jaccard"})), UsageError);
  EXPECT_THROW(check_estimate(wish, chosen({"ml-staple"})), UsageError);
  EXPECT_NO_THROW(check_estimate(wish, chosen({"jaccard", "accuracy"})));
  wish = {};
  wish.region = Region::Kind::box;
  EXPECT_THROW(check_estimate(wish, chosen({"simple"})), UsageError);
  EXPECT_NO_THROW(check_estimate(wish, chosen({"ml-staple"})));
  wish = {};
  wish.drop_below = 2.0;
  EXPECT_THROW(check_estimate(wish, chosen({"staple"})), UsageError);
  EXPECT_NO_THROW(check_estimate(wish, chosen({"simple"})));
}

TEST(Estimate, AMarginNeedsSomethingToLieAround) {
  EstimateWish wish;
  wish.margin = 3;
  EXPECT_THROW(check_estimate(wish, chosen({"staple"})), UsageError);
  wish.region = Region::Kind::full;
  EXPECT_THROW(check_estimate(wish, chosen({"staple"})), UsageError);
  wish.region = Region::Kind::near_union;
  EXPECT_NO_THROW(check_estimate(wish, chosen({"staple"})));
}

TEST(Estimate, AMaskAsRegionIsForMethodsThatKnowRegionsAlone) {
  EstimateWish wish;
  wish.region = Region::Kind::mask;
  EXPECT_THROW(check_estimate(wish, chosen({"staple", "jaccard"})), UsageError);
  EXPECT_NO_THROW(check_estimate(wish, chosen({"staple", "ml-staple"})));
}

TEST(Estimate, APresetSettlesThingsForStapleAlone) {
  EstimateWish wish;
  wish.preset = "itk";
  EXPECT_NO_THROW(check_estimate(wish, chosen({"staple"})));
  EXPECT_THROW(check_estimate(wish, chosen({"accuracy"})), UsageError);
  wish.tolerance = 1e-3;
  EXPECT_THROW(check_estimate(wish, chosen({"staple"})), UsageError);
}

TEST(Estimate, WhatWasNotTypedStaysAsItIs) {
  EstimateWish wish;
  wish.margin = 7;
  wish.max_iterations = 11;
  Options options;
  options.estimate.tolerance = 1e-3;
  apply(wish, options);
  EXPECT_EQ(options.region.margin, 7);
  EXPECT_EQ(options.estimate.max_iterations, 11);
  EXPECT_EQ(options.estimate.tolerance, 1e-3);
  EXPECT_EQ(options.region.kind, Region::Kind::full);
  EXPECT_EQ(options.estimate.prior.kind, Prior::Kind::mean);
}

}  // namespace
}  // namespace crema::cli
