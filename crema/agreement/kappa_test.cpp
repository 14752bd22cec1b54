// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/kappa.h"

#include <cmath>

#include <gtest/gtest.h>

#include "crema/agreement/pairs.h"
#include "crema/gather.h"
#include "test/agreement_testing.h"

namespace crema {
namespace {

using agreement_testing::Bytes;

/// The books' formulas, voxel by voxel.
struct Plain {
  double positive = 0, kappa = 0, alpha = 0;
};

Plain by_voxel(const slow::Masks& masks) {
  const auto raters = static_cast<double>(masks.size()), voxels = static_cast<double>(masks[0].size());
  double agreed = 0, inside = 0, observed = 0;
  for (std::size_t v = 0; v < masks[0].size(); ++v) {
    double n = 0;
    for (const auto& mask : masks) n += mask[v] != 0 ? 1 : 0;
    agreed += n * (n - 1);
    inside += n;
    observed += (n * (n - 1) + (raters - n) * (raters - n - 1)) / (raters * (raters - 1)) / voxels;
  }
  const double p = inside / (raters * voxels), expected = p * p + (1 - p) * (1 - p);
  const double all = raters * voxels, outside = all - inside;
  // Alpha from the coincidence matrix of the two values.
  const double off_diagonal = (1 - observed) * all / 2;
  return {agreed / ((raters - 1) * inside), (observed - expected) / (1 - expected),
          1 - (all - 1) * off_diagonal / (inside * outside)};
}

TEST(Kappa, FollowsTheFormulasOfTheBooksOnEveryVoxelOfTheImage) {
  int defined = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const auto c = agreement_testing::make(seed, "majority");
    const auto found = chance_corrected(c.consensus.reduction, {});
    const auto positive = positive_agreement(c.consensus.reduction);
    if (c.random.masks.size() == 1) {
      ASSERT_EQ(found.kappa, Measured(Undefined::one_rater));
      ASSERT_EQ(found.alpha, Measured(Undefined::one_rater));
      ASSERT_EQ(positive, Measured(Undefined::one_rater));
      continue;
    }
    const Plain plain = by_voxel(c.random.masks);
    ASSERT_EQ(positive.defined(), std::isfinite(plain.positive));
    ASSERT_TRUE(!positive.defined() || std::abs(*positive - plain.positive) < 1e-12);
    if (!found.kappa.defined()) {
      ASSERT_EQ(found.kappa, Measured(Undefined::one_value));
      ASSERT_EQ(found.alpha, found.kappa);
      continue;
    }
    ++defined;
    ASSERT_NEAR(*found.kappa, plain.kappa, 1e-9) << seed;
    ASSERT_NEAR(*found.alpha, plain.alpha, 1e-9) << seed;
    ASSERT_EQ(found.voxels, c.random.grid.voxels());
  }
  EXPECT_GT(defined, 100);
}

TEST(Kappa, TellsWhichRegionItWasComputedOn) {
  const Bytes a{0, 1, 1, 0, 0, 0}, b{0, 1, 0, 0, 0, 0};
  const Reduction reduction = agreement_testing::reduce({.size = {6, 1, 1}}, {a, b});
  const auto box = chance_corrected(reduction, {.kind = Region::Kind::box, .margin = 1});
  EXPECT_EQ(box.region.kind, Region::Kind::box);
  EXPECT_EQ(box.voxels, 4);
  EXPECT_EQ(box.background, 2);
  EXPECT_NEAR(*box.kappa, by_voxel({{0, 1, 1, 0}, {0, 1, 0, 0}}).kappa, 1e-12);
}

TEST(Kappa, PositiveAgreementOfTwoRatersIsTheirDice) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto c = agreement_testing::make(seed, "majority", 2);
    if (c.random.masks.size() != 2) continue;
    ASSERT_EQ(positive_agreement(c.consensus.reduction).value(),
              compare_pairs(c.consensus.reduction).front().dice.value());
  }
}

TEST(Kappa, MovesWithTheBackgroundWhilePositiveAgreementStays) {
  const Bytes a{1, 1, 1, 0, 0, 0, 0, 0}, b{1, 1, 0, 1, 0, 0, 0, 0}, c{1, 0, 1, 1, 0, 0, 0, 0};
  const Reduction small = agreement_testing::reduce({.size = {8, 1, 1}}, {a, b, c});
  const auto sizes = follow_background(small);
  ASSERT_EQ(sizes.size(), 3U);
  EXPECT_EQ(sizes[0].size.kind, ImageSize::Kind::box);
  EXPECT_EQ(sizes[0].size.voxels, 4);
  EXPECT_EQ(sizes[1].size.voxels, 8);
  EXPECT_EQ(sizes[2].size.voxels, 44);
  EXPECT_LT(*sizes[0].kappa, *sizes[1].kappa);
  EXPECT_LT(*sizes[1].kappa, *sizes[2].kappa);
  EXPECT_LT(*sizes[1].alpha, *sizes[2].alpha);
  EXPECT_LT(*sizes[2].kappa, *positive_agreement(small));
  Bytes wide_a(44, 0), wide_b(44, 0), wide_c(44, 0);
  std::copy(a.begin(), a.end(), wide_a.begin());
  std::copy(b.begin(), b.end(), wide_b.begin());
  std::copy(c.begin(), c.end(), wide_c.begin());
  EXPECT_NEAR(*sizes[2].kappa, by_voxel({wide_a, wide_b, wide_c}).kappa, 1e-12);
}

TEST(Kappa, IsUndefinedWhereNobodyDrewOrEverybodyDrewAll) {
  const Bytes none(6, 0), all(6, 1);
  const Grid grid{.size = {3, 2, 1}};
  for (const Bytes& mask : {none, all}) {
    const Reduction reduction = agreement_testing::reduce(grid, {mask, mask, mask});
    EXPECT_EQ(chance_corrected(reduction, {}).kappa, Measured(Undefined::one_value));
  }
  EXPECT_EQ(positive_agreement(agreement_testing::reduce(grid, {none, none, none})),
            Measured(Undefined::nobody_drew));
  EXPECT_EQ(*positive_agreement(agreement_testing::reduce(grid, {all, all, all})), 1);
  EXPECT_EQ(follow_background(agreement_testing::reduce(grid, {none, none})).size(), 2U);
}

}  // namespace
}  // namespace crema
