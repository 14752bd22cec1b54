// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/confidence/bootstrap.h"

#include <numeric>

#include <gtest/gtest.h>

#include "crema/agreement/percentile.h"
#include "crema/base/error.h"
#include "test/agreement_testing.h"

namespace crema {
namespace {

using agreement_testing::Bytes;

/// Re-fuses every replicate with masks repeated as often as they were drawn, for methods in which that is the
/// same as a weight: without distances to raters, which repeated raters would change.
void expect_refused(const agreement_testing::Fused& c, const Bootstrap& found, std::uint64_t seed) {
  const auto& masks = c.random.masks;
  std::vector<double> mean(masks[0].size(), 0), sizes;
  for (int b = 0; b < found.replicates; ++b) {
    const auto times = draw_raters(static_cast<int>(masks.size()), seed, b);
    std::vector<Mask> drawn;
    for (std::size_t k = 0; k < masks.size(); ++k)
      drawn.insert(drawn.end(), static_cast<std::size_t>(times[k]), Mask(masks[k]));
    const Consensus one = fuse(c.random.grid, drawn, c.options);
    sizes.push_back(static_cast<double>(one.solution.voxels));
    std::visit(
        [&](const auto& map) {
          for (std::size_t v = 0; v < mean.size(); ++v)
            mean[v] += static_cast<double>(map[v]) / found.replicates;
        },
        one.image);
  }
  const Image painted = paint(c.consensus.reduction, found, c.options);
  const auto& map = std::get<SoftImage>(painted);
  for (std::size_t v = 0; v < mean.size(); ++v) ASSERT_NEAR(map[v], mean[v], 1e-6) << c.options.method;
  ASSERT_EQ(found.voxels.low, percentile(sizes, 0.05));
  ASSERT_EQ(found.voxels.median, percentile(sizes, 0.5));
  ASSERT_EQ(found.voxels.high, percentile(sizes, 0.95));
}

TEST(Bootstrap, IsTheMeanOfPlainlyFusingRepeatedMasks) {
  for (std::uint64_t seed = 0; seed < 60; ++seed)
    for (const char* method : {"majority", "average", "staple", "ml-staple"}) {
      const auto c = agreement_testing::make(seed, method);
      const auto found = bootstrap(c.consensus.reduction, find_method(method), c.options, 7, seed);
      ASSERT_EQ(found.replicates, 7);
      expect_refused(c, found, seed);
    }
}

TEST(Bootstrap, IsTheMeanOfSolvingWithTheWeightsThatWereDrawn) {
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    for (const char* name : {"jaccard", "tanimoto"}) {
      const auto c = agreement_testing::make(seed, name);
      const Reduction& reduction = c.consensus.reduction;
      const auto found = bootstrap(reduction, find_method(name), c.options, 9, seed);
      std::vector<double> lmsd, kept(reduction.crowns.size(), 0);
      std::vector<Levels> mean;
      for (const Crowns& crowns : reduction.crowns) mean.emplace_back(crowns.tally.rows.size(), 0);
      for (int b = 0; b < 9; ++b) {
        Options options = c.options;
        options.weights = draw_raters(reduction.raters, seed, b);
        const Solution one = solve(reduction, find_method(name), options);
        lmsd.push_back(one.lmsd);
        for (std::size_t i = 0; i < kept.size(); ++i) {
          kept[i] += one.components[i].voxels > 0 ? 1.0 / 9 : 0;
          for (std::size_t r = 0; r < mean[i].size(); ++r) mean[i][r] += one.components[i].levels[r] / 9;
        }
      }
      ASSERT_DOUBLE_EQ(found.lmsd.high, percentile(lmsd, 0.95));
      for (std::size_t i = 0; i < kept.size(); ++i) {
        ASSERT_NEAR(found.kept[i], kept[i], 1e-12);
        for (std::size_t r = 0; r < mean[i].size(); ++r)
          ASSERT_NEAR(found.mean_levels[i][r], mean[i][r], 1e-12);
      }
    }
}

TEST(Bootstrap, DrawsAsManyRatersAsThereAreAndAllAlike) {
  std::vector<double> sum(5, 0);
  for (int b = 0; b < 20000; ++b) {
    const auto times = draw_raters(5, 7, b);
    ASSERT_EQ(std::accumulate(times.begin(), times.end(), 0.0), 5);
    for (std::size_t k = 0; k < 5; ++k) sum[k] += times[k] / 20000;
  }
  for (const double mean : sum) EXPECT_NEAR(mean, 1, 0.03);  // five standard deviations
}

TEST(Bootstrap, DrawsTheSameRatersOnEveryMachine) {
  EXPECT_EQ(draw_raters(5, 1, 0), (std::vector<double>{1, 1, 1, 0, 2}));
  EXPECT_EQ(draw_raters(5, 1, 1), (std::vector<double>{0, 1, 3, 0, 1}));
  EXPECT_NE(draw_raters(7, 1, 0), draw_raters(7, 2, 0));
}

TEST(Bootstrap, IsTheSameForAnyNumberOfThreads) {
  const auto c = agreement_testing::make(5, "soergel");
  Options one = c.options, many = c.options;
  one.threads = 1;
  many.threads = 4;
  const auto a = bootstrap(c.consensus.reduction, find_method("soergel"), one, 50, 3);
  const auto b = bootstrap(c.consensus.reduction, find_method("soergel"), many, 50, 3);
  EXPECT_EQ(a.mean_levels, b.mean_levels);
  EXPECT_EQ(a.lmsd.low, b.lmsd.low);
}

TEST(Bootstrap, NeverDrawsARaterWithoutAWeight) {
  const Bytes mask{1, 1, 0}, other{0, 1, 1};
  const auto reduction = agreement_testing::reduce({.size = {3, 1, 1}}, {mask, other});
  const Options options{.method = "average", .weights = {1, 0}};
  const auto found = bootstrap(reduction, find_method("average"), options, 20, 1);
  EXPECT_EQ(found.voxels.low, 2);
  EXPECT_EQ(found.voxels.high, 2);
  EXPECT_TRUE(found.rough);
}

TEST(Bootstrap, OfNothingIsNothingAndOfNoReplicatesIsRefused) {
  const Bytes none(4, 0);
  const auto reduction = agreement_testing::reduce({.size = {4, 1, 1}}, {none, none});
  const auto found = bootstrap(reduction, find_method("jaccard"), {}, 3, 1);
  EXPECT_EQ(found.voxels.high, 0);
  EXPECT_EQ(found.lmsd.high, 0);
  EXPECT_THROW(bootstrap(reduction, find_method("jaccard"), {}, 0, 1), UsageError);
  EXPECT_THROW(bootstrap(reduction, find_method("shape"), {}, 3, 1), UsageError);
}

}  // namespace
}  // namespace crema
