// SPDX-License-Identifier: Apache-2.0
#include "raters/read/votes.h"

#include <gtest/gtest.h>

#include "crema/base/error.h"
#include "crema/tables/settings.h"

namespace crema::raters {
namespace {

constexpr std::int64_t kMega = std::int64_t{1} << 20;

TEST(Votes, UsesAllThreadsWhenThereIsRoom) {
  EXPECT_EQ(affordable_threads({.voxels = kMega, .raters = 5}, 8, 2 * kMega), 8);
  EXPECT_EQ(affordable_threads({.voxels = kMega, .raters = 5, .turned = true}, 8, 100 * kMega), 8);
}

TEST(Votes, TurnsFewerMasksAtOnceWhenMemoryIsShort) {
  // One byte for the votes, one spare, and two for each of three masks.
  EXPECT_EQ(affordable_threads({.voxels = kMega, .raters = 5, .turned = true}, 8, 8 * kMega), 3);
  // Nine raters need two bytes of votes.
  EXPECT_EQ(affordable_threads({.voxels = kMega, .raters = 9, .turned = true}, 8, 8 * kMega), 2);
}

TEST(Votes, RefusesWhatDoesNotFitAtAll) {
  EXPECT_THROW(affordable_threads({.voxels = kMega, .raters = 5}, 8, 2 * kMega - 1), ResourceError);
  EXPECT_THROW(affordable_threads({.voxels = kMega, .raters = 5, .turned = true}, 8, 4 * kMega - 1),
               ResourceError);
  EXPECT_THROW(affordable_threads({.voxels = kMega, .raters = 64}, 8, 9 * kMega - 1), ResourceError);
}

TEST(Votes, KnowsTheMemoryOfTheMachine) { EXPECT_GT(allowed_memory({}), 16 * kMega); }

}  // namespace
}  // namespace crema::raters
