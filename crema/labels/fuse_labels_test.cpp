// SPDX-License-Identifier: Apache-2.0
#include "crema/labels/fuse_labels.h"

#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "crema/base/error.h"
#include "crema/labels/classes.h"
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

/// Softmax maps of a background and two classes, side by side.
std::vector<std::vector<float>> softmaxes(const Grid& grid, int raters) {
  const auto voxels = static_cast<std::size_t>(grid.voxels());
  std::vector<std::vector<float>> maps;
  for (int k = 0; k < raters; ++k) {
    std::vector<float> map(3 * voxels);
    for (std::size_t v = 0; v < voxels; ++v) {
      const float first = v % 16 < 6U + static_cast<unsigned>(k) ? 0.75F : 0.0F;
      const float second = v % 16 > 8 ? 0.25F * static_cast<float>(2 + k % 2) : 0.125F;
      map[voxels + v] = first;
      map[2 * voxels + v] = second * (1 - first);
      map[v] = 1 - first - map[2 * voxels + v];
    }
    maps.push_back(std::move(map));
  }
  return maps;
}

TEST(FuseClassesTest, IsEveryStageInOrder) {
  const Grid grid = grid_of(16, 6, 2);
  const auto maps = softmaxes(grid, 3);
  const std::vector<std::span<const float>> raters(maps.begin(), maps.end());
  for (const char* method : {"jaccard", "tanimoto", "average"}) {
    const LabelFusion whole = fuse_classes(grid, raters, 3, {.method = method});
    ClassLevels levels(2, std::vector<SparseLevels>(3, SparseLevels(0.05)));
    const auto voxels = static_cast<std::size_t>(grid.voxels());
    for (std::size_t c = 0; c < 2; ++c)
      for (std::size_t k = 0; k < 3; ++k) levels[c][k].add(0, raters[k].subspan((c + 1) * voxels, voxels));
    const Options options{.method = method, .blocks = Blocks::group};
    const LabelCounts counts = count_classes(grid,
                                             {{.value = 1, .name = {}, .labels = {1}, .channel = 1},
                                              {.value = 2, .name = {}, .labels = {2}, .channel = 2}},
                                             std::move(levels), find_method(method).needs, options);
    const LabelConsensus stages = solve_classes(counts, find_method(method), options);
    EXPECT_EQ(values(whole.consensus.image), values(stages.image)) << method;
    EXPECT_EQ(whole.consensus.levels, stages.levels) << method;
    EXPECT_EQ(whole.consensus.lmsd, stages.lmsd) << method;
    EXPECT_EQ(values(whole.consensus.image)[2], 1) << method;
  }
}

TEST(FuseClassesTest, RefusesWhatItCannotFuse) {
  const Grid grid = grid_of(16, 6, 2);
  auto maps = softmaxes(grid, 2);
  const auto run = [&](int classes, const char* method) {
    const std::vector<std::span<const float>> raters(maps.begin(), maps.end());
    fuse_classes(grid, raters, classes, {.method = method});
  };
  EXPECT_NO_THROW(run(3, "median"));
  EXPECT_THROW(run(2, "median"), InputError);
  EXPECT_THROW(run(1, "median"), UsageError);
  EXPECT_THROW(run(3, "staple"), UsageError);
  maps[1][0] = 1.5F;  // of the background
  EXPECT_THROW(run(3, "median"), InputError);
  maps.clear();
  EXPECT_THROW(run(3, "median"), InputError);
}

}  // namespace
}  // namespace crema
