// SPDX-License-Identifier: Apache-2.0
#include "cli/load.h"

#include <gtest/gtest.h>

#include "crema/error.h"

namespace crema::cli {
namespace {

constexpr std::int64_t kMega = std::int64_t{1} << 20;

TEST(Load, UsesAllThreadsWhenThereIsRoom) { EXPECT_EQ(affordable_threads(kMega, 5, 8, 100 * kMega), 8); }

TEST(Load, ReadsFewerMasksAtOnceWhenMemoryIsShort) {
  // One byte for the votes, one spare, and three masks.
  EXPECT_EQ(affordable_threads(kMega, 5, 8, 5 * kMega), 3);
  // Nine raters need two bytes of votes.
  EXPECT_EQ(affordable_threads(kMega, 9, 8, 5 * kMega), 2);
}

TEST(Load, RefusesWhatDoesNotFitAtAll) {
  EXPECT_EQ(affordable_threads(kMega, 5, 8, 3 * kMega), 1);
  EXPECT_THROW(affordable_threads(kMega, 5, 8, 3 * kMega - 1), ResourceError);
  EXPECT_THROW(affordable_threads(kMega, 64, 8, 9 * kMega), ResourceError);
}

TEST(Load, KnowsTheMemoryOfTheMachine) { EXPECT_GT(default_memory(), 16 * kMega); }

}  // namespace
}  // namespace crema::cli
