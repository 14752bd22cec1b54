// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>
#include <nlopt.h>
#include <rapidcheck/gtest.h>

#include "crema/fuse.h"
#include "test/random_case.h"
#include "test/slow.h"

namespace crema {
namespace {

std::vector<std::uint8_t> hard(const Consensus& consensus) {
  const auto& image = std::get<HardImage>(consensus.image);
  return {image.begin(), image.end()};
}

/// Masks of a case on a larger grid, shifted.
random_case::Case padded(const random_case::Case& c, std::array<int, 3> before, std::array<int, 3> after) {
  random_case::Case result = c;
  for (std::size_t a = 0; a < 3; ++a) result.grid.size[a] += before[a] + after[a];
  result.masks.assign(c.masks.size(),
                      std::vector<std::uint8_t>(static_cast<std::size_t>(result.grid.voxels()), 0));
  for (std::size_t k = 0; k < c.masks.size(); ++k)
    for (std::size_t v = 0; v < c.masks[k].size(); ++v) {
      const auto p = slow::point(c.grid, v);
      const auto at = p[0] + before[0] +
                      result.grid.size[0] * (p[1] + before[1] + result.grid.size[1] * (p[2] + before[2]));
      result.masks[k][static_cast<std::size_t>(at)] = c.masks[k][v];
    }
  return result;
}

RC_GTEST_PROP(Law1, BackgroundChangesNoVoxel, (std::uint64_t seed)) {
  const auto c = random_case::make(seed);
  random_case::Dice dice{~seed};
  std::array<int, 3> before{dice.roll(0, 9), dice.roll(0, 9), 0}, after{dice.roll(0, 70), dice.roll(0, 9), 0};
  if (!c.grid.flat()) before[2] = dice.roll(0, 3);
  const auto larger = padded(c, before, after);
  for (const std::string_view method :
       {"jaccard", "dice", "majority", "local-majority", "hamming", "tversky"}) {
    auto options = c.options();
    options.method = method;
    auto expected = c;
    expected.masks = {hard(fuse(c.grid, c.views(), options))};
    RC_ASSERT(hard(fuse(larger.grid, larger.views(), options)) == padded(expected, before, after).masks[0]);
  }
}

RC_GTEST_PROP(Law2, AComponentCutOutGivesTheSame, (std::uint64_t seed)) {
  const auto c = random_case::make(seed);
  const auto whole = hard(fuse(c.grid, c.views(), c.options()));
  const auto label = slow::components(c.grid, c.masks, c.setting);
  const int count = *std::max_element(label.begin(), label.end());
  for (int n = 1; n <= count; ++n) {
    auto alone = c;
    auto expected = whole;
    for (std::size_t v = 0; v < label.size(); ++v) {
      if (label[v] == n) continue;
      expected[v] = 0;
      for (auto& mask : alone.masks) mask[v] = 0;
    }
    RC_ASSERT(hard(fuse(c.grid, alone.views(), c.options())) == expected);
  }
}

/// Whether some choice of the greedy rule is a tie that only the row index decides: there, and only there,
/// the order of raters may show.
bool same_up_to_ties(Mask a, Mask b, double lmsd_a, double lmsd_b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end()) || std::abs(lmsd_a - lmsd_b) < 1e-12;
}

RC_GTEST_PROP(Law3, TheOrderOfRatersDoesNotMatter, (std::uint64_t seed)) {
  auto c = random_case::make(seed);
  const auto first = fuse(c.grid, c.views(), c.options());
  random_case::Dice dice{~seed};
  for (std::size_t k = c.masks.size(); k > 1; --k)
    std::swap(c.masks[k - 1], c.masks[static_cast<std::size_t>(dice.roll(0, static_cast<int>(k) - 1))]);
  const auto second = fuse(c.grid, c.views(), c.options());
  RC_CLASSIFY(hard(first) == hard(second), "identical");
  RC_ASSERT(same_up_to_ties(hard(first), hard(second), first.solution.lmsd, second.solution.lmsd));
}

RC_GTEST_PROP(Law3, MirroringAnAxisMirrorsTheResult, (std::uint64_t seed)) {
  const auto c = random_case::make(seed);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    auto mirror = [&](const std::vector<std::uint8_t>& image) {
      std::vector<std::uint8_t> result(image.size());
      for (std::size_t v = 0; v < image.size(); ++v) {
        auto p = slow::point(c.grid, v);
        p[axis] = c.grid.size[axis] - 1 - p[axis];
        result[static_cast<std::size_t>(p[0] + c.grid.size[0] * (p[1] + c.grid.size[1] * p[2]))] = image[v];
      }
      return result;
    };
    auto mirrored = c;
    for (auto& mask : mirrored.masks) mask = mirror(mask);
    RC_ASSERT(hard(fuse(c.grid, mirrored.views(), c.options())) ==
              mirror(hard(fuse(c.grid, c.views(), c.options()))));
  }
}

