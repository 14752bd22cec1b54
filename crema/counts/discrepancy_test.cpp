// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/discrepancy.h"

#include <gtest/gtest.h>

namespace crema {
namespace {

// Rater 1 drew 6 voxels, rater 2 drew 4 of them, rater 3 nothing.
const Tally kTally{.raters = 3, .rows = {{0, 0b011, 4}, {1, 0b001, 2}}};

TEST(Discrepancy, FollowsTheTableOfDistances) {
  const Sums sums = sum_up(kTally, {1, 0.5});  // t = 5, q = 4.5, a = (5, 4, 0), s = (6, 4, 0)
  EXPECT_DOUBLE_EQ(sums.total, 5);
  EXPECT_DOUBLE_EQ(sums.squares, 4.5);
  EXPECT_DOUBLE_EQ(distance_to(sums, 0, Distance::soergel), 1 - 5.0 / (5 + 6 - 5));
  EXPECT_DOUBLE_EQ(distance_to(sums, 1, Distance::tanimoto), 1 - 4.0 / (4.5 + 4 - 4));
  EXPECT_DOUBLE_EQ(distance_to(sums, 0, Distance::dice1), 1 - 10.0 / (5 + 6));
  EXPECT_NEAR(distance_to(sums, 1, Distance::dice2), 1 - 8.0 / (4.5 + 4), 1e-15);
  EXPECT_EQ(distance_to(sums, 2, Distance::jaccard), 1);
}

TEST(Discrepancy, SoftDistancesEqualHardOnesAtLevelsZeroAndOne) {
  for (const Levels& levels : {Levels{1, 1}, Levels{1, 0}, Levels{0, 1}, Levels{0, 0}}) {
    const double jaccard = criterion(kTally, levels, Distance::jaccard),
                 dice = criterion(kTally, levels, Distance::dice);
    EXPECT_EQ(criterion(kTally, levels, Distance::soergel), jaccard);
    EXPECT_EQ(criterion(kTally, levels, Distance::tanimoto), jaccard);
    EXPECT_EQ(criterion(kTally, levels, Distance::dice1), dice);
    EXPECT_EQ(criterion(kTally, levels, Distance::dice2), dice);
  }
}

TEST(Discrepancy, TwoEmptyMasksAreAtDistanceZeroAndCountAmongTheRaters) {
  EXPECT_DOUBLE_EQ(criterion(kTally, {0, 0}, Distance::jaccard), 2.0 / 3);
}

TEST(Discrepancy, IsNothingForTheRaterThatIsTheConsensus) {
  const Sums sums = sum_up(kTally, {1, 1});
  for (const Distance d : {Distance::jaccard, Distance::dice, Distance::tanimoto})
    EXPECT_EQ(distance_to(sums, 0, d), 0);
}

}  // namespace
}  // namespace crema
