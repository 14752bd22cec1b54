// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/warnings/outlier.h"

#include <cmath>

#include <gtest/gtest.h>

#include "crema/agreement/pairs.h"
#include "crema/agreement/warnings/misplaced.h"
#include "crema/levels/testing.h"
#include "test/agreement_testing.h"
#include "test/ascii.h"

namespace crema {
namespace {

using agreement_testing::Bytes;
using agreement_testing::count;
using agreement_testing::count_both;

const std::vector<std::string> kNames{"anna", "ben", "carl"};

TEST(Outlier, IsTheRaterWithTheLargestMeanDistance) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto c = agreement_testing::make(seed, "majority");
    const auto& masks = c.random.masks;
    const OutlierReport report = find_outlier(c.consensus.reduction);
    std::vector<double> mean(masks.size(), -1);
    for (std::size_t a = 0; a < masks.size(); ++a) {
      double sum = 0, n = 0, jaccard_sum = 0;
      for (std::size_t b = 0; b < masks.size(); ++b) {
        if (a == b) continue;
        const CommonCounts counts{count(masks[a]), count(masks[b]), count_both(masks[a], masks[b])};
        if (!dice(counts).defined()) continue;
        sum += 1 - *dice(counts);
        jaccard_sum += 1 - *jaccard(counts);
        ++n;
      }
      ASSERT_EQ(report.raters[a].dice.defined(), n > 0);
      ASSERT_EQ(report.raters[a].farthest_from.has_value(), n > 0);
      if (n == 0) continue;
      mean[a] = sum / n;
      ASSERT_NEAR(*report.raters[a].dice, mean[a], 1e-12);
      ASSERT_NEAR(*report.raters[a].jaccard, jaccard_sum / n, 1e-12);
    }
    if (report.outlier) {
      for (std::size_t a = 0; a < masks.size(); ++a)
        ASSERT_LE(mean[a], mean[static_cast<std::size_t>(*report.outlier)] + 1e-12);
    }
    ASSERT_TRUE(masks.size() != 2 || !report.outlier);
  }
}

TEST(Outlier, IsToldWithWhomItIsFarthestFrom) {
  const auto a = ascii::mask({"####...."}), b = ascii::mask({"###....."}), c = ascii::mask({"...#####"});
  const auto report = find_outlier(agreement_testing::reduce({.size = {8, 1, 1}}, {a, b, c}));
  EXPECT_EQ(report.outlier, 2);
  EXPECT_EQ(report.raters[2].farthest_from, 1);
}

TEST(Outlier, AMirroredMaskIsSuspected) {
  const auto a = ascii::mask({"###.......", "##........",
                              "....."
                              "....."});
  const auto mirrored = ascii::mask({".......###", "........##", ".........."});
  const Reduction reduction = agreement_testing::reduce({.size = {10, 3, 1}}, {a, mirrored, a});
  const auto found = find_suspicions(reduction);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].rater, 1);
  EXPECT_EQ(found[0].kind, Suspicion::Kind::flipped);
  EXPECT_EQ(found[0].flipped, (std::array{true, false, false}));
  EXPECT_EQ(found[0].like, 0);
  EXPECT_DOUBLE_EQ(found[0].dice, 1);
  const auto warnings = warnings_about_outliers(reduction, kNames);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].text(),
            "ben shares no voxel with any other rater, but mirrored along x it would match anna (Dice 1.00); "
            "check the orientation that its file declares.");
}

TEST(Outlier, AMaskMirroredAlongTwoAxesIsSuspectedInAnyDimension) {
  const Grid grid{.size = {8, 7, 6}};
  Bytes a(static_cast<std::size_t>(grid.voxels()), 0), b = a;
  for (std::size_t v = 0; v < a.size(); ++v) {
    const auto p = slow::point(grid, v);
    if (p[0] < 3 && p[1] < 2 && p[2] > 3 && p[0] + p[1] < 3) a[v] = 1;
    if (7 - p[0] < 3 && 6 - p[1] < 2 && p[2] > 3 && 13 - p[0] - p[1] < 3) b[v] = 1;
  }
  const auto found = find_suspicions(agreement_testing::reduce(grid, {a, a, b}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].flipped, (std::array{true, true, false}));
  EXPECT_DOUBLE_EQ(found[0].dice, 1);
}