RC_GTEST_PROP(Law3, ExchangingAxesExchangesTheResult, (std::uint64_t seed)) {
  auto c = random_case::make(seed);
  if (c.setting.slice_wise == Axis::z) c.setting.slice_wise = Axis::x;
  auto swapped = c;
  std::swap(swapped.grid.size[0], swapped.grid.size[1]);
  if (c.setting.slice_wise) swapped.setting.slice_wise = *c.setting.slice_wise == Axis::x ? Axis::y : Axis::x;
  auto transpose = [&](const std::vector<std::uint8_t>& image) {
    std::vector<std::uint8_t> result(image.size());
    for (std::size_t v = 0; v < image.size(); ++v) {
      const auto p = slow::point(c.grid, v);
      result[static_cast<std::size_t>(p[1] + c.grid.size[1] * (p[0] + c.grid.size[0] * p[2]))] = image[v];
    }
    return result;
  };
  for (auto& mask : swapped.masks) mask = transpose(mask);
  RC_ASSERT(hard(fuse(swapped.grid, swapped.views(), swapped.options())) ==
            transpose(hard(fuse(c.grid, c.views(), c.options()))));
}

RC_GTEST_PROP(Law5, EqualMasksGiveThatMask, (std::uint64_t seed)) {
  auto c = random_case::make(seed);
  for (auto& voxel : c.masks[0]) voxel = voxel != 0 ? 1 : 0;
  for (auto& mask : c.masks) mask = c.masks[0];
  for (const std::string_view method : {"jaccard", "dice", "majority", "hamming", "tversky"}) {
    auto options = c.options();
    options.method = method;
    RC_ASSERT(hard(fuse(c.grid, c.views(), options)) == c.masks[0]);
  }
}

RC_GTEST_PROP(Law5, ARaterAbsentFromAKeptComponentDoesNotMoveIt, (std::uint64_t seed)) {
  auto c = random_case::make(seed);
  const auto before = fuse(c.grid, c.views(), c.options());
  c.masks.emplace_back(c.masks[0].size(), std::uint8_t{0});
  const auto after = fuse(c.grid, c.views(), c.options());
  for (std::size_t n = 0; n < before.solution.components.size(); ++n)
    if (after.solution.components[n].voxels > 0)
      RC_ASSERT(after.solution.components[n].levels == before.solution.components[n].levels);
}

RC_GTEST_PROP(Law5, AComponentDrawnByFewerThanHalfOfTheRatersIsEmpty, (std::uint64_t seed)) {
  auto c = random_case::make(seed);
  const std::size_t raters = c.masks.size();
  c.masks.resize(2 * raters + 1, std::vector<std::uint8_t>(c.masks[0].size(), 0));
  RC_ASSERT(fuse(c.grid, c.views(), c.options()).solution.voxels == 0);
}

