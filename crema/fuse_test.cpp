// SPDX-License-Identifier: Apache-2.0
#include "crema/fuse.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "crema/base/error.h"
#include "crema/voxels/votes/votes.h"
#include "test/ascii.h"
#include "test/random_case.h"
#include "test/slow.h"

namespace crema {
namespace {

constexpr int kCasesPerSeed = 20;

HardImage hard(const Consensus& consensus) { return std::get<HardImage>(consensus.image); }

RC_GTEST_PROP(Fuse, AgreesVoxelForVoxelWithAPlainReadingOfTheMethod, (std::uint64_t seed)) {
  for (std::uint64_t i = 0; i < kCasesPerSeed; ++i) {
    const auto c = random_case::make(seed + i);
    const auto expected = slow::fuse(c.grid, c.masks, c.setting);
    const auto consensus = fuse(c.grid, c.views(), c.options());
    RC_LOG() << "case " << seed + i;
    RC_ASSERT(hard(consensus) == expected.mask);
    RC_ASSERT(std::abs(consensus.solution.lmsd - expected.lmsd) <= 1e-12 * std::max(1.0, expected.lmsd));
  }
}

RC_GTEST_PROP(Fuse, CutsTheSameCrownsAsAPlainReading, (std::uint64_t seed)) {
  for (std::uint64_t i = 0; i < kCasesPerSeed; ++i) {
    const auto c = random_case::make(seed + i);
    const auto expected = slow::fuse(c.grid, c.masks, c.setting).distance;
    const auto votes = take_votes(c.grid.voxels(), c.views());
    const auto reduction = reduce(c.grid, votes, Needs::distances, c.options());
    std::vector<int> distance(expected.size(), -1);
    for (std::size_t n = 0; n < reduction.crowns.size(); ++n) {
      std::size_t voxel = 0;
      const auto& crowns = reduction.crowns[n];
      std::vector<std::int64_t> counted(crowns.tally.rows.size(), 0);
      for (const Run& run : reduction.components.runs_of(reduction.components.list[n]))
        for (std::int64_t v = run.first; v < run.first + run.length; ++v) {
          const auto row = crowns.row_of_voxel[voxel++];
          distance[static_cast<std::size_t>(v)] = crowns.tally.rows[row].distance;
          ++counted[row];
        }
      for (std::size_t r = 0; r < counted.size(); ++r) RC_ASSERT(counted[r] == crowns.tally.rows[r].voxels);
    }
    RC_ASSERT(distance == expected);
  }
}

RC_GTEST_PROP(Fuse, GivesTheSameBytesForAnyNumberOfThreads, (std::uint64_t seed)) {
  const auto c = random_case::make(seed);
  auto options = c.options();
  options.threads = 1;
  const auto one = fuse(c.grid, c.views(), options);
  for (const int threads : {2, 3, 8}) {
    options.threads = threads;
    const auto many = fuse(c.grid, c.views(), options);
    RC_ASSERT(hard(many) == hard(one));
    RC_ASSERT(many.solution.lmsd == one.solution.lmsd);
  }
}

RC_GTEST_PROP(Paint, OverAnotherMethodsImageIsAsOnFreshMemory, (std::uint64_t seed)) {
  for (std::uint64_t i = 0; i < kCasesPerSeed; ++i) {
    const auto c = random_case::make(seed + i);
    const auto reduction = reduce(c.grid, take_votes(c.grid.voxels(), c.views()), Needs::distances, {});
    Image canvas;
    for (const char* name :
         {"jaccard", "dice", "staple", "tanimoto", "average", "majority", "soergel", "staple"}) {
      Solution solution = solve(reduction, find_method(name), {});
      Solution same = solution;
      canvas = paint(reduction, solution, {}, std::move(canvas));
      RC_ASSERT(canvas == paint(reduction, same, {}));
    }
  }
}

TEST(Blocks, AGroupMaskHasExactlyTheVoxelsItSays) {
  for (std::uint64_t seed = 1; seed < 300; ++seed) {
    const auto c = random_case::make(seed);
    auto options = c.options();
    options.blocks = Blocks::group;
    const Consensus consensus = fuse(c.grid, c.views(), options);
    const auto& image = std::get<HardImage>(consensus.image);
    EXPECT_EQ(std::count(image.begin(), image.end(), 1), consensus.solution.voxels) << seed;
    double lmsd = 0;
    for (const slow::Part& part : slow::parts(c.grid, c.masks, c.setting)) {
      std::vector<char> in;
      for (const std::size_t v : part.voxels) in.push_back(static_cast<char>(image[v]));
      lmsd += static_cast<double>(slow::value(part, in, c.setting.distance)) / part.count;
    }
    ASSERT_NEAR(lmsd, consensus.solution.lmsd, 1e-12) << seed;
  }
}

TEST(Fuse, RefusesWeightsThatDoNotFitAndProofsOfWhatHasNoCriterion) {
  const std::vector<std::uint8_t> bytes(12, 1);
  const std::vector<Mask> masks{bytes, bytes};
  const Grid grid{.size = {4, 3, 1}};
  EXPECT_THROW(fuse(grid, masks, {.weights = {1}}), UsageError);
  EXPECT_THROW(fuse(grid, masks, {.weights = {1, -1}}), UsageError);
  EXPECT_THROW(fuse(grid, masks, {.weights = {0, 0}}), UsageError);
  EXPECT_THROW(fuse(grid, masks, {.weights = {1, NAN}}), UsageError);
  EXPECT_THROW(fuse(grid, masks, {.method = "majority", .certify = Certify::yes}), UsageError);
  EXPECT_EQ(fuse(grid, masks, {.certify = Certify::yes}).solution.lower_bound, 0);
}

TEST(Fuse, AnEmptyCaseHasNoComponentsAndNoNumbersThatAreNotNumbers) {
  const std::vector<std::uint8_t> nothing(12, 0);
  const std::vector<Mask> masks{nothing, nothing};
  for (const Method& method : methods()) {
    if (!takes_masks(method)) continue;
    const auto consensus = fuse({.size = {4, 3, 1}}, masks, {.method = method.name});
    EXPECT_TRUE(consensus.reduction.components.list.empty());
    EXPECT_EQ(consensus.solution.lmsd, 0);
    EXPECT_EQ(consensus.solution.entropy, 0);
  }
}

TEST(Fuse, AFullImageDrawnByAllIsKept) {
  const std::vector<std::uint8_t> everything(12, 7);
  const std::vector<Mask> masks{everything, everything};
  EXPECT_EQ(fuse({.size = {4, 3, 1}}, masks).solution.voxels, 12);
}

TEST(Fuse, AComponentDrawnByExactlyHalfFollowsTheTiePolicy) {
  const auto drawn = ascii::mask({"....", ".##.", "...."});
  const std::vector<std::uint8_t> nothing(drawn.size(), 0);
  const std::vector<Mask> masks{drawn, nothing};
  for (const std::string_view method : {"jaccard", "dice", "majority"}) {
    EXPECT_EQ(fuse({.size = {4, 3, 1}}, masks, {.method = method}).solution.voxels, 0) << method;
    EXPECT_EQ(fuse({.size = {4, 3, 1}}, masks, {.method = method, .tie = Tie::foreground}).solution.voxels, 2)
        << method;
  }
}

TEST(Fuse, RefusesWhatDoesNotFit) {
  const std::vector<std::uint8_t> bytes(12, 1);
  const std::vector<Mask> masks{bytes};
  const std::vector<Mask> many(65, bytes);
  EXPECT_THROW(fuse({.size = {4, 3, 1}}, {}), InputError);
  EXPECT_THROW(fuse({.size = {4, 3, 1}}, many), InputError);
  EXPECT_THROW(fuse({.size = {5, 3, 1}}, masks), InputError);
  EXPECT_THROW(fuse({.size = {0, 3, 1}}, masks), InputError);
  EXPECT_THROW(fuse({.size = {4, 3, 1}}, masks, {.method = "jacard"}), UsageError);
  EXPECT_THROW(fuse({.size = {4, 3, 1}}, masks, {.connectivity = 26}), InputError);
  EXPECT_THROW(fuse({.size = {2, 3, 2}}, masks, {.connectivity = 8}), InputError);
  EXPECT_THROW(fuse({.size = {4, 3, 1}}, masks, {.slice_wise = Axis::x}), InputError);
  EXPECT_NO_THROW(fuse({.size = {2, 3, 2}}, masks, {.connectivity = 8, .slice_wise = Axis::x}));
}

TEST(Fuse, RefusesVoxelsWithoutALength) {
  const std::vector<std::uint8_t> mask(24, 1);
  const std::vector<Mask> masks(3, mask);
  for (const double mm : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    const Grid grid{.size = {2, 3, 4}, .spacing = {1, 1, mm}};
    EXPECT_THROW(fuse(grid, masks, {.method = "shape-soft"}), InputError) << mm;
  }
}

TEST(Fuse, TakesSixtyFourRaters) {
  const std::vector<std::uint8_t> bytes(12, 1);
  const std::vector<Mask> masks(64, bytes);
  EXPECT_EQ(fuse({.size = {4, 3, 1}}, masks).solution.voxels, 12);
}

TEST(Fuse, ProgressReachesOneAndMayCancel) {
  const auto drawn = ascii::mask({"#..#", ".#..", "...#"});
  const std::vector<Mask> masks{drawn};
  double last = 0;
  fuse({.size = {4, 3, 1}}, masks, {.connectivity = 4, .progress = [&](double done) { last = done; }});
  EXPECT_EQ(last, 1);
  EXPECT_THROW(fuse({.size = {4, 3, 1}}, masks, {.progress = [](double) { throw Cancelled("stop"); }}),
               Cancelled);
}

}  // namespace
}  // namespace crema
