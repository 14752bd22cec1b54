// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/surfaces/voxel_set.h"

#include <gtest/gtest.h>

#include "crema/base/error.h"
#include "crema/voxels/votes/votes.h"
#include "test/agreement_testing.h"
#include "test/ascii.h"

namespace crema {
namespace {

using agreement_testing::Bytes;
using agreement_testing::inside;

Bytes bytes_of(const Grid& grid, const VoxelSet& set) {
  Bytes bytes(static_cast<std::size_t>(grid.voxels()), 0);
  for (const Run& run : set.runs)
    for (std::int32_t i = 0; i < run.length; ++i) ++bytes[static_cast<std::size_t>(run.first + i)];
  return bytes;
}

Bytes as_ones(Bytes mask) {
  for (auto& voxel : mask) voxel = voxel != 0 ? 1 : 0;
  return mask;
}

TEST(VoxelSet, HoldsWhatEachRaterDrewAndWhatTheConsensusKept) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    for (const char* method : {"jaccard", "tanimoto", "ml-staple", "shape"}) {
      const auto c = agreement_testing::make(seed, method);
      const auto sets = sets_of_raters(c.consensus.reduction);
      ASSERT_EQ(sets.size(), c.random.masks.size());
      for (std::size_t k = 0; k < sets.size(); ++k) {
        ASSERT_EQ(bytes_of(c.random.grid, sets[k]), as_ones(c.random.masks[k])) << seed;
        ASSERT_EQ(sets[k], set_of_mask(c.random.grid, c.random.masks[k]))
            << "runs are not joined, seed " << seed;
      }
      const VoxelSet kept = set_of_consensus(c.consensus.reduction, c.consensus.solution, c.options);
      ASSERT_EQ(bytes_of(c.random.grid, kept), inside(c.consensus.image)) << method << seed;
      ASSERT_EQ(kept.voxels, c.consensus.solution.voxels);
      ASSERT_EQ(kept, set_of_image(c.random.grid, c.consensus.image));
    }
  }
}

TEST(VoxelSet, TakesTheFirstVoxelsOfARowThatIsTakenInPart) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    auto c = random_case::make(seed);
    Options options = c.options();
    options.blocks = Blocks::group;
    const Consensus consensus = fuse(c.grid, c.views(), options);
    const VoxelSet kept = set_of_consensus(consensus.reduction, consensus.solution, options);
    ASSERT_EQ(bytes_of(c.grid, kept), inside(consensus.image)) << seed;
  }
}

TEST(VoxelSet, CountsCommonVoxels) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto c = random_case::make(seed);
    const auto a = set_of_mask(c.grid, c.masks.front()), b = set_of_mask(c.grid, c.masks.back());
    ASSERT_EQ(count_common(a, b), agreement_testing::count_both(c.masks.front(), c.masks.back()));
  }
}

TEST(VoxelSet, RebuildsTheVotesOfTheRatersThatAreKept) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto c = agreement_testing::make(seed, "majority");
    const Raters all = (Raters{1} << c.random.masks.size()) - 1, keep = (0x2AU | 1U) & all;
    std::vector<Mask> kept;
    for (std::size_t k = 0; k < c.random.masks.size(); ++k)
      if ((keep >> k & 1) != 0) kept.emplace_back(c.random.masks[k]);
    const Votes rebuilt = rebuild_votes(c.consensus.reduction, keep),
                taken = take_votes(c.random.grid.voxels(), kept);
    ASSERT_EQ(rebuilt.raters(), taken.raters());
    rebuilt.visit([&](const auto* sets) {
      taken.visit([&](const auto* others) {
        for (std::int64_t v = 0; v < taken.voxels(); ++v)
          ASSERT_EQ(Raters{sets[v]}, Raters{others[v]}) << seed;
      });
    });
  }
}

TEST(VoxelSet, RefusesAnImageOfAnotherSize) {
  EXPECT_THROW(set_of_image({.size = {3, 3, 1}}, HardImage(8)), InputError);
}

}  // namespace
}  // namespace crema
