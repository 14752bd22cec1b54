// SPDX-License-Identifier: Apache-2.0
#include "crema/tables/setting_values.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "crema/base/error.h"

namespace crema {
namespace {

/// The sentence of a refusal, or "accepted".
template <class F>
std::string refusal(F f) {
  try {
    f();
  } catch (const UsageError& e) {
    return e.what();
  }
  return "accepted";
}

TEST(SettingValues, MemoryIsReadWithBinaryUnits) {
  EXPECT_EQ(parse_memory("800000000"), 800000000);
  EXPECT_EQ(parse_memory("1K"), 1024);
  EXPECT_EQ(parse_memory("512M"), std::int64_t{512} << 20);
  EXPECT_EQ(parse_memory("1.5g"), std::int64_t{3} << 29);
  EXPECT_EQ(parse_memory("2T"), std::int64_t{2} << 40);
}

TEST(SettingValues, MemoryThatMakesNoSenseIsRefused) {
  for (const char* text : {"", "G", "-1G", "0", "4GB", "4 G", "nan", "inf", "1e30", "0x10", "1,5G"})
    EXPECT_NE(refusal([&] { parse_memory(text); }), "accepted") << text;
}

TEST(SettingValues, NumbersAreReadWhole) {
  EXPECT_EQ(parse_number("0.5"), 0.5);
  EXPECT_EQ(parse_number("-1e3"), -1000);
  for (const char* text : {"", "0,5", "1x", " 1", "nan", "inf", "--"})
    EXPECT_NE(refusal([&] { parse_number(text); }), "accepted") << text;
}

TEST(SettingValues, WholeNumbersKeepToTheirRange) {
  EXPECT_EQ(parse_whole("64", {1, 64}), 64);
  EXPECT_EQ(refusal([] { parse_whole("65", {1, 64}); }), "65 is not a whole number from 1 to 64.");
  EXPECT_NE(refusal([] { parse_whole("0", {1, 64}); }), "accepted");
  EXPECT_NE(refusal([] { parse_whole("2.0", {1, 64}); }), "accepted");
  EXPECT_NE(refusal([] { parse_whole("99999999999999999999", {1, 64}); }), "accepted");
}

RC_GTEST_PROP(SettingValues, AWholeNumberComesBackAsItWasWritten, (std::int64_t number)) {
  RC_ASSERT(parse_whole(std::to_string(number), {INT64_MIN, INT64_MAX}) == number);
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
  for (const auto* text : {"half", "0,5", "500/M"}) {
    try {
      parse_prior(text);
      FAIL() << text;
    } catch (const UsageError& error) {
      EXPECT_EQ(error.sentence.text(),
                text + std::string(" is not a valid prior; write mean, a number, or one like 500/N^1."));
    }
  }
}

TEST(Weights, AreNumbersSeparatedByCommas) {
  EXPECT_EQ(parse_weights("1,0.5,2e-1"), (std::vector<double>{1, 0.5, 0.2}));
  EXPECT_EQ(parse_weights("0,3"), (std::vector<double>{0, 3}));
}

TEST(Weights, RefuseWhatIsNoWeight) {
  for (const char* text : {"", "1,", ",1", "1,,2", "1;2", "one,two", "1,-1", "1,nan", "inf,1", "1,0x2",
                           "0,0,0", "0", "1e400,1", "1e308,1e308", "auto,1"})
    EXPECT_THROW(parse_weights(text), UsageError) << text;
}

TEST(Weights, MayHaveBlanksBetweenThem) {
  EXPECT_EQ(parse_weights("1, 0.5 ,2"), (std::vector<double>{1, 0.5, 2}));
}

}  // namespace
}  // namespace crema
