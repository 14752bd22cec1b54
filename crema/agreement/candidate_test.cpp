// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/candidate.h"

#include <gtest/gtest.h>

#include "test/agreement_testing.h"

namespace crema {
namespace {

using agreement_testing::Bytes;
using agreement_testing::count;
using agreement_testing::count_both;

double dice_by_voxels(const Bytes& a, const Bytes& b) {
  const auto sizes = static_cast<double>(count(a) + count(b));
  return sizes == 0 ? 1 : 2 * static_cast<double>(count_both(a, b)) / sizes;
}

HardImage image_of(const Bytes& mask) {
  HardImage image(mask.size());
  for (std::size_t v = 0; v < mask.size(); ++v) image[v] = mask[v];
  return image;
}

TEST(Candidate, WilliamsIndexIsThatOfVoxelByVoxelDice) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    const auto fused = agreement_testing::make(seed, "majority");
    const auto& masks = fused.random.masks;
    if (masks.size() < 2) continue;
    random_case::Dice dice{~seed};
    Bytes mask(masks.front().size());
    for (auto& voxel : mask) voxel = dice.roll(0, 2) == 0 ? 1 : 0;  // also where nobody drew
    double candidate = 0, pairs = 0, count_of_pairs = 0;
    for (std::size_t a = 0; a < masks.size(); ++a) {
      candidate += dice_by_voxels(mask, masks[a]) / static_cast<double>(masks.size());
      for (std::size_t b = a + 1; b < masks.size(); ++b, ++count_of_pairs)
        pairs += dice_by_voxels(masks[a], masks[b]);
    }
    pairs /= count_of_pairs;
    const CandidateIndex found = compare_candidate(fused.consensus.reduction, image_of(mask));
    EXPECT_NEAR(*found.mean_candidate, candidate, 1e-12);
    EXPECT_NEAR(*found.mean_pairs, pairs, 1e-12);
    EXPECT_NEAR(*found.difference, candidate - pairs, 1e-12);
    if (pairs > 0) {
      EXPECT_NEAR(*found.index, candidate / pairs, 1e-12);
    } else {
      EXPECT_EQ(found.index, Measured(Undefined::no_overlap));
    }
  }
}

TEST(Candidate, OneRaterHasNobodyToAgreeWith) {
  const std::vector<std::uint8_t> mask{1, 0};
  const std::vector<Mask> masks{mask};
  const Consensus alone = fuse({.size = {2, 1, 1}}, masks, {});
  const CandidateIndex found = compare_candidate(alone.reduction, image_of({1, 1}));
  EXPECT_DOUBLE_EQ(*found.mean_candidate, 2.0 / 3);
  EXPECT_EQ(found.index, Measured(Undefined::one_rater));
  EXPECT_EQ(found.difference, Measured(Undefined::one_rater));
}

TEST(Candidate, EmptyMasksAgreeWithEachOther) {
  const std::vector<std::uint8_t> nothing{0, 0}, something{1, 0};
  const std::vector<Mask> masks{nothing, nothing, something};
  const Consensus fused = fuse({.size = {2, 1, 1}}, masks, {});
  const CandidateIndex found = compare_candidate(fused.reduction, image_of({0, 0}));
  EXPECT_DOUBLE_EQ(*found.mean_candidate, 2.0 / 3);
  EXPECT_DOUBLE_EQ(*found.mean_pairs, 1.0 / 3);
  EXPECT_DOUBLE_EQ(*found.index, 2);
}

}  // namespace
}  // namespace crema