RC_GTEST_PROP(Law6, TheCriterionIsNoHigherThanThatOfEveryStart, (std::uint64_t seed)) {
  const auto c = random_case::make(seed);
  const auto consensus = fuse(c.grid, c.views(), c.options());
  for (std::size_t n = 0; n < consensus.solution.components.size(); ++n) {
    const Tally& tally = consensus.reduction.crowns[n].tally;
    Levels all(tally.rows.size(), 1), none(tally.rows.size(), 0), inner;
    for (const Subcrown& row : tally.rows) inner.push_back(row.distance == tally.rows[0].distance ? 1 : 0);
    for (const Levels& start : {all, none, inner})
      RC_ASSERT(consensus.solution.components[n].criterion <=
                criterion(tally, start, c.setting.distance) + 1e-14);
  }
}

/// Levels that minimise the criterion over all voxels of a part, each on its own, by NLopt from several
/// starts.
struct VoxelProblem {
  const slow::Part* part;
  Distance distance;
};

double voxel_criterion(unsigned n, const double* x, double* /*gradient*/, void* data) {
  const auto& [part, distance] = *static_cast<const VoxelProblem*>(data);
  double extent = 0, sum = 0;
  for (unsigned i = 0; i < n; ++i) extent += squares(distance) ? x[i] * x[i] : x[i];
  for (int k = 0; k < part->count; ++k) {
    double a = 0, s = 0;
    for (unsigned i = 0; i < n; ++i)
      if ((part->raters[i] >> k & 1) != 0) {
        a += x[i];
        s += 1;
      }
    if (is_linear(distance)) {
      sum += extent + s - 2 * a;
      continue;
    }
    if (s == 0) {
      sum += 1;
      continue;
    }
    const auto [alpha, beta] = distance.settings;
    double d = 1 - 2 * a / (extent + s);
    if (row_of(distance).twin == Distance::jaccard) d = 1 - a / (extent + s - a);
    if (distance.id == Distance::Id::tversky1) d = 1 - a / (a + alpha * (extent - a) + beta * (s - a));
    sum += d * d;
  }
  return sum / part->count;
}

double optimise_voxels(VoxelProblem problem, random_case::Dice& dice) {
  const auto n = static_cast<unsigned>(problem.part->voxels.size());
  double best = INFINITY;
  for (int start = 0; start < 4; ++start) {
    nlopt_opt search = nlopt_create(NLOPT_LN_SBPLX, n);
    nlopt_set_lower_bounds1(search, 0);
    nlopt_set_upper_bounds1(search, 1);
    nlopt_set_min_objective(search, voxel_criterion, &problem);
    nlopt_set_ftol_rel(search, 1e-10);
    nlopt_set_maxeval(search, 20000);
    std::vector<double> x;
    for (unsigned i = 0; i < n; ++i) x.push_back(dice.roll(1, 100) / 100.0);
    double value = 0;
    nlopt_optimize(search, x.data(), &value);
    nlopt_destroy(search);
    best = std::min(best, value);
  }
  return best;
}

TEST(Law8, GroupAndABoundedOptimiserOverAllVoxelsAgree) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed < 200 && compared < 60; ++seed) {
    const auto c = random_case::make(seed, 4, 4);
    const auto parts = slow::parts(c.grid, c.masks, c.setting);
    auto options = c.options();
    options.blocks = Blocks::group;
    options.empty_test = EmptyTest::skip;
    random_case::Dice dice{seed};
    options.tversky = {0.3, 1.2};
    for (const std::string_view name : {"tanimoto", "soergel", "dice1", "dice2", "hamming1", "tversky1"}) {
      options.method = name;
      const Consensus consensus = fuse(c.grid, c.views(), options);
      for (std::size_t n = 0; n < parts.size(); ++n) {
        if (parts[n].voxels.size() > 9) continue;
        const double free =
            optimise_voxels({&parts[n], find_method(name).distance.with(options.tversky)}, dice);
        ASSERT_LE(consensus.solution.components[n].criterion, free + 1e-7) << name << " case " << seed;
        ASSERT_GE(consensus.solution.components[n].criterion, free - 1e-4) << name << " case " << seed;
        ++compared;
      }
    }
  }
  EXPECT_GE(compared, 60);
}

