// SPDX-License-Identifier: Apache-2.0
#include "crema/voxels/votes/shared_votes.h"

#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "crema/base/error.h"

namespace crema {
namespace {

std::vector<Raters> shared_sets_of(const Votes& votes) {
  return votes.visit([&](const auto* sets) { return std::vector<Raters>(sets, sets + votes.voxels()); });
}

/// Half of the blocks empty, the others a third marked.
std::vector<std::vector<std::uint8_t>> draw(std::size_t raters, std::size_t voxels, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::vector<std::uint8_t>> masks(raters, std::vector<std::uint8_t>(voxels));
  for (auto& mask : masks)
    for (std::size_t v = 0; v < voxels; ++v)
      mask[v] = (v / Votes::kBlock) % 2 == 0 && random() % 3 == 0 ? 1 : 0;
  return masks;
}

TEST(SharedVotes, AreTheSameAsVotesTakenAtOnce) {
  const std::size_t raters = 5, voxels = 9 * Votes::kBlock + 17;
  const auto masks = draw(raters, voxels, 1);
  SharedVotes shared(std::ssize(masks[0]), static_cast<int>(raters));
  {
    std::vector<std::jthread> threads;
    for (std::size_t k = 0; k < raters; ++k)
      threads.emplace_back([&, k] {
        // Parts that begin and end anywhere, of another length for each rater.
        const std::size_t step = 1000 + 777 * k;
        for (std::size_t first = 0; first < voxels; first += step)
          shared.fold(static_cast<int>(k), static_cast<std::int64_t>(first),
                      Mask(masks[k]).subspan(first, std::min(step, voxels - first)));
      });
  }
  const Votes votes = std::move(shared).take();
  const Votes expected = take_votes(std::ssize(masks[0]), std::vector<Mask>(masks.begin(), masks.end()));
  EXPECT_EQ(shared_sets_of(votes), shared_sets_of(expected));
  EXPECT_TRUE(std::equal(votes.occupied().begin(), votes.occupied().end(), expected.occupied().begin()));
}

TEST(SharedVotes, RefuseWhatLiesOutsideTheGrid) {
  SharedVotes shared(10, 2);
  const std::vector<std::uint8_t> part(4, 1);
  shared.fold(0, 6, part);
  EXPECT_THROW(shared.fold(0, 7, part), InputError);
  EXPECT_THROW(shared.fold(0, -1, part), InputError);
  EXPECT_THROW(shared.fold(2, 0, part), InputError);
}

}  // namespace
}  // namespace crema