TEST(Outlier, AShiftedMaskIsSuspectedWithItsShift) {
  const auto a = ascii::mask({"..........", ".##.......", ".###......", ".........."});
  const auto moved = ascii::mask({"......##..", "......###.", "..........", ".........."});
  const Reduction reduction = agreement_testing::reduce({.size = {10, 4, 1}}, {a, moved});
  const auto found = find_suspicions(reduction);
  ASSERT_EQ(found.size(), 1U);  // of two raters that are apart one is reported
  EXPECT_EQ(found[0].rater, 1);
  EXPECT_EQ(found[0].kind, Suspicion::Kind::shifted);
  EXPECT_EQ(found[0].shift, (std::array<std::int32_t, 3>{-5, 1, 0}));
  EXPECT_DOUBLE_EQ(found[0].dice, 1);
  EXPECT_EQ(warnings_about_outliers(reduction, kNames)[0].text(),
            "ben shares no voxel with any other rater, but moved by -5, 1 voxels along x and y it would "
            "match anna (Dice 1.00); check the origin that its file declares.");
}

TEST(Outlier, AMaskWithExchangedAxesIsSuspected) {
  const auto a = ascii::mask(
      {"...####.", "........", "........", "........", "........", "........", "........", "........"});
  const auto exchanged = ascii::mask(
      {"........", "........", "........", "#.......", "#.......", "#.......", "#.......", "........"});
  const auto found = find_suspicions(agreement_testing::reduce({.size = {8, 8, 1}}, {a, a, exchanged}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, Suspicion::Kind::exchanged);
  EXPECT_EQ(found[0].exchanged, (std::array{Axis::x, Axis::y}));
}

TEST(Outlier, AMaskOfSomethingElseIsOnlyApart) {
  const auto a = ascii::mask({"##########", "##########", ".........."});
  const auto dot = ascii::mask({"..........", "..........", "....#....."});
  const Reduction reduction = agreement_testing::reduce({.size = {10, 3, 1}}, {a, a, dot});
  const auto found = find_suspicions(reduction);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, Suspicion::Kind::apart);
  EXPECT_EQ(warnings_about_outliers(reduction, kNames)[0].text(),
            "carl shares no voxel with any other rater; check that it is the mask of this image.");
}

