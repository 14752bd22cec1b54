// SPDX-License-Identifier: Apache-2.0
#include "crema/labels/regions.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "crema/error.h"
#include "crema/labels/testing.h"

namespace crema {
namespace {

TEST(RegionsTest, StayNestedOnRandomCases) {
  const Grid grid = grid_of(16, 14, 5);
  std::int64_t cut = 0;
  for (unsigned seed = 0; seed < 30; ++seed) {
    const auto maps = taken(grid, random_maps(grid, 3, 4, seed));
    Warnings warnings;
    for (const char* method : {"jaccard", "dice", "majority", "tanimoto"}) {
      LabelCounts counts =
          count_labels(maps, nest(parse_regions("whole=1+2+3+4,core=2+3,inner=3,other=4").chosen, warnings),
                       Needs::distances, {});
      counts.regions = true;
      const LabelConsensus fused = solve_labels(counts, find_method(method), {});
      cut += fused.cut;
      // Every region lies inside what the same region is alone, and inside the one that holds it.
      for (std::size_t s = 0; s < counts.structures.size(); ++s) {
        std::vector<bool> alone(static_cast<std::size_t>(grid.voxels()), false);
        for (std::size_t c = 0; c < counts.structures[s].reduction.crowns.size(); ++c)
          for_each_inside(grid, counts.structures[s], c, fused.labels[s].alone.components[c],
                          [&](std::size_t voxel) { alone[voxel] = true; });
        for (std::size_t v = 0; v < alone.size(); ++v) {
          const Label label = fused.image[v];
          const auto& own = counts.structures[s].structure.labels;
          if (std::find(own.begin(), own.end(), label) != own.end()) {
            EXPECT_TRUE(alone[v]) << method << seed;
          }
        }
      }
    }
    EXPECT_TRUE(warnings.empty());
  }
  EXPECT_GT(cut, 0);
}

TEST(ChoiceTest, TakesLabelsAndRegionsAsPeopleWriteThem) {
  EXPECT_TRUE(parse_labels("all").all);
  EXPECT_EQ(parse_labels("liver=1, 2").chosen, (std::vector<NamedLabels>{{"liver", {1}}, {"", {2}}}));
  EXPECT_EQ(parse_labels("liver,left lung").chosen,
            (std::vector<NamedLabels>{{"liver", {}}, {"left lung", {}}}));
  EXPECT_EQ(parse_regions("enhancing=4,core=enhancing+1").chosen,
            (std::vector<NamedLabels>{{"enhancing", {4}}, {"core", {1, 4}}}));
  EXPECT_EQ(parse_regions("brats").chosen.size(), 3U);
  for (const char* wrong : {"", "0", "70000", "1.5", "-1", "1,1", "a=1,a=2", "=1", "a=1+2"})
    EXPECT_THROW(parse_labels(wrong), UsageError) << wrong;
  for (const char* wrong : {"", "1+2", "a=", "a=b+1,b=a+2", "a=1+2,b=1+2", "a=1+2,b=2+3", "a=1,a=2", "a=x"})
    EXPECT_THROW(parse_regions(wrong), UsageError) << wrong;
  Warnings warnings;
  EXPECT_THROW(nest(parse_regions("a=1+2,b=1,c=2").chosen, warnings), UsageError);
  nest(parse_regions("a=1+2+3,b=3").chosen, warnings);
  EXPECT_EQ(warnings.size(), 1U);
}

/// ITK's MultiLabelSTAPLE, voxel by voxel, as its documentation and source describe it.
TEST(LabelStapleTest, IsExpectationMaximisationOverVoxels) {
  const Grid grid = grid_of(9, 8, 3);
  const Maps maps = random_maps(grid, 4, 3, 7);
  const LabelCounts counts = counted(grid, maps);
  const std::size_t places = counts.structures.size() + 1, voxels = maps[0].size();
  const LabelConsensus found = solve_labels(counts, find_method("staple"), {});
  ASSERT_TRUE(found.estimate && found.estimate->converged);
  // A fixed point: one more step over all voxels leaves every confusion matrix where it is.
  std::vector<double> prior(places, 0);
  for (const auto& map : maps)
    for (const Label label : map) prior[label] += 1.0 / static_cast<double>(voxels * maps.size());
  std::vector<std::vector<double>> next(maps.size(), std::vector<double>(places * places, 0));
  for (std::size_t v = 0; v < voxels; ++v) {
    std::vector<double> chance = prior;
    double sum = 0;
    for (std::size_t t = 0; t < places; ++t) {
      for (std::size_t k = 0; k < maps.size(); ++k)
        chance[t] *= found.estimate->confusion[k][maps[k][v] * places + t];
      sum += chance[t];
    }
    const auto best = static_cast<Label>(std::max_element(chance.begin(), chance.end()) - chance.begin());
    EXPECT_EQ(found.image[v], best);
    for (std::size_t t = 0; t < places; ++t)
      for (std::size_t k = 0; k < maps.size(); ++k) next[k][maps[k][v] * places + t] += chance[t] / sum;
  }
  for (std::size_t k = 0; k < maps.size(); ++k)
    for (std::size_t t = 0; t < places; ++t) {
      double column = 0;
      for (std::size_t said = 0; said < places; ++said) column += next[k][said * places + t];
      for (std::size_t said = 0; column > 0 && said < places; ++said)
        EXPECT_NEAR(next[k][said * places + t] / column, found.estimate->confusion[k][said * places + t],
                    1e-5);
    }
}

TEST(LabelSimpleTest, DropsTheRaterWhoDrewSomethingElse) {
  const Grid grid = grid_of(12, 6);
  std::vector<Label> good(72, 0), bad(72, 0);
  for (std::size_t v = 14; v < 22; ++v) good[v] = good[v + 12] = v < 18 ? 1 : 2;
  for (std::size_t v = 50; v < 58; ++v) bad[v] = 1;
  const LabelConsensus found = fused(grid, {good, good, good, bad}, "simple");
  EXPECT_EQ(values(found.image), good);
  EXPECT_EQ(found.estimate->dropped, 8U);
}

}  // namespace
}  // namespace crema
