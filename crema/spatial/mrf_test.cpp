// SPDX-License-Identifier: Apache-2.0
#include "crema/spatial/mrf.h"

#include <cmath>
#include <iostream>
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "crema/base/error.h"
#include "crema/counts/groups.h"
#include "test/random_case.h"

namespace crema {
namespace {

using random_case::Case;

Groups groups_of(const Case& c) {
  std::map<Raters, std::int64_t> count;
  for (std::size_t v = 0; v < c.masks[0].size(); ++v) {
    Raters set = 0;
    for (std::size_t k = 0; k < c.masks.size(); ++k) set |= c.masks[k][v] != 0 ? Raters{1} << k : 0;
    ++count[set];
  }
  Groups groups{.raters = static_cast<int>(c.masks.size()), .rows = {}};
  for (const auto& [raters, voxels] : count) groups.rows.push_back({raters, voxels});
  return groups;
}

MrfResult solve(const Case& c, const MrfOptions& options) {
  const Groups groups = groups_of(c);
  return staple_mrf(c.grid, take_votes(c.grid.voxels(), c.views()), groups, solve_staple(groups, {}),
                    make_neighbourhood(c.grid, 0, {}), options);
}

/// A disc that five raters drew, each voxel wrong with the same chance.
Case noisy_disc(int percent, std::vector<std::uint8_t>& truth) {
  Case c{.grid = {.size = {60, 60, 1}}, .masks = {}, .setting = {}};
  c.masks.assign(5, std::vector<std::uint8_t>(3600, 0));
  random_case::Dice dice{31};
  truth.clear();
  for (std::size_t v = 0; v < 3600; ++v) {
    const auto p = slow::point(c.grid, v);
    truth.push_back(std::hypot(p[0] - 30, p[1] - 30) < 17 ? 1 : 0);
    for (auto& mask : c.masks) mask[v] = dice.roll(1, 100) <= percent ? 1 - truth[v] : truth[v];
  }
  return c;
}

std::size_t errors(const HardImage& image, const std::vector<std::uint8_t>& truth) {
  std::size_t wrong = 0;
  for (std::size_t v = 0; v < truth.size(); ++v) wrong += image[v] != truth[v] ? 1U : 0U;
  return wrong;
}

RC_GTEST_PROP(StapleMrf, WithoutAPriorIsStapleAboveOneHalf, (std::uint64_t seed)) {
  const Case c = random_case::make(seed);
  const Groups groups = groups_of(c);
  const GroupAnswer answer = solve_staple(groups, {});
  const auto image = solve(c, {.beta = 0}).image;
  const auto votes = take_votes(c.grid.voxels(), c.views());
  votes.visit([&](const auto* sets) {
    for (std::size_t v = 0; v < image.size(); ++v)
      for (std::size_t r = 0; r < groups.rows.size(); ++r)
        if (groups.rows[r].raters == sets[v] && std::abs(answer.levels[r] - 0.5) > 1e-3)
          RC_ASSERT((image[v] != 0) == (answer.levels[r] > 0.5));
  });
}

TEST(StapleMrf, ThePriorClearsAwayNoise) {
  std::vector<std::uint8_t> truth;
  const Case c = noisy_disc(25, truth);
  const std::size_t without = errors(solve(c, {.beta = 0}).image, truth);
  const std::size_t with = errors(solve(c, {.beta = 0.5}).image, truth);
  const MrfResult again = solve(c, {.beta = 0.5, .max_rounds = 20});
  std::cout << "voxels wrong: " << without << " without prior, " << with << " with, "
            << errors(again.image, truth) << " after " << again.rounds << " rounds\n";
  EXPECT_LT(with, without / 4);
  EXPECT_LE(errors(again.image, truth), with + 10);
}

TEST(StapleMrf, MoreRoundsEstimatePerformancesFromTheLabelling) {
  std::vector<std::uint8_t> truth;
  const Case c = noisy_disc(25, truth);
  const MrfResult result = solve(c, {.beta = 0.5, .max_rounds = 50});
  EXPECT_TRUE(result.converged);
  EXPECT_GT(result.rounds, 1);
  for (std::size_t k = 0; k < 5; ++k) {
    double inside = 0, hit = 0, outside = 0, pass = 0;
    for (std::size_t v = 0; v < truth.size(); ++v) {
      (result.image[v] != 0 ? inside : outside) += 1;
      if (result.image[v] != 0 && c.masks[k][v] != 0) hit += 1;
      if (result.image[v] == 0 && c.masks[k][v] == 0) pass += 1;
    }
    EXPECT_NEAR(result.sensitivity[k], hit / inside, 1e-12);
    EXPECT_NEAR(result.specificity[k], pass / outside, 1e-12);
  }
}

TEST(StapleMrf, AgreesWithRatersWhoAllAgree) {
  Case c{.grid = {.size = {6, 5, 1}}, .masks = {}, .setting = {}};
  for (const std::uint8_t all : {std::uint8_t{0}, std::uint8_t{1}}) {
    c.masks.assign(3, std::vector<std::uint8_t>(30, all));
    EXPECT_EQ(solve(c, {.max_rounds = 3}).image, HardImage(30, all));
  }
  c.masks.assign(3, std::vector<std::uint8_t>(30, 0));
  for (auto& mask : c.masks) mask[8] = mask[9] = mask[14] = 1;
  EXPECT_EQ(solve(c, {.beta = 0.1}).image, c.masks[0]);
  EXPECT_THROW(solve(c, {.max_rounds = 0}), UsageError);
}

}  // namespace
}  // namespace crema