TEST(Outlier, AHandfulOfVoxelsIsNotMovedUntilItMatches) {
  const auto a = ascii::mask({".#......", "........"}), b = ascii::mask({"........", ".....##."});
  const auto found = find_suspicions(agreement_testing::reduce({.size = {8, 2, 1}}, {a, b, a}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, Suspicion::Kind::apart);
}

TEST(Outlier, AMapWhoseLevelsOverlapIsNotSuspected) {
  level_testing::Case c{.grid = {.size = {40, 2, 1}}, .maps = {}};
  const auto add = [&](float level, std::size_t peak) {
    c.maps.emplace_back(80, level);
    c.maps.back()[peak] = 0.6F;
  };
  add(0.45F, 3);  // nowhere above a half but for one voxel
  for (const std::size_t peak : {20U, 21U}) add(0.45F, peak);
  for (std::size_t v = 40; v < 80; ++v) c.maps[1][v] = c.maps[2][v] = 0.55F;
  EXPECT_TRUE(warnings_about_outliers(level_testing::reduce(c), kNames).empty());
  std::fill(c.maps[0].begin(), c.maps[0].end(), 0);
  c.maps[0][3] = 0.6F;
  EXPECT_EQ(warnings_about_outliers(level_testing::reduce(c), kNames).size(), 1U);
}

TEST(Outlier, NobodyIsSuspectedWhoOverlapsOrDrewNothing) {
  const auto a = ascii::mask({"##..."}), b = ascii::mask({".##.."}), none = ascii::mask({"....."});
  EXPECT_TRUE(find_suspicions(agreement_testing::reduce({.size = {5, 1, 1}}, {a, b, none})).empty());
  EXPECT_TRUE(find_suspicions(agreement_testing::reduce({.size = {5, 1, 1}}, {a, none, none})).empty());
  EXPECT_TRUE(find_suspicions(agreement_testing::reduce({.size = {5, 1, 1}}, {a})).empty());
  EXPECT_EQ(find_outlier(agreement_testing::reduce({.size = {5, 1, 1}}, {a})).raters[0].dice,
            Measured(Undefined::one_rater));
}

/// A blob right of the middle; `mirrored` along x, `moved` by so many voxels along y.
Bytes off_centre(const Grid& grid, double radius, bool mirrored = false, int moved = 0) {
  Bytes mask(static_cast<std::size_t>(grid.voxels()), 0);
  for (std::size_t v = 0; v < mask.size(); ++v) {
    const auto at = static_cast<std::int64_t>(v);
    double x = static_cast<double>(at % grid.size[0]);
    if (mirrored) x = grid.size[0] - 1 - x;
    const double y = static_cast<double>(at / grid.size[0] % grid.size[1]) - moved;
    mask[v] = std::hypot(x - 0.6 * grid.size[0], y - 0.5 * grid.size[1]) <= radius ? 1 : 0;
  }
  return mask;
}

const std::vector<std::string> kFour{"anna", "ben", "carl", "dora"};

TEST(Misplaced, AMirroredMaskThatStillOverlapsIsToldWithItsAxis) {
  const Grid grid{.size = {40, 30, 1}};
  const Bytes good = off_centre(grid, 8), larger = off_centre(grid, 8.6),
              turned = off_centre(grid, 8.3, true);
  const Reduction reduction = agreement_testing::reduce(grid, {good, turned, larger, good});
  const Warnings reported = warnings_about_outliers(reduction, kFour);
  ASSERT_EQ(reported.size(), 1U);
  EXPECT_EQ(reported[0].kind, WarningKind::mirrored);
  EXPECT_NE(reported[0].text().find("ben overlaps little with the others"), std::string::npos)
      << reported[0].text();
  EXPECT_NE(reported[0].text().find("mirrored along x it would match them"), std::string::npos);
}

TEST(Misplaced, AShiftedMaskThatStillOverlapsIsToldWithItsShift) {
  const Grid grid{.size = {40, 30, 1}};
  const Bytes good = off_centre(grid, 7), moved = off_centre(grid, 7, false, 6);
  const Reduction reduction = agreement_testing::reduce(grid, {good, good, moved, good});
  const Warnings reported = warnings_about_outliers(reduction, kFour);
  ASSERT_EQ(reported.size(), 1U);
  EXPECT_EQ(reported[0].kind, WarningKind::shifted);
  EXPECT_NE(reported[0].text().find("carl"), std::string::npos);
  EXPECT_NE(reported[0].text().find("moved by 0, -6 voxels"), std::string::npos) << reported[0].text();
}

TEST(Misplaced, ASmallShiftIsToldWhereTheOthersAgreeNoBetterThanReadersDo) {
  const Grid grid{.size = {40, 30, 1}};
  const Reduction reduction = agreement_testing::reduce(
      grid,
      {off_centre(grid, 4), off_centre(grid, 5), off_centre(grid, 4.4, false, 4), off_centre(grid, 3.6)});
  const Warnings reported = warnings_about_outliers(reduction, kFour);
  ASSERT_EQ(reported.size(), 1U);
  EXPECT_EQ(reported[0].kind, WarningKind::shifted) << reported[0].text();
  EXPECT_NE(reported[0].text().find("moved by 0, -4 voxels along x and y"), std::string::npos)
      << reported[0].text();
}

TEST(Misplaced, WhereNoFileSaysWhereItLiesNoOriginIsToBeChecked) {
  Grid grid{.size = {40, 30, 1}};
  grid.measured = false;
  const Bytes good = off_centre(grid, 7), moved = off_centre(grid, 7, false, 6);
  for (const int far : {6, 16}) {
    const Reduction reduction =
        agreement_testing::reduce(grid, {good, good, off_centre(grid, 4, false, -far / 3), good});
    for (const Warning& warning : warnings_about_outliers(reduction, kFour))
      EXPECT_EQ(warning.text().find("origin"), std::string::npos) << warning.text();
  }
  const Warnings reported =
      warnings_about_outliers(agreement_testing::reduce(grid, {good, good, moved, good}), kFour);
  ASSERT_EQ(reported.size(), 1U);
  EXPECT_NE(reported[0].text().find("check that it is of the same image"), std::string::npos);
}

TEST(Misplaced, AMaskElsewhereOfAnotherShapeIsNotToldToBeMoved) {
  const Grid grid{.size = {40, 30, 1}};
  Bytes far(static_cast<std::size_t>(grid.voxels()), 0);
  for (std::size_t v = 0; v < 80; ++v) far[v] = 1;  // two rows at the edge
  const Warnings reported = warnings_about_outliers(
      agreement_testing::reduce(grid, {off_centre(grid, 4), far, off_centre(grid, 4)}), kFour);
  ASSERT_EQ(reported.size(), 1U);
  EXPECT_EQ(reported[0].kind, WarningKind::no_overlap) << reported[0].text();
}

TEST(Misplaced, AMaskManyTimesAsLargeAsAnyOtherIsToldHoweverTheOthersAgree) {
  const Grid grid{.size = {40, 30, 1}};
  const Bytes a = off_centre(grid, 2), b = off_centre(grid, 2, false, 3), c = off_centre(grid, 2, false, -3),
              body = off_centre(grid, 11);
  for (const auto& masks : {std::vector{a, b, body, c}, std::vector{a, body}}) {
    const Warnings reported =
        warnings_about_outliers(agreement_testing::reduce(grid, masks), kFour, nullptr, Origins::cut);
    ASSERT_EQ(reported.size(), 1U);
    EXPECT_EQ(reported[0].kind, WarningKind::unlike);
    EXPECT_NE(reported[0].text().find("times as large as any other"), std::string::npos);
  }
  EXPECT_TRUE(warnings_about_outliers(agreement_testing::reduce(grid, {off_centre(grid, 4), body}), kFour,
                                      nullptr, Origins::cut)
                  .empty());
}

TEST(Misplaced, AMaskThatResemblesNobodyIsToldWhereTheOthersAgree) {
  const Grid grid{.size = {40, 30, 1}};
  const Bytes good = off_centre(grid, 4);
  Bytes image(good.size(), 0);
  for (std::size_t v = 0; v < image.size(); ++v) image[v] = v % 5 != 0 && v % 7 < 4 ? 1 : 0;
  const Reduction reduction = agreement_testing::reduce(grid, {good, image, good, good});
  const Warnings reported = warnings_about_outliers(reduction, kFour);
  ASSERT_EQ(reported.size(), 1U);
  EXPECT_EQ(reported[0].kind, WarningKind::unlike);
}

TEST(Misplaced, AMaskThatMeetsOthersByChanceIsToldHoweverLargeOrSmall) {
  const Grid grid{.size = {40, 30, 1}};
  const Bytes good = off_centre(grid, 7);
  for (const std::size_t step : {3U, 50U}) {  // a third of the image, and less than thirty voxels
    Bytes image(good.size(), 0);
    for (std::size_t v = 0; v < image.size(); v += step) image[v] = 1;
    const Reduction reduction = agreement_testing::reduce(grid, {good, image, good, good});
    const Warnings reported = warnings_about_outliers(reduction, kFour);
    ASSERT_EQ(reported.size(), 1U) << step;
    EXPECT_EQ(reported[0].kind, WarningKind::unlike);
  }
}

TEST(Misplaced, RatersWhoMerelyDifferAreNotSuspected) {
  const Grid grid{.size = {40, 30, 1}};
  const Reduction differ = agreement_testing::reduce(
      grid, {off_centre(grid, 4), off_centre(grid, 8), off_centre(grid, 11), off_centre(grid, 6, false, 3)});
  EXPECT_TRUE(warnings_about_outliers(differ, kFour).empty());
  const Reduction alike = agreement_testing::reduce(
      grid,
      {off_centre(grid, 9), off_centre(grid, 9.5), off_centre(grid, 10), off_centre(grid, 9, false, 1)});
  EXPECT_TRUE(find_misplaced(alike).empty());
}

}  // namespace
}  // namespace crema
