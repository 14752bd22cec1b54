// SPDX-License-Identifier: Apache-2.0
#include "crema/voxels/crowns.h"

#include <gtest/gtest.h>

#include "crema/fuse.h"
#include "crema/voxels/votes/votes.h"
#include "test/ascii.h"
#include "test/slow.h"

namespace crema {
namespace {

/// Total distances of a drawn case as a picture, '.' outside the union.
std::string distances(const Grid& grid, const slow::Masks& masks, const Options& options) {
  const std::vector<Mask> views(masks.begin(), masks.end());
  const auto reduction = reduce(grid, take_votes(grid.voxels(), views), Needs::distances, options);
  std::vector<int> numbers(static_cast<std::size_t>(grid.voxels()), -1);
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c) {
    std::size_t voxel = 0;
    for (const Run& run : reduction.components.runs_of(reduction.components.list[c]))
      for (std::int64_t v = run.first; v < run.first + run.length; ++v)
        numbers[static_cast<std::size_t>(v)] =
            reduction.crowns[c].tally.rows[reduction.crowns[c].row_of_voxel[voxel++]].distance;
  }
  return ascii::picture(grid, numbers);
}

const slow::Masks kPair{ascii::mask({"#####.",  //
                                     "#####.",  //
                                     "......"}),
                        ascii::mask({"......",  //
                                     ".###..",  //
                                     ".###.."})};
const Grid kPairGrid{.size = {6, 3, 1}};

TEST(Crowns, OfTwoRatersUnderEight) {
  EXPECT_EQ(distances(kPairGrid, kPair, {.connectivity = 8}), ascii::picture({"11111.",  //
                                                                              "10001.",  //
                                                                              ".111.."}));
}

TEST(Crowns, OfTwoRatersUnderFour) {
  EXPECT_EQ(distances(kPairGrid, kPair, {.connectivity = 4}), ascii::picture({"21112.",  //
                                                                              "10001.",  //
                                                                              ".111.."}));
}

TEST(Crowns, ARaterWithNothingInAComponentAddsNothing) {
  auto masks = kPair;
  masks.push_back(ascii::mask({"......", "......", ".....#"}));  // its own component under 4
  EXPECT_EQ(distances(kPairGrid, masks, {.connectivity = 4}), ascii::picture({"21112.",  //
                                                                              "10001.",  //
                                                                              ".111.0"}));
}

TEST(Crowns, DistancesGoOverThePlainGridNotAroundTheUnion) {
  // A U drawn by one rater, its left tip by the other: the right tip is four steps away across the gap.
  const slow::Masks masks{ascii::mask({"#...#",  //
                                       "#...#",  //
                                       "#####"}),
                          ascii::mask({"#....", ".....", "....."})};
  EXPECT_EQ(distances({.size = {5, 3, 1}}, masks, {.connectivity = 8}), ascii::picture({"0...4",  //
                                                                                        "1...4",  //
                                                                                        "22234"}));
}

TEST(Crowns, SolidNeighbourhoodsFollowTheirFormulas) {
  slow::Masks masks{std::vector<std::uint8_t>(27, 1), std::vector<std::uint8_t>(27, 0)};
  masks[1][0] = 1;
  const Grid grid{.size = {3, 3, 3}};
  EXPECT_EQ(distances(grid, masks, {.connectivity = 6}),
            ascii::picture({"012", "123", "234", "-", "123", "234", "345", "-", "234", "345", "456"}));
  EXPECT_EQ(distances(grid, masks, {.connectivity = 18}),
            ascii::picture({"012", "112", "222", "-", "112", "122", "223", "-", "222", "223", "233"}));
  EXPECT_EQ(distances(grid, masks, {.connectivity = 26}),
            ascii::picture({"012", "112", "222", "-", "112", "112", "222", "-", "222", "222", "222"}));
}

TEST(Crowns, RowsAreSortedByDistanceThenRaters) {
  const std::vector<Mask> views(kPair.begin(), kPair.end());
  const auto reduction = reduce(kPairGrid, take_votes(18, views), Needs::distances, {.connectivity = 4});
  ASSERT_EQ(reduction.crowns.size(), 1U);
  const std::vector<Subcrown> expected{{0, 0b11, 3}, {1, 0b01, 5}, {1, 0b10, 3}, {2, 0b01, 2}};
  EXPECT_EQ(reduction.crowns[0].tally.rows, expected);
}

/// With few raters rows are found in a table, with many by hashing.
TEST(Crowns, FewAndManyRatersAreTalliedAlike) {
  const Grid grid{.size = {90, 80, 30}};
  const auto voxels = static_cast<std::size_t>(grid.voxels());
  slow::Masks masks(3, std::vector<std::uint8_t>(voxels, 1));
  for (std::size_t v = 0; v < voxels; ++v) {
    masks[1][v] = v % 90 < 60 + v / 90 % 7 ? 1 : 0;
    masks[2][v] = v / 90 % 80 > 30 + v % 5 ? 1 : 0;
  }
  const auto few = reduce(grid, take_votes(grid.voxels(), std::vector<Mask>(masks.begin(), masks.end())),
                          Needs::distances, {});
  masks.resize(17, std::vector<std::uint8_t>(voxels, 0));
  const auto many = reduce(grid, take_votes(grid.voxels(), std::vector<Mask>(masks.begin(), masks.end())),
                           Needs::distances, {});
  ASSERT_EQ(few.crowns.size(), 1U);
  EXPECT_GT(few.crowns[0].tally.rows.size(), 100U);
  EXPECT_EQ(few.crowns[0].tally.rows, many.crowns[0].tally.rows);
  EXPECT_EQ(few.crowns[0].row_of_voxel, many.crowns[0].row_of_voxel);
}

TEST(Crowns, LargeComponentsAreTalliedInPiecesWithoutATrace) {
  const Grid grid{.size = {100, 100, 20}};
  slow::Masks masks(3, std::vector<std::uint8_t>(200000, 1));
  for (std::size_t v = 0; v < 200000; ++v) {
    masks[1][v] = v % 100 < 60 ? 1 : 0;
    masks[2][v] = v / 100 % 100 > 30 ? 1 : 0;
  }
  const std::vector<Mask> views(masks.begin(), masks.end());
  const Votes votes = take_votes(grid.voxels(), views);
  const auto one = reduce(grid, votes, Needs::distances, {.threads = 1});
  const auto many = reduce(grid, votes, Needs::distances, {.threads = 4});
  ASSERT_EQ(one.crowns.size(), 1U);
  EXPECT_EQ(one.crowns[0].tally.rows, many.crowns[0].tally.rows);
  EXPECT_EQ(one.crowns[0].row_of_voxel, many.crowns[0].row_of_voxel);
  std::int64_t sum = 0;
  for (const Subcrown& row : one.crowns[0].tally.rows) sum += row.voxels;
  EXPECT_EQ(sum, 200000);
  // The farthest corner is 40 columns from the second rater and 31 rows from the third.
  EXPECT_EQ(one.crowns[0].tally.rows.back().distance, 71);
}

}  // namespace
}  // namespace crema
