// SPDX-License-Identifier: Apache-2.0
#include "crema/spatial/local_staple.h"

#include <cmath>
#include <iostream>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "crema/base/error.h"
#include "crema/base/parallel.h"
#include "crema/spatial/windows.h"
#include "test/random_case.h"

namespace crema {
namespace {

using random_case::Case;
using random_case::Dice;

Votes votes_of(const Case& c) { return take_votes(c.grid.voxels(), c.views()); }

struct Setting {
  double right, wrong;  ///< what the prior adds to the counts
  int iterations;
};

/// MAP STAPLE voxel by voxel, in plain numbers, in a box around a voxel; the posterior of every voxel of it.
std::vector<double> plain_staple(const Case& c, const std::vector<std::size_t>& voxels,
                                 const Setting& setting) {
  const std::size_t raters = c.masks.size();
  auto drew = [&](std::size_t k, std::size_t i) { return c.masks[k][voxels[i]] != 0; };
  std::vector<double> level(voxels.size(), 0), p(raters), q(raters);
  double prior = 0;
  for (std::size_t i = 0; i < voxels.size(); ++i) {
    for (std::size_t k = 0; k < raters; ++k) level[i] += drew(k, i) ? 1.0 / static_cast<double>(raters) : 0;
    prior += level[i] / static_cast<double>(voxels.size());
  }
  for (int round = 0; round < setting.iterations; ++round) {
    for (std::size_t k = 0; k < raters; ++k) {
      double inside = setting.right + setting.wrong, outside = inside, hits = setting.right, passes = hits;
      for (std::size_t i = 0; i < voxels.size(); ++i) {
        inside += level[i];
        outside += 1 - level[i];
        (drew(k, i) ? hits : passes) += drew(k, i) ? level[i] : 1 - level[i];
      }
      p[k] = hits / inside;
      q[k] = passes / outside;
    }
    for (std::size_t i = 0; i < voxels.size(); ++i) {
      double in = prior, out = 1 - prior;
      for (std::size_t k = 0; k < raters; ++k) {
        in *= drew(k, i) ? p[k] : 1 - p[k];
        out *= drew(k, i) ? 1 - q[k] : q[k];
      }
      level[i] = in / (in + out);
    }
  }
  return level;
}

constexpr Setting kUsual{.right = 0.5 * (5 - 1), .wrong = 0.5 * (1.5 - 1), .iterations = 30};

/// As many iterations as the oracle makes, however near to the end they come.
LocalStapleOptions options_like_oracle(int half_window, int step) {
  return {.half_window = half_window, .step = step, .tolerance = 0, .max_iterations = kUsual.iterations};
}

RC_GTEST_PROP(LocalStaple, IsPlainMapStapleWhenOneWindowCoversAll, (std::uint64_t seed)) {
  const Case c = random_case::make(seed);
  std::vector<std::size_t> voxels(c.masks[0].size());
  for (std::size_t v = 0; v < voxels.size(); ++v) voxels[v] = v;
  const auto expected = plain_staple(c, voxels, kUsual);
  const auto result = local_staple(c.grid, votes_of(c), options_like_oracle(100, 0));
  for (std::size_t v = 0; v < voxels.size(); ++v) RC_ASSERT(std::abs(result.image[v] - expected[v]) < 1e-6);
  RC_ASSERT(result.windows <= 1);
}

bool near(const slow::Point& p, const slow::Point& centre, int half) {
  return std::abs(p[0] - centre[0]) <= half && std::abs(p[1] - centre[1]) <= half &&
         std::abs(p[2] - centre[2]) <= half;
}

RC_GTEST_PROP(LocalStaple, AveragesTheWindowsThatCoverAVoxel, (std::uint64_t seed)) {
  const Case c = random_case::make(seed, 4, 5);
  const int half = Dice{~seed}.roll(1, 3);
  std::vector<double> sum(c.masks[0].size(), 0), windows(sum.size(), 0);
  for (std::size_t centre = 0; centre < sum.size(); ++centre) {
    std::vector<std::size_t> voxels;
    for (std::size_t v = 0; v < sum.size(); ++v)
      if (near(slow::point(c.grid, v), slow::point(c.grid, centre), half)) voxels.push_back(v);
    const auto level = plain_staple(c, voxels, kUsual);
    for (std::size_t i = 0; i < voxels.size(); ++i) {
      sum[voxels[i]] += level[i];
      windows[voxels[i]] += 1;
    }
  }
  const auto result = local_staple(c.grid, votes_of(c), options_like_oracle(half, 1));
  // Where a window reaches from end to end along an axis, one stands for all: means of equal numbers agree.
  for (std::size_t v = 0; v < sum.size(); ++v)
    RC_ASSERT(std::abs(result.image[v] - sum[v] / windows[v]) < 1e-6);
}

TEST(LocalStaple, WindowsCoverEveryVoxelAndKnowIt) {
  for (std::int32_t n = 1; n < 30; ++n)
    for (std::int32_t half = 0; half < 8; ++half)
      for (std::int32_t step = 1; step <= 2 * half + 1; ++step) {
        const WindowAxis axis{n, half, step};
        for (std::int32_t voxel = 0; voxel < n; ++voxel) {
          const Stretch over = axis.windows_over(voxel);
          ASSERT_LT(over.first, over.last);
          for (std::int32_t w = 0; w < axis.count(); ++w) {
            const Stretch covered = axis.voxels_of(w);
            ASSERT_EQ(voxel >= covered.first && voxel < covered.last, w >= over.first && w < over.last)
                << n << " voxels, half " << half << ", step " << step << ", voxel " << voxel << ", window "
                << w;
          }
        }
      }
}

double dice_with(const std::vector<std::uint8_t>& truth, const SoftImage& image) {
  double both = 0, all = 0;
  for (std::size_t v = 0; v < truth.size(); ++v) {
    const bool inside = image[v] > 0.5F;
    both += inside && truth[v] != 0 ? 2 : 0;
    all += (inside ? 1 : 0) + (truth[v] != 0 ? 1 : 0);
  }
  return both / all;
}

/// Two discs, five raters: two draw well (3 % wrong) on the left and badly (35 %) on the right, three the
/// other way round. Who knows that errs on about 1.6 % of the left and 0.3 % of the right half: a Dice of
/// about 0.98.
Case raters_with_a_good_side(std::vector<std::uint8_t>& truth) {
  Case c{.grid = {.size = {96, 48, 1}}, .masks = {}, .setting = {}};
  c.masks.assign(5, std::vector<std::uint8_t>(static_cast<std::size_t>(c.grid.voxels()), 0));
  truth.assign(c.masks[0].size(), 0);
  Dice dice{4711};
  for (std::size_t v = 0; v < truth.size(); ++v) {
    const auto p = slow::point(c.grid, v);
    truth[v] = std::hypot(p[0] % 48 - 24, p[1] - 24) < 14 ? 1 : 0;
    for (std::size_t k = 0; k < 5; ++k) {
      const bool good = (p[0] < 48) == (k < 2);
      c.masks[k][v] = dice.roll(1, 100) <= (good ? 3 : 35) ? 1 - truth[v] : truth[v];
    }
  }
  return c;
}

TEST(LocalStaple, BeatsTheGlobalOneWhenQualityVariesInSpace) {
  std::vector<std::uint8_t> truth;
  const Case c = raters_with_a_good_side(truth);
  const double global = dice_with(truth, local_staple(c.grid, votes_of(c), {.half_window = 100}).image);
  std::cout << "Dice with the truth: global " << global << '\n';
  double local = 0;
  for (const int half : {5, 10, 15, 20}) {
    local = dice_with(truth, local_staple(c.grid, votes_of(c), {.half_window = half}).image);
    std::cout << "  windows of " << 2 * half + 1 << " voxels: " << local << '\n';
  }
  // Windows that a disc fits into; smaller ones may hold too little of the inside or of the outside.
  EXPECT_GT(local, global + 0.02);
  EXPECT_GT(local, 0.95);
}

TEST(LocalStaple, SaysNothingWhereNobodyDrewAndAllWhereAllDid) {
  Case c{.grid = {.size = {40, 6, 1}}, .masks = {}, .setting = {}};
  c.masks.assign(3, std::vector<std::uint8_t>(240, 0));
  EXPECT_EQ(local_staple(c.grid, votes_of(c), {}).image, SoftImage(240, 0.0F));
  for (auto& mask : c.masks) std::fill(mask.begin(), mask.end(), std::uint8_t{1});
  EXPECT_EQ(local_staple(c.grid, votes_of(c), {}).image, SoftImage(240, 1.0F));
  for (auto& mask : c.masks) std::fill(mask.begin() + 1, mask.end(), std::uint8_t{0});
  const auto one = local_staple(c.grid, votes_of(c), {.half_window = 3});
  EXPECT_GT(one.image[0], 0.9F);
  EXPECT_EQ(one.image[39], 0.0F);
}

TEST(LocalStaple, GivesTheSameBytesForAnyNumberOfThreads) {
  const Case c = random_case::make(12, 6, 40);
  std::vector<SoftImage> images;
  for (const int threads : {1, 4})
    with_threads(threads, [&] {
      images.push_back(
          local_staple(c.grid, votes_of(c), {.half_window = 3, .prior = LocalPrior::image}).image);
    });
  EXPECT_EQ(images[0], images[1]);
}

TEST(LocalStaple, TellsOfWindowsThatDidNotConverge) {
  std::vector<std::uint8_t> truth;
  const Case c = raters_with_a_good_side(truth);
  const auto hasty = local_staple(c.grid, votes_of(c), {.max_iterations = 2});
  EXPECT_GT(hasty.unconverged, hasty.windows / 2);
  EXPECT_EQ(local_staple(c.grid, votes_of(c), {.max_iterations = 100000}).unconverged, 0);
}

TEST(LocalStaple, WindowsHoldAboutAThousandVoxelsUnlessTold) {
  for (const std::int32_t depth : {1, 9}) {
    Case c{.grid = {.size = {40, 40, depth}}, .masks = {}, .setting = {}};
    Dice dice{7};
    c.masks.assign(3, std::vector<std::uint8_t>(static_cast<std::size_t>(c.grid.voxels()), 0));
    for (auto& mask : c.masks)
      for (auto& voxel : mask) voxel = static_cast<std::uint8_t>(dice.roll(0, 1));
    const int half = depth == 1 ? 15 : 5;
    EXPECT_EQ(local_staple(c.grid, votes_of(c), {.max_iterations = 3}).image,
              local_staple(c.grid, votes_of(c), {.half_window = half, .max_iterations = 3}).image);
  }
}

TEST(LocalStaple, RefusesOptionsOutOfRange) {
  const Grid grid{.size = {4, 4, 1}};
  const Votes votes(16, 2);
  EXPECT_THROW(local_staple(grid, votes, {.half_window = -1}), UsageError);
  EXPECT_THROW(local_staple(grid, votes, {.half_window = 2, .step = 6}), UsageError);
  EXPECT_THROW(local_staple(grid, votes, {.step = 32}), UsageError);
  EXPECT_THROW(local_staple(grid, votes, {.alpha = 0.5}), UsageError);
  EXPECT_THROW(local_staple(grid, votes, {.strength = -1}), UsageError);
  EXPECT_THROW(local_staple(grid, votes, {.max_iterations = 0}), UsageError);
}

}  // namespace
}  // namespace crema
