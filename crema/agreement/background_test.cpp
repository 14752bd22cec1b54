// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/background.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "crema/voxels/votes/votes.h"
#include "test/ascii.h"
#include "test/random_case.h"

namespace crema {
namespace {

using random_case::Case;

Reduction counted(const Grid& grid, const std::vector<Mask>& masks, const Options& options) {
  return reduce(grid, take_votes(grid.voxels(), masks), Needs::distances, options);
}

bool drawn(const Case& c, std::size_t v) {
  return std::any_of(c.masks.begin(), c.masks.end(), [&](const auto& mask) { return mask[v] != 0; });
}

/// Adds to the first mask until the union fills whole slabs' worth of voxels, so that any multiple of the
/// background can be put behind the image as whole slabs.
void round_up_union(Case& c) {
  const auto slab =
      static_cast<std::size_t>(c.grid.size[0]) * static_cast<std::size_t>(c.grid.flat() ? 1 : c.grid.size[1]);
  std::size_t count = 0;
  for (std::size_t v = 0; v < c.masks[0].size(); ++v) count += drawn(c, v) ? 1U : 0U;
  for (std::size_t v = 0; v < c.masks[0].size() && count % slab != 0; ++v)
    if (!drawn(c, v)) {
      c.masks[0][v] = 1;
      ++count;
    }
}

/// The part of the masks inside a box, as images of their own.
Case cropped(const Case& c, const Box& box) {
  Case part = c;
  part.grid.size = box.size();
  for (std::size_t k = 0; k < c.masks.size(); ++k) {
    part.masks[k].clear();
    for (std::size_t v = 0; v < c.masks[k].size(); ++v) {
      const auto p = slow::point(c.grid, v);
      bool inside = true;
      for (std::size_t a = 0; a < 3; ++a) inside = inside && p[a] >= box.low[a] && p[a] < box.high[a];
      if (inside) part.masks[k].push_back(c.masks[k][v]);
    }
  }
  return part;
}

Box box_around(const Case& c, int margin) {
  Box box{{c.grid.size[0], c.grid.size[1], c.grid.size[2]}, {0, 0, 0}};
  for (std::size_t v = 0; v < c.masks[0].size(); ++v) {
    if (!drawn(c, v)) continue;
    const auto p = slow::point(c.grid, v);
    for (std::size_t a = 0; a < 3; ++a) {
      box.low[a] = std::max(0, std::min(box.low[a], p[a] - margin));
      box.high[a] = std::min(c.grid.size[a], std::max(box.high[a], p[a] + 1 + margin));
    }
  }
  return box;
}

/// The same case in an image of that many voxels: cut out, as it is, or with slabs of background behind it.
Case resized(const Case& c, const ImageSize& size) {
  if (size.kind == ImageSize::Kind::image) return c;
  if (size.kind == ImageSize::Kind::box) return cropped(c, box_around(c, size.extra));
  Case larger = c;
  const std::size_t last = c.grid.flat() ? 1 : 2;
  const std::int64_t slab = c.grid.voxels() / c.grid.size[last];
  larger.grid.size[last] = static_cast<std::int32_t>(size.voxels / slab);
  for (auto& mask : larger.masks) mask.resize(static_cast<std::size_t>(larger.grid.voxels()), 0);
  return larger;
}

Options options_of(const Case& c, const ExtentCurve& curve, double mean) {
  Options options = c.options();
  options.method = curve.method->name;
  options.threads = 1;
  if (curve.alpha == 0) options.estimate.prior = {Prior::Kind::number, 0.5};
  if (curve.alpha == 2) options.estimate.prior = {Prior::Kind::power, mean * mean, 2};
  return options;
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)}); }

RC_GTEST_PROP(BackgroundStudy, SaysWhatFusingTheResizedImagesGives, (std::uint64_t seed)) {
  Case c = random_case::make(seed, 5, 5);
  c.setting.slice_wise.reset();
  c.setting.connectivity = 0;
  round_up_union(c);
  const BackgroundStudy study = study_background(counted(c.grid, c.views(), c.options()), c.options());
  RC_PRE(study.union_voxels > 0);
  for (std::size_t s = 0; s < study.sizes.size(); ++s) {
    const ImageSize& size = study.sizes[s];
    if (size.kind == ImageSize::Kind::padded && size.extra != 3 && size.extra != 100) continue;
    const Case real = resized(c, size);
    RC_ASSERT(real.grid.voxels() == size.voxels);
    RC_ASSERT(size.voxels - size.background == study.union_voxels);
    if (study.drawn_by_least.back() == size.voxels) continue;  // all draw everything: there is no prior
    for (const ExtentCurve& curve : study.curves) {
      const Solution reported =
          fuse(real.grid, real.views(), options_of(c, curve, study.mean_voxels)).solution;
      RC_TAG(std::string(to_string(curve)));
      RC_ASSERT(curve.at[s].voxels == reported.voxels);
      RC_ASSERT(near(curve.at[s].soft_volume, reported.soft_volume));
      RC_ASSERT(near(curve.at[s].entropy, reported.entropy));
    }
  }
}

