// SPDX-License-Identifier: Apache-2.0
#include "crema/labels/fuse_labels.h"

#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "crema/base/error.h"
#include "crema/labels/testing.h"

namespace crema {
namespace {

TEST(FuseLabelsTest, IsEveryStageInOrder) {
  const Grid grid = grid_of(16, 14, 5);
  for (const char* method : {"jaccard", "majority", "tanimoto", "shape"}) {
    const Maps maps = random_maps(grid, 4, 3, 11);
    const std::vector<std::span<const Label>> raters(maps.begin(), maps.end());
    const LabelFusion whole = fuse_labels(grid, raters, {.method = method});
    const LabelConsensus stages = fused(grid, maps, method, {.method = method});
    EXPECT_EQ(values(whole.consensus.image), values(stages.image)) << method;
    EXPECT_EQ(whole.consensus.lmsd, stages.lmsd) << method;
    ASSERT_EQ(whole.consensus.labels.size(), 3U);
    EXPECT_EQ(whole.counts.structures[2].structure.value, 3);
  }
}

TEST(FuseLabelsTest, RefusesWhatItCannotFuse) {
  const Grid grid = grid_of(4, 3);
  const std::vector<Label> empty(12, 0), one(12, 1), small(6, 1);
  const auto run = [&](const std::vector<Label>& map, const char* method) {
    const std::vector<std::span<const Label>> raters{map, map};
    fuse_labels(grid, raters, {.method = method});
  };
  EXPECT_THROW(run(empty, "jaccard"), InputError);
  EXPECT_THROW(run(small, "jaccard"), InputError);
  EXPECT_THROW(run(one, "local-staple"), UsageError);
}

}  // namespace
}  // namespace crema
