// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/warnings/missing_slices.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "crema/agreement/warnings/warnings.h"
#include "test/agreement_testing.h"

namespace crema {
namespace {

using agreement_testing::Bytes;

constexpr Grid kGrid{.size = {14, 13, 12}};

/// A ball around the middle; slices across an axis may be left empty.
Bytes ball(double radius, std::size_t axis = 2, const std::set<int>& without = {}) {
  Bytes mask(static_cast<std::size_t>(kGrid.voxels()), 0);
  for (std::int64_t v = 0; v < kGrid.voxels(); ++v) {
    const auto p = kGrid.point(v);
    const double far = std::hypot(p[0] - 6.5, p[1] - 6.0, p[2] - 5.5);
    mask[static_cast<std::size_t>(v)] = far <= radius && !without.contains(p[axis]) ? 1 : 0;
  }
  return mask;
}

TEST(MissingSlices, AreFoundAcrossEachAxisAndNamed) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Reduction reduction =
        agreement_testing::reduce(kGrid, {ball(5), ball(4.5, axis, {5, 8}), ball(4), ball(5)});
    const auto found = find_missing_slices(reduction);
    ASSERT_EQ(found.size(), 1U) << axis;
    EXPECT_EQ(found[0].rater, 1);
    EXPECT_EQ(found[0].axis, static_cast<Axis>(axis));
    EXPECT_EQ(found[0].slices, (std::set<std::int32_t>{5, 8}));
    const Warnings warnings = warnings_about_raters(reduction, std::vector<std::string>{"a", "b", "c", "d"});
    const auto own = std::find_if(warnings.begin(), warnings.end(),
                                  [](const Warning& one) { return one.kind == WarningKind::missing_slice; });
    ASSERT_NE(own, warnings.end());
    EXPECT_EQ(own->text(), fmt::format("rater 2 (b) left slices {} = 5 and 8 empty between drawn ones, where "
                                       "most others drew; if they were forgotten, fill them in.",
                                       "xyz"[axis]));
  }
}

TEST(MissingSlices, OfTwoRatersAndOfSeveralInARow) {
  const Reduction reduction = agreement_testing::reduce(kGrid, {ball(5), ball(5, 2, {5, 6})});
  const auto found = find_missing_slices(reduction);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].rater, 1);
  EXPECT_EQ(found[0].slices, (std::set<std::int32_t>{5, 6}));
}

TEST(MissingSlices, AreNotWhatMostLeftEmptyNorTheEndsOfAMask) {
  const std::vector<std::vector<Bytes>> harmless{
      {ball(5, 2, {5}), ball(5, 2, {5}), ball(5)},         // two lesions that one rater merged
      {ball(5), ball(5, 2, {0, 1, 2}), ball(3), ball(5)},  // one begins later
      {ball(5), ball(4), ball(3), ball(2)},
      {ball(5, 2, {5})}};
  for (const auto& masks : harmless)
    EXPECT_TRUE(find_missing_slices(agreement_testing::reduce(kGrid, masks)).empty());
}

TEST(MissingSlices, AreNotTheGapBetweenTwoPartsThatLieElsewhere) {
  Bytes parts(static_cast<std::size_t>(kGrid.voxels()), 0);
  const Bytes whole = ball(5);
  for (std::int64_t v = 0; v < kGrid.voxels(); ++v) {
    const auto p = kGrid.point(v);
    const bool own = p[2] < 5 ? p[0] < 6 : p[2] > 5 && p[0] > 7;
    parts[static_cast<std::size_t>(v)] = own ? whole[static_cast<std::size_t>(v)] : 0;
  }
  EXPECT_TRUE(find_missing_slices(agreement_testing::reduce(kGrid, {whole, parts, whole})).empty());
}

TEST(MissingSlices, AreNotTheRaggedEdgeOfALargeRegion) {
  Bytes ragged = ball(2);
  const Bytes whole = ball(5);
  for (const int x : {9, 11})  // two columns of voxels beside each other but for one between
    for (int y = 5; y < 7; ++y) ragged[static_cast<std::size_t>((5 * 13 + y) * 14 + x)] = 1;
  EXPECT_TRUE(find_missing_slices(agreement_testing::reduce(kGrid, {whole, ragged, whole, whole})).empty());
}

TEST(MissingSlices, AreThoseOfImagesWithSlices) {
  const Grid flat{.size = {12, 5, 1}};
  Bytes row(60, 1), gap(60, 1);
  for (std::size_t v = 0; v < 60; ++v) gap[v] = v % 12 == 4 ? 0 : 1;
  EXPECT_TRUE(find_missing_slices(agreement_testing::reduce(flat, {row, gap, row})).empty());
}

}  // namespace
}  // namespace crema