/// Four raters who draw discs of different sizes, not all in one place.
Case discs() {
  Case c;
  c.grid.size = {40, 30, 1};
  const std::array<std::array<int, 3>, 4> circles{{{14, 14, 7}, {17, 14, 6}, {14, 17, 6}, {24, 15, 7}}};
  for (const auto& [x, y, r] : circles) {
    c.masks.emplace_back(1200, std::uint8_t{0});
    for (std::size_t v = 0; v < 1200; ++v) {
      const auto p = slow::point(c.grid, v);
      if ((p[0] - x) * (p[0] - x) + (p[1] - y) * (p[1] - y) <= r * r) c.masks.back()[v] = 1;
    }
  }
  return c;
}

const ExtentCurve& named(const BackgroundStudy& study, const std::string& name) {
  for (const ExtentCurve& curve : study.curves)
    if (to_string(curve) == name) return curve;
  throw std::out_of_range(name);
}

TEST(BackgroundStudy, HasEveryMethodOfThePaperAndStapleWithThreePriors) {
  const Case c = discs();
  const BackgroundStudy study = study_background(counted(c.grid, c.views(), {}), {});
  for (const auto* name : {"jaccard", "dice", "majority", "tanimoto", "soergel", "dice1", "dice2", "average",
                           "ml-staple", "staple w=1/2", "staple w=mean", "staple w=mean²", "accuracy",
                           "accuracy w=1/2", "shared", "shared w=1/2", "common", "common w=1/2"})
    EXPECT_EQ(named(study, name).at.size(), study.sizes.size()) << name;
  EXPECT_FALSE(named(study, "jaccard").sees_background);
  EXPECT_TRUE(named(study, "staple w=mean").sees_background);
}

TEST(BackgroundStudy, OnlyMethodsToldOfTheBackgroundMoveAndStapleDoes) {
  const Case c = discs();
  const BackgroundStudy study = study_background(counted(c.grid, c.views(), {}), {});
  for (const ExtentCurve& curve : study.curves)
    for (const Extent& extent : curve.at)
      if (!curve.sees_background) {
        EXPECT_EQ(extent.voxels, curve.at.front().voxels);
      }
  const auto& half = named(study, "staple w=1/2");
  EXPECT_LT(half.at.front().voxels, half.at.back().voxels);
}

TEST(BackgroundStudy, LargerAlphaGivesSmallerConsensusesNearTheirLimits) {
  const Case c = discs();
  const BackgroundStudy study = study_background(counted(c.grid, c.views(), {}), {});
  const auto half = named(study, "staple w=1/2").at.back().voxels;
  const auto mean = named(study, "staple w=mean").at.back().voxels;
  const auto square = named(study, "staple w=mean²").at.back().voxels;
  EXPECT_EQ(half, study.drawn_by_least[0]);
  EXPECT_EQ(half, study.union_voxels);
  EXPECT_LT(mean, half);
  EXPECT_LE(square, mean);
  EXPECT_GE(mean, study.drawn_by_least[1]);
}

TEST(BackgroundStudy, RisesFromTheTightBoxToAHundredfoldBackground) {
  const Case c = discs();
  const BackgroundStudy study = study_background(counted(c.grid, c.views(), {}), {});
  EXPECT_EQ(to_string(study.sizes.front()), "box");
  EXPECT_EQ(to_string(study.sizes[1]), "box + 1");
  EXPECT_EQ(to_string(study.sizes[study.image]), "image");
  EXPECT_EQ(study.sizes[study.image].voxels, 1200);
  EXPECT_EQ(to_string(study.sizes.back()), "100 × background");
  EXPECT_EQ(study.sizes.back().background, 100 * study.sizes[study.image].background);
  for (std::size_t s = 1; s < study.sizes.size(); ++s)
    EXPECT_GT(study.sizes[s].voxels, study.sizes[s - 1].voxels);
}

void expect_numbers(const BackgroundStudy& study) {
  for (const ExtentCurve& curve : study.curves)
    for (const Extent& extent : curve.at) {
      EXPECT_TRUE(std::isfinite(extent.soft_volume)) << to_string(curve);
      EXPECT_TRUE(std::isfinite(extent.entropy)) << to_string(curve);
    }
}

TEST(BackgroundStudy, GivesNumbersWhereNobodyDrewAnything) {
  const std::vector<std::uint8_t> nothing(12, 0);
  const BackgroundStudy study =
      study_background(counted({.size = {4, 3, 1}}, {nothing, nothing, nothing}, {}), {});
  EXPECT_EQ(study.union_voxels, 0);
  EXPECT_EQ(study.image, 0U);
  expect_numbers(study);
  for (const ExtentCurve& curve : study.curves)
    for (const Extent& extent : curve.at) EXPECT_EQ(extent.voxels, 0) << to_string(curve);
}

TEST(BackgroundStudy, GivesNumbersWhereEverybodyDrewEverything) {
  const std::vector<std::uint8_t> all(12, 1);
  const BackgroundStudy study = study_background(counted({.size = {4, 3, 1}}, {all, all}, {}), {});
  EXPECT_EQ(study.sizes[study.image].background, 0);
  EXPECT_EQ(study.sizes.back().voxels, 12 + 1200);
  expect_numbers(study);
  for (const ExtentCurve& curve : study.curves)
    for (const Extent& extent : curve.at) EXPECT_EQ(extent.voxels, 12) << to_string(curve);
}

}  // namespace
}  // namespace crema