RC_GTEST_PROP(Law6, GroupIsNotAboveSubcrownNorVoxelNorCrown, (std::uint64_t seed)) {
  const auto c = random_case::make(seed);
  for (const Method& method : methods()) {
    if (method.aim != Aim::distance) continue;
    auto options = c.options();
    options.method = method.name;
    options.blocks = Blocks::group;
    const double group = fuse(c.grid, c.views(), options).solution.lmsd;
    for (const Blocks blocks : {Blocks::subcrown, Blocks::crown, Blocks::voxel}) {
      options.blocks = blocks;
      RC_ASSERT(group <= fuse(c.grid, c.views(), options).solution.lmsd + 1e-9);
    }
  }
}

RC_GTEST_PROP(Law7, LevelsStayInTheUnitIntervalAndFollowMirrorsAndPadding, (std::uint64_t seed)) {
  const auto c = random_case::make(seed);
  const auto larger = padded(c, {3, 1, 0}, {60, 2, 0});
  for (const std::string_view name :
       {"tanimoto", "soergel", "dice1", "dice2", "average", "hamming1", "tversky1"}) {
    auto options = c.options();
    options.method = name;
    const auto small = fuse(c.grid, c.views(), options), large = fuse(larger.grid, larger.views(), options);
    RC_ASSERT(small.solution.lmsd == large.solution.lmsd);
    RC_ASSERT(small.solution.entropy == large.solution.entropy);
    for (const float level : std::get<SoftImage>(small.image)) RC_ASSERT(level >= 0 && level <= 1);
  }
}

RC_GTEST_PROP(Law9, TheHammingMeanIsTheMajorityVote, (std::uint64_t seed)) {
  const auto c = random_case::make(seed);
  auto options = c.options();
  options.method = "majority";
  const auto majority = hard(fuse(c.grid, c.views(), options));
  for (const Blocks blocks : {Blocks::subcrown, Blocks::voxel, Blocks::group}) {
    options.method = "hamming";
    options.blocks = blocks;
    RC_ASSERT(hard(fuse(c.grid, c.views(), options)) == majority);
    options.method = "hamming1";
    const auto soft = fuse(c.grid, c.views(), options);
    const auto& levels = std::get<SoftImage>(soft.image);
    RC_ASSERT(std::equal(levels.begin(), levels.end(), majority.begin(), majority.end()));
  }
}

RC_GTEST_PROP(Law9, TverskyHoldsJaccardAndDiceVoxelForVoxel, (std::uint64_t seed)) {
  struct Special {
    Tversky settings;
    std::string_view hard, soft;
  };
  const auto c = random_case::make(seed);
  auto options = c.options();
  for (const Blocks blocks : {Blocks::subcrown, Blocks::crown, Blocks::voxel, Blocks::group})
    for (const auto& [settings, mask, map] :
         {Special{{1, 1}, "jaccard", "soergel"}, Special{{0.5, 0.5}, "dice", "dice1"}}) {
      options.blocks = blocks;
      options.tversky = settings;
      options.method = "tversky";
      const auto general = fuse(c.grid, c.views(), options);
      options.method = mask;
      const auto special = fuse(c.grid, c.views(), options);
      RC_ASSERT(hard(general) == hard(special));
      RC_ASSERT(std::abs(general.solution.lmsd - special.solution.lmsd) <= 1e-12);
      options.method = "tversky1";
      const double soft = fuse(c.grid, c.views(), options).solution.lmsd;
      options.method = map;
      RC_ASSERT(std::abs(soft - fuse(c.grid, c.views(), options).solution.lmsd) <= 1e-12);
    }
}

}  // namespace
}  // namespace crema
