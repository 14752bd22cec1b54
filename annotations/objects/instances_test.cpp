// SPDX-License-Identifier: Apache-2.0
#include "annotations/objects/instances.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "annotations/objects/assignment.h"
#include "crema/base/error.h"

namespace crema::annotations {
namespace {

Seen box_of(std::size_t annotator, std::int32_t left, std::int32_t top, std::int32_t width,
            std::int32_t height) {
  return {
      annotator,
      {left, top, {width, height}, std::vector<std::uint8_t>(static_cast<std::size_t>(width * height), 1)},
      std::int64_t{width} * height};
}

/// The most that pairs can be worth together, by trying all.
double best_worth(const std::vector<Match>& pairs, std::size_t from, std::vector<std::size_t>& rows,
                  std::vector<std::size_t>& columns) {
  if (from == pairs.size()) return 0;
  double best = best_worth(pairs, from + 1, rows, columns);
  const Match& one = pairs[from];
  if (std::find(rows.begin(), rows.end(), one.row) != rows.end() ||
      std::find(columns.begin(), columns.end(), one.column) != columns.end())
    return best;
  rows.push_back(one.row);
  columns.push_back(one.column);
  best = std::max(best, one.worth + best_worth(pairs, from + 1, rows, columns));
  rows.pop_back();
  columns.pop_back();
  return best;
}

TEST(Assignment, IsWorthAsMuchAsTheBestOfAll) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 300; ++round) {
    std::vector<Match> pairs;
    for (std::size_t row = 0; row < 4; ++row)
      for (std::size_t column = 0; column < 5; ++column)
        if (random() % 2 == 0)
          pairs.push_back({row * 3, column, 0.01 + static_cast<double>(random() % 100) / 100});
    if (pairs.size() > 14) pairs.resize(14);
    double worth = 0;
    std::vector<std::size_t> rows, columns;
    for (const Match& one : best_matches(pairs)) {
      worth += one.worth;
      EXPECT_EQ(std::count(rows.begin(), rows.end(), one.row), 0);
      EXPECT_EQ(std::count(columns.begin(), columns.end(), one.column), 0);
      rows.push_back(one.row);
      columns.push_back(one.column);
    }
    rows.clear();
    columns.clear();
    EXPECT_NEAR(worth, best_worth(pairs, 0, rows, columns), 1e-12);
  }
}

TEST(Assignment, TakesTwoGoodPairsRatherThanTheBestOne) {
  const std::vector<Match> chosen = best_matches(std::vector<Match>{{0, 0, 0.9}, {0, 1, 0.8}, {1, 0, 0.8}});
  ASSERT_EQ(chosen.size(), 2);
  EXPECT_EQ(chosen[0].column, 1);
  EXPECT_EQ(chosen[1].column, 0);
}

TEST(Instances, ObjectsOfSeveralAnnotatorsThatOverlapByHalfAreOne) {
  const std::vector<Seen> objects{box_of(0, 0, 0, 10, 10), box_of(1, 1, 0, 10, 10), box_of(2, 2, 0, 10, 10),
                                  box_of(0, 40, 0, 10, 10), box_of(2, 48, 0, 10, 10)};
  const Matching matching = match_objects(objects, {});
  EXPECT_EQ(matching.clusters, (std::vector<std::vector<std::size_t>>{{0, 1, 2}, {3}, {4}}));
  EXPECT_TRUE(matching.splits.empty());
}

TEST(Instances, NobodyHasTwoObjectsInOneCluster) {
  // A chain: 0 and 1 fit, 1 and 2 fit, but 0 and 2 are of one annotator.
  const std::vector<Seen> objects{box_of(0, 0, 0, 10, 10), box_of(1, 2, 0, 10, 10), box_of(0, 4, 0, 10, 10),
                                  box_of(2, 5, 0, 10, 10)};
  for (const std::vector<std::size_t>& cluster : match_objects(objects, {}).clusters) {
    std::vector<std::size_t> who;
    for (const std::size_t i : cluster) who.push_back(objects[i].annotator);
    EXPECT_TRUE(std::adjacent_find(who.begin(), who.end()) == who.end());
  }
}

TEST(Instances, APartIsTheSameObjectWhereTheSmallerCounts) {
  const std::vector<Seen> objects{box_of(0, 0, 0, 20, 10), box_of(1, 0, 0, 5, 5)};
  EXPECT_EQ(match_objects(objects, {}).clusters.size(), 2);
  EXPECT_EQ(match_objects(objects, {.overlap = Overlap::smaller}).clusters.size(), 1);
}

TEST(Instances, WhatOneDrewAsOneAndAnotherAsTwoIsASplit) {
  const std::vector<Seen> objects{box_of(0, 0, 0, 20, 10), box_of(1, 0, 0, 9, 10), box_of(1, 11, 0, 9, 10)};
  const Matching matching = match_objects(objects, {});
  ASSERT_EQ(matching.splits.size(), 1);
  EXPECT_EQ(matching.splits[0].whole, 0);
  EXPECT_EQ(matching.splits[0].pieces, (std::vector<std::size_t>{1, 2}));
}

TEST(Instances, CvatTakesTheObjectThatIsNearestToTheMeanBox) {
  const std::vector<Seen> objects{box_of(0, 0, 0, 10, 10), box_of(1, 1, 1, 10, 10), box_of(2, 4, 4, 10, 10)};
  EXPECT_EQ(nearest_to_mean_box(objects, {0, 1, 2}), 1);
}

TEST(Instances, CvatComparesTheObjectItselfWithTheMeanBoxAndNotItsBox) {
  std::vector<Seen> objects{box_of(0, 0, 0, 10, 10), box_of(1, 1, 1, 10, 10), box_of(2, 2, 2, 10, 10)};
  for (std::size_t i = 0; i < objects[1].mask.pixels.size();
       ++i)  // its box is the mean, but it is half empty
    if (i % 2 == 1) objects[1].mask.pixels[i] = 0;
  objects[1].area = 50;
  EXPECT_EQ(nearest_to_mean_box(objects, {0, 1, 2}), 0);
}

TEST(Instances, InCvatEachTwoMembersOverlapEnough) {
  // A chain: 0 and 1 fit, 1 and 2 fit, but 0 and 2 have an IoU of a quarter.
  const std::vector<Seen> objects{box_of(0, 0, 0, 10, 10), box_of(1, 3, 0, 10, 10), box_of(2, 6, 0, 10, 10)};
  using Clusters = std::vector<std::vector<std::size_t>>;
  EXPECT_EQ(match_objects(objects, {}).clusters, (Clusters{{0, 1, 2}}));
  EXPECT_EQ(match_objects(objects, cvat_rule()).clusters, (Clusters{{0, 1}, {2}}));
}

TEST(Instances, MoreThanHalfSufficesAndInCvatHalf) {
  EXPECT_FALSE(suffices(2, 4, {}));
  EXPECT_TRUE(suffices(3, 4, {}));
  EXPECT_TRUE(suffices(2, 4, cvat_rule()));
  EXPECT_TRUE(suffices(1, 4, {.quorum = 1}));
}

}  // namespace
}  // namespace crema::annotations
