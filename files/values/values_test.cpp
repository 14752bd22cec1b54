// SPDX-License-Identifier: Apache-2.0
#include "files/values/values.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "files/testing.h"
#include "files/values/collect.h"

namespace crema::files::testing {
namespace {

struct Result {
  Bytes mask;
  std::string refusal;
  Warnings warnings;
};

template <class T>
Result take(const std::vector<double>& values, const ReadOptions& options = {}, ValueType type = {}) {
  if constexpr (std::is_same_v<T, double>) type.number = Number::float64;
  if constexpr (std::is_same_v<T, float>) type.number = Number::float32;
  if constexpr (std::is_same_v<T, std::int16_t>) type.number = Number::int16;
  Nifti store;
  store.values<T>(values);
  Grid grid;
  grid.size = {static_cast<int>(values.size()), 1, 1};
  MaskCollector whole(grid.voxels());
  const MaskSink sink = whole.sink();
  MaskBuilder builder(type, options, sink);
  builder.take(store.voxels);
  try {
    const Checked checked = builder.finish("m", grid);
    return {std::move(whole).take(), "", checked.warnings};
  } catch (const InputError& error) {
    return {{}, error.what(), {}};
  }
}

ReadOptions label(double value) { return {.threshold = {}, .label = value, .max_memory = 0}; }

TEST(Values, ZeroAndOneAreTakenSilently) {
  for (const auto& result :
       {take<std::uint8_t>({0, 1, 0}), take<std::int16_t>({0, 1, 0}), take<float>({0, 1, -0.0})}) {
    EXPECT_EQ(result.mask, (Bytes{0, 1, 0}));
    EXPECT_TRUE(result.warnings.empty());
  }
}

TEST(Values, OneOtherWholeValueIsTakenWithANote) {
  for (const double value : {255.0, 7.0, 2.0}) {
    const Result result = take<std::uint8_t>({0, value, 0});
    EXPECT_EQ(result.mask, (Bytes{0, 1, 0}));
    ASSERT_EQ(result.warnings.size(), 1u);
    EXPECT_TRUE(has(result.warnings[0], "holds 0 and " + std::to_string(static_cast<int>(value))));
  }
  EXPECT_EQ(take<std::int16_t>({0, -1}).mask, (Bytes{0, 1}));
}

TEST(Values, TheNaturalValueOfAFormatNeedsNoNote) {
  ValueType png;
  png.natural = 255;
  EXPECT_TRUE(take<std::uint8_t>({0, 255}, {}, png).warnings.empty());
  EXPECT_TRUE(take<std::uint8_t>({0, 1}, {}, png).warnings.empty());
  EXPECT_FALSE(take<std::uint8_t>({0, 7}, {}, png).warnings.empty());
}

TEST(Values, NearValuesAreRoundedWithANote) {
  const Result result = take<float>({0, 0.9999, 1.0, 1e-4, 1.0005});
  EXPECT_EQ(result.mask, (Bytes{0, 1, 1, 0, 1}));
  EXPECT_TRUE(any_has(result.warnings, "rounded"));
  EXPECT_EQ(take<float>({0, 0.9999}).mask, (Bytes{0, 1}));
  EXPECT_TRUE(any_has(take<float>({0, 0.9999}).warnings, "rounded to 0 and 1"));
  EXPECT_NE(take<float>({0, 0.99, 1}).refusal, "");
}

TEST(Values, ContinuousValuesAreRefusedWithTheThresholdToUse) {
  EXPECT_TRUE(has(take<float>({0, 0.2, 0.7, 1}).refusal, "looks like a probability map: use threshold=0.5"));
  EXPECT_TRUE(has(take<float>({0, 100.5, -3, 17}).refusal, "looks like an image, not a mask; leave it out"));
  EXPECT_FALSE(has(take<float>({0, 100.5, -3, 17}).refusal, "threshold"));
  EXPECT_FALSE(has(take<std::int16_t>({-1024, 0, 40, 1200}).refusal, "threshold"));
  EXPECT_NE(take<float>({0, 0.0005}).refusal, "");
  EXPECT_TRUE(has(take<float>({0, 0.5}).refusal, "0, 0.5"));
  EXPECT_NE(take<float>({0.5, 0.5}).refusal, "");
}

TEST(Values, NoThresholdIsAdvisedThatMakesTheMaskEmptyOrFull) {
  for (const std::vector<double>& values :
       {std::vector{0, 0.5}, {0.1, 0.4}, {0.6, 0.9}, {0, 0.1, 0.2, 0.3}}) {
    const std::string refusal = take<float>(values).refusal;
    EXPECT_TRUE(has(refusal, "use threshold to cut it")) << refusal;
  }
  EXPECT_TRUE(has(take<float>({0.2, 0.6}).refusal, "use threshold=0.5"));
}

TEST(Values, SeveralLabelsAreRefusedByName) {
  const Result result = take<std::uint8_t>({0, 1, 2, 2});
  EXPECT_TRUE(has(result.refusal, "labels 0, 1, 2")) << result.refusal;
  EXPECT_TRUE(has(result.refusal, "choose it with label"));
  EXPECT_TRUE(has(take<std::int16_t>({-1024, 10000}).refusal, "-1024, 10000"));
  std::vector<double> many(200);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<double>(i);
  EXPECT_TRUE(has(take<std::int16_t>(many).refusal, "0 to 199"));
}

TEST(Values, AConstantImageIsEmptyOrFullWithANote) {
  EXPECT_TRUE(any_has(take<std::uint8_t>({0, 0}).warnings, "empty"));
  EXPECT_TRUE(any_has(take<std::uint8_t>({1, 1}).warnings, "all are inside"));
  EXPECT_EQ(take<std::uint8_t>({1, 1}).mask, (Bytes{1, 1}));
  EXPECT_EQ(take<float>({3, 3}).mask, (Bytes{1, 1}));
}

TEST(Values, NotFiniteIsRefusedWithCountAndPlaceWhateverTheOptions) {
  for (const ReadOptions& options : {ReadOptions{}, threshold(0.5), label(1)}) {
    const Result result = take<float>({0, 1, kNaN, -kInfinity, 0}, options);
    EXPECT_TRUE(has(result.refusal, "2 voxels are NaN or infinite, the first at (2, 0, 0)"))
        << result.refusal;
  }
  EXPECT_TRUE(has(take<double>({0, kInfinity}).refusal, "1 voxel is NaN"));
}

TEST(Values, TheFirstOfThemIsFoundBeyondOneBlock) {
  std::vector<double> values(9000);
  values[8999] = kNaN;
  EXPECT_TRUE(has(take<float>(values).refusal, "(8999, 0, 0)"));
}

TEST(Values, AThresholdIsExclusive) {
  EXPECT_EQ(take<float>({0, 0.5, 0.51, 1}, threshold(0.5)).mask, (Bytes{0, 0, 1, 1}));
  EXPECT_EQ(take<std::uint8_t>({0, 127, 128}, threshold(127)).mask, (Bytes{0, 0, 1}));
  EXPECT_TRUE(any_has(take<float>({0, 0.2}, threshold(0.5)).warnings, "empty"));
  EXPECT_TRUE(any_has(take<float>({0, 0.2}, threshold(-1)).warnings, "all voxels are inside"));
}

TEST(Values, ALabelIsExactAndMayBeAbsent) {
  EXPECT_EQ(take<std::uint8_t>({0, 1, 2, 3}, label(2)).mask, (Bytes{0, 0, 1, 0}));
  EXPECT_EQ(take<float>({0, 1, 2.0005, 2.1}, label(2)).mask, (Bytes{0, 0, 1, 0}));
  EXPECT_TRUE(any_has(take<std::uint8_t>({0, 1}, label(7)).warnings, "label 7 does not occur"));
}

TEST(Values, OptionsThatExcludeEachOtherAreRefused) {
  EXPECT_THROW(take<float>({0}, {.threshold = 1.0, .label = 1.0, .max_memory = 0}), UsageError);
  EXPECT_THROW(take<float>({0}, threshold(kNaN)), UsageError);
}

TEST(Values, ScalingComesFirst) {
  ValueType type;
  type.slope = static_cast<double>(1.0f / 255);
  const Result result = take<std::uint8_t>({0, 255}, {}, type);
  EXPECT_EQ(result.mask, (Bytes{0, 1}));
  EXPECT_TRUE(any_has(result.warnings, "rounded"));
  type.slope = 0.5;
  EXPECT_TRUE(has(take<std::uint8_t>({0, 1}, {}, type).refusal, "0, 0.5"));
  EXPECT_EQ(take<std::uint8_t>({0, 2}, {}, type).mask, (Bytes{0, 1}));
  type = {};
  type.intercept = -1;
  EXPECT_EQ(take<std::uint8_t>({1, 2}, {}, type).mask, (Bytes{0, 1}));
}

/// The rules, one voxel at a time: the mask, or nothing when it must be refused.
std::optional<Bytes> plain_rule(const std::vector<double>& values) {
  std::optional<double> inside;
  Bytes mask;
  bool tiny = false;
  for (const double value : values) {
    if (!std::isfinite(value)) return {};
    tiny = tiny || (value != 0 && std::abs(value) <= 1e-3);
    mask.push_back(std::abs(value) > 1e-3 ? 1 : 0);
    if (mask.back() == 0) continue;
    if (!inside) inside = std::round(value);
    if (*inside == 0 || std::abs(value - *inside) > 1e-3) return {};
  }
  if (!inside && tiny) return {};
  return mask;
}

const std::vector<std::vector<double>> kPalettes{
    {0, 1},   {0, 1, 0.9999}, {0, 255}, {0, 255, 255.0004}, {0, 1, 2},        {0, 1e-4, 1},
    {0, 0.5}, {0, 1e-4},      {3},      {0, kNaN, 1},       {0, -4, -4.0003}, {0.9998, 1.0002, 1e-5}};

RC_GTEST_PROP(Values, AgreeWithThePlainRule, ()) {
  const auto palette = *rc::gen::elementOf(kPalettes);
  const auto size = *rc::gen::element<std::size_t>(1, 5, 2047, 2048, 2049, 6000);
  const auto rare = *rc::gen::inRange<std::size_t>(1, 3000);
  std::vector<double> values(size, palette[0]);
  for (std::size_t i = rare % size; i < size; i += rare) values[i] = palette[i % palette.size()];
  const auto expected = plain_rule(values);
  const Result result = take<double>(values);
  RC_ASSERT(result.refusal.empty() == expected.has_value());
  if (expected) RC_ASSERT(result.mask == *expected);
}

}  // namespace
}  // namespace crema::files::testing
