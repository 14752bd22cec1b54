// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <gtest/gtest.h>

#include "crema/base/error.h"
#include "crema/fuse.h"
#include "crema/levels/testing.h"

namespace crema {
namespace {

using level_testing::Case;

Consensus fused(const Case& c, const Options& options) {
  const std::vector<std::span<const float>> maps(c.maps.begin(), c.maps.end());
  return fuse_levels(c.grid, maps, options);
}

std::vector<double> values(const Image& image) {
  std::vector<double> all;
  std::visit([&](const auto& map) { all.assign(map.begin(), map.end()); }, image);
  return all;
}

TEST(FuseLevels, IsEveryStageInOrder) {
  for (const char* method : {"jaccard", "tanimoto", "soergel", "average", "robust"}) {
    const Case c = level_testing::make(5, 3);
    const Consensus whole = fused(c, {.method = method});
    const level_testing::Fused stages = level_testing::fuse(c, method, {.blocks = Blocks::group});
    EXPECT_EQ(values(whole.image), stages.levels) << method;
    EXPECT_EQ(whole.solution.lmsd, stages.solution.lmsd) << method;
    EXPECT_EQ(whole.solution.votes, stages.solution.votes) << method;
  }
}

TEST(FuseLevels, NegativeZeroIsZero) {
  const Case c = level_testing::make(5, 3);
  Case signed_zeros = c;
  for (auto& map : signed_zeros.maps)
    for (float& level : map)
      if (level == 0) level = -0.0F;
  EXPECT_EQ(values(fused(c, {.method = "tanimoto"}).image),
            values(fused(signed_zeros, {.method = "tanimoto"}).image));
}

TEST(FuseLevels, RefusesWhatIsNoLevelAndSaysWhere) {
  using Limits = std::numeric_limits<float>;
  for (const float strange : {-0.1F, 1.1F, Limits::infinity(), Limits::quiet_NaN()}) {
    Case c = level_testing::make(5, 3);
    c.maps[1][17] = strange;
    try {
      fused(c, {.method = "tanimoto"});
      FAIL() << strange;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("rater 2: voxel 17 is "), std::string::npos) << error.what();
    }
  }
}

TEST(FuseLevels, RefusesOtherSizesFloorsAndMethodsForMasks) {
  Case c = level_testing::make(5, 3);
  EXPECT_THROW(fused(c, {.method = "staple"}), UsageError);
  EXPECT_THROW(fused(c, {.method = "tanimoto", .floor = 1.5}), UsageError);
  EXPECT_THROW(fused(c, {.method = "tanimoto", .floor = std::numeric_limits<double>::quiet_NaN()}),
               UsageError);
  EXPECT_THROW(fused(Case{c.grid, {}}, {.method = "tanimoto"}), InputError);
  c.maps[2].pop_back();
  EXPECT_THROW(fused(c, {.method = "tanimoto"}), InputError);
}

}  // namespace
}  // namespace crema
