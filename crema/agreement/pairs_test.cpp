// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/pairs.h"

#include <gtest/gtest.h>

#include "crema/base/error.h"
#include "crema/voxels/votes/votes.h"
#include "test/agreement_testing.h"

namespace crema {
namespace {

using agreement_testing::Bytes;
using agreement_testing::count;
using agreement_testing::count_both;
using agreement_testing::inside;

CommonCounts counted(const Bytes& a, const Bytes& b) { return {count(a), count(b), count_both(a, b)}; }

TEST(Pairs, LeaveTwoEmptyMasksUndefinedAndSayWhy) {
  EXPECT_EQ(dice({0, 0, 0}), Measured(Undefined::both_empty));
  EXPECT_EQ(jaccard({0, 0, 0}), Measured(Undefined::both_empty));
  EXPECT_EQ(precision({0, 0, 0}), Measured(Undefined::both_empty));
  EXPECT_EQ(recall({0, 0, 0}), Measured(Undefined::both_empty));
  EXPECT_EQ(to_string(*dice({0, 0, 0}).reason()), "both masks are empty");
}

TEST(Pairs, GiveZeroWhereOneMaskIsEmptyAndLeaveItsOwnShareUndefined) {
  EXPECT_EQ(dice({0, 3, 0}), Measured(0.0));
  EXPECT_EQ(jaccard({3, 0, 0}), Measured(0.0));
  EXPECT_EQ(precision({0, 3, 0}), Measured(Undefined::first_empty));
  EXPECT_EQ(recall({0, 3, 0}), Measured(0.0));
  EXPECT_EQ(precision({3, 0, 0}), Measured(0.0));
  EXPECT_EQ(recall({3, 0, 0}), Measured(Undefined::second_empty));
}

TEST(Pairs, OfRatersAreWhatIsCountedInTheMasks) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto c = agreement_testing::make(seed, "majority");
    const auto& masks = c.random.masks;
    const auto pairs = compare_pairs(c.consensus.reduction);
    ASSERT_EQ(pairs.size(), masks.size() * (masks.size() - 1) / 2);
    std::size_t i = 0;
    for (std::size_t a = 0; a < masks.size(); ++a)
      for (std::size_t b = a + 1; b < masks.size(); ++b, ++i) {
        const CommonCounts expected = counted(masks[a], masks[b]);
        ASSERT_EQ(pairs[i].a, static_cast<int>(a));
        ASSERT_EQ(pairs[i].b, static_cast<int>(b));
        ASSERT_EQ(pairs[i].voxels, expected) << seed;
        ASSERT_EQ(pairs[i].dice, dice(expected));
        ASSERT_EQ(pairs[i].jaccard, jaccard(expected));
        ASSERT_EQ(pairs[i].difference, expected.first - expected.second);
      }
  }
}

TEST(Pairs, OfARaterAndTheConsensusAreWhatIsCountedInTheImage) {
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    for (const char* method : {"jaccard", "dice2", "staple", "ml-staple", "shape"}) {
      const auto c = agreement_testing::make(seed, method);
      const Bytes kept = inside(c.consensus.image);
      const auto by_counts = compare_with_consensus(c.consensus.reduction, c.consensus.solution);
      const auto by_image = compare_with_consensus(c.consensus.reduction, c.consensus.image);
      ASSERT_EQ(by_counts.size(), c.random.masks.size());
      for (std::size_t k = 0; k < by_counts.size(); ++k) {
        const CommonCounts expected = counted(c.random.masks[k], kept);
        ASSERT_EQ(by_counts[k].voxels, expected) << method << seed;
        ASSERT_EQ(by_image[k].voxels, expected) << method << seed;
        ASSERT_EQ(by_counts[k].f1, dice(expected));
        ASSERT_EQ(by_counts[k].precision, precision(expected));
        ASSERT_EQ(by_counts[k].recall, recall(expected));
        ASSERT_EQ(by_counts[k].jaccard, jaccard(expected));
      }
    }
}

TEST(Pairs, OfTwoResultsAreWhatIsCountedInTheImages) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    auto c = agreement_testing::make(seed, "jaccard");
    Reduction& reduction = c.consensus.reduction;
    reduction.votes = std::make_shared<Votes>(take_votes(c.random.grid.voxels(), c.random.views()));
    for (const char* method : {"dice", "tanimoto", "ml-staple", "shape"}) {
      Solution other = solve(reduction, find_method(method), c.options);
      const auto found = compare_results(reduction, c.consensus.solution, other, c.options);
      ASSERT_EQ(found, counted(inside(c.consensus.image), inside(paint(reduction, other, c.options))))
          << method << seed;
    }
  }
}

TEST(Pairs, OfTwoResultsShareTheBackgroundWhereBothTakeItIn) {
  const Bytes all(20, 1), most{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0};
  const Grid grid{.size = {5, 4, 1}};
  const std::vector<Mask> masks{most, most};
  Options options{.method = "staple"};
  options.estimate.prior = {Prior::Kind::number, 1 - 1e-12, 1};
  const Consensus consensus = fuse(grid, masks, options);
  const auto counts = compare_results(consensus.reduction, consensus.solution, consensus.solution, options);
  EXPECT_EQ(counts.common, count(inside(consensus.image)));
  EXPECT_EQ(counts.first, counts.common);
}

TEST(Pairs, OfOneRaterAreNone) {
  const Bytes mask{1, 0, 1};
  EXPECT_TRUE(compare_pairs(agreement_testing::reduce({.size = {3, 1, 1}}, {mask})).empty());
}

TEST(Pairs, RefuseAConsensusOnAnotherGrid) {
  const Bytes mask{1, 0, 1};
  const Reduction reduction = agreement_testing::reduce({.size = {3, 1, 1}}, {mask});
  EXPECT_THROW(compare_with_consensus(reduction, Image(HardImage(4))), InputError);
}

}  // namespace
}  // namespace crema
