// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/confidence/level_range.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "crema/fuse.h"
#include "crema/phantom/phantom.h"
#include "crema/tables/method.h"
#include "crema/voxels/votes/votes.h"

namespace crema {
namespace {

double nats(double x) { return x <= 0 || x >= 1 ? 0 : -x * std::log(x) - (1 - x) * std::log(1 - x); }

struct SharedOut {
  double least_entropy = 1e9, most_entropy = 0, fewest = 1e9, most = 0;
};

/// All ways to share out a sum in steps of a tenth.
void share_out(std::size_t voxels, int tenths, std::vector<int>& levels, SharedOut& seen) {
  if (levels.size() == voxels) {
    if (tenths != 0) return;
    double sum = 0, above = 0;
    for (const int level : levels) {
      sum += nats(level / 10.0);
      above += level > 5 ? 1 : 0;
    }
    seen = {std::min(seen.least_entropy, sum), std::max(seen.most_entropy, sum), std::min(seen.fewest, above),
            std::max(seen.most, above)};
    return;
  }
  for (int level = 0; level <= std::min(10, tenths); ++level) {
    levels.push_back(level);
    share_out(voxels, tenths - level, levels, seen);
    levels.pop_back();
  }
}

TEST(LevelRange, IsThatOfAllWaysToShareOutASum) {
  // Steps of a tenth can be even, and reach both ends of the range, only where these hold.
  for (const auto& [voxels, tenths] :
       {std::pair{1U, 3}, {1U, 8}, {2U, 12}, {3U, 18}, {3U, 27}, {4U, 24}, {4U, 36}}) {
    SharedOut seen;
    std::vector<int> levels;
    share_out(voxels, tenths, levels, seen);
    LevelRange range;
    range.add_group(voxels, tenths / 10.0);
    SCOPED_TRACE(testing::Message() << voxels << " voxels, sum " << tenths / 10.0);
    EXPECT_NEAR(range.entropy_low, seen.least_entropy, 1e-9);
    EXPECT_NEAR(range.entropy_high, seen.most_entropy, 1e-9);
    EXPECT_EQ(range.voxels_low, seen.fewest);
    EXPECT_EQ(range.voxels_high, seen.most);
  }
}

TEST(LevelRange, HoldsTheResultItself) {
  const Phantom phantom = make_phantom({.kind = PhantomKind::lesions, .size = {48, 48, 12}, .raters = 5});
  const std::vector<Mask> masks(phantom.masks.begin(), phantom.masks.end());
  for (const Blocks blocks : {Blocks::subcrown, Blocks::group}) {
    const Options options{.blocks = blocks};
    const Reduction reduction =
        reduce(phantom.grid, take_votes(phantom.grid.voxels(), masks), Needs::distances, options);
    for (const char* name : {"soergel", "dice1"}) {
      const Solution solution = solve(reduction, find_method(name), options);
      const auto range = range_of_levels(reduction, solution);
      ASSERT_TRUE(range);
      EXPECT_LE(range->entropy_low, solution.entropy + 1e-9);
      EXPECT_GE(range->entropy_high, solution.entropy - 1e-9);
      EXPECT_LE(range->voxels_low, static_cast<double>(solution.voxels));
      EXPECT_GE(range->voxels_high, static_cast<double>(solution.voxels));
    }
    EXPECT_FALSE(range_of_levels(reduction, solve(reduction, find_method("tanimoto"), options)));
    EXPECT_FALSE(range_of_levels(reduction, solve(reduction, find_method("jaccard"), options)));
  }
}

}  // namespace
}  // namespace crema
