// SPDX-License-Identifier: Apache-2.0
#include "crema/voxels/votes/votes.h"

#include <mutex>
#include <set>
#include <tuple>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "crema/base/error.h"
#include "test/random_case.h"

namespace crema {
namespace {

std::vector<Raters> sets_of(const Votes& votes) {
  return votes.visit([&](const auto* sets) { return std::vector<Raters>(sets, sets + votes.voxels()); });
}

std::size_t bytes_per_voxel(const Votes& votes) {
  return votes.visit([](const auto* sets) { return sizeof *sets; });
}

RC_GTEST_PROP(Votes, HoldForEachVoxelTheSetOfRatersWhoMarkedIt, (std::uint64_t seed)) {
  random_case::Dice dice{seed};
  const int raters = dice.roll(1, 64);
  slow::Masks masks(static_cast<std::size_t>(raters), std::vector<std::uint8_t>(300, 0));
  for (auto& mask : masks)
    for (auto& voxel : mask) voxel = dice.roll(0, 2) == 0 ? static_cast<std::uint8_t>(dice.roll(1, 255)) : 0;
  std::vector<Raters> expected(300, 0);
  for (std::size_t k = 0; k < masks.size(); ++k)
    for (std::size_t v = 0; v < 300; ++v)
      if (masks[k][v] != 0) expected[v] |= Raters{1} << k;
  RC_ASSERT(sets_of(take_votes(300, std::vector<Mask>(masks.begin(), masks.end()))) == expected);
  Votes folded(300, raters);
  for (int k = raters; k-- > 0;) folded.fold(k, masks[static_cast<std::size_t>(k)]);
  RC_ASSERT(sets_of(folded) == expected);
}

TEST(Votes, TakeTheNarrowestTypeThatHoldsAllRaters) {
  EXPECT_EQ(bytes_per_voxel(Votes(1, 8)), 1U);
  EXPECT_EQ(bytes_per_voxel(Votes(1, 9)), 2U);
  EXPECT_EQ(bytes_per_voxel(Votes(1, 17)), 4U);
  EXPECT_EQ(bytes_per_voxel(Votes(1, 33)), 8U);
}

TEST(Votes, CoverImagesOfMoreThanOnePiece) {
  const std::int64_t voxels = (1 << 20) + 77;
  std::vector<std::uint8_t> first(static_cast<std::size_t>(voxels), 0), second = first;
  first.back() = second.front() = second.back() = 1;
  const auto sets = sets_of(take_votes(voxels, std::vector<Mask>{first, second}));
  EXPECT_EQ(sets.front(), 0b10U);
  EXPECT_EQ(sets.back(), 0b11U);
}

TEST(Votes, FlagTheBlocksInWhichAnyRaterMarkedAnything) {
  const std::int64_t voxels = 5 * Votes::kBlock + 7;
  std::vector<std::uint8_t> first(static_cast<std::size_t>(voxels), 0), second = first;
  first[2 * Votes::kBlock] = second[3 * Votes::kBlock - 1] = second.back() = 9;
  const std::vector<std::uint8_t> expected{0, 0, 1, 0, 0, 1};
  const Votes taken = take_votes(voxels, std::vector<Mask>{first, second});
  Votes folded(voxels, 2);
  folded.fold(1, second);
  folded.fold(0, first);
  for (const Votes* votes : {&taken, static_cast<const Votes*>(&folded)})
    EXPECT_EQ(std::vector<std::uint8_t>(votes->occupied().begin(), votes->occupied().end()), expected);
}

TEST(Votes, TellOfEveryBlockInWhichARaterMarkedAnything) {
  const std::int64_t voxels = 2 * Votes::kBlock + 7;
  std::vector<std::uint8_t> first(static_cast<std::size_t>(voxels), 0), second = first;
  first[5] = second.back() = 9;
  first[6] = 2;
  std::mutex mutex;
  std::set<std::tuple<std::size_t, const std::uint8_t*, std::size_t, int>> reported;
  take_votes(voxels, std::vector<Mask>{first, second}, [&](std::size_t rater, Mask block, std::uint8_t bits) {
    const std::scoped_lock lock(mutex);
    reported.emplace(rater, block.data(), block.size(), bits);
  });
  const std::set<std::tuple<std::size_t, const std::uint8_t*, std::size_t, int>> expected{
      {0, first.data(), Votes::kBlock, 9 | 2}, {1, second.data() + 2 * Votes::kBlock, 7, 9}};
  EXPECT_EQ(reported, expected);
}

TEST(Votes, RefuseTooFewAndTooManyRatersAndOtherSizes) {
  EXPECT_THROW(Votes(5, 0), InputError);
  EXPECT_THROW(Votes(5, 65), InputError);
  Votes votes(5, 2);
  const std::vector<std::uint8_t> four(4, 1), five(5, 1);
  EXPECT_THROW(votes.fold(0, four), InputError);
  EXPECT_THROW(votes.fold(2, five), InputError);
}

}  // namespace
}  // namespace crema
