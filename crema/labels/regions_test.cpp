// SPDX-License-Identifier: Apache-2.0
#include "crema/labels/regions.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "crema/base/error.h"
#include "crema/fuse.h"
#include "crema/labels/testing.h"
#include "crema/options.h"

namespace crema {
namespace {

LabelCounts counted_regions(const Grid& grid, const Maps& maps, const char* regions) {
  Warnings warnings;
  LabelCounts counts =
      count_labels(taken(grid, maps), nest(parse_regions(regions).chosen, warnings), Needs::distances, {});
  counts.regions = true;
  return counts;
}

/// The consensus of a region's mask by the binary method, as 0 and 1.
std::vector<Label> fused_as_mask(const Grid& grid, const Maps& maps, const std::vector<Label>& labels,
                                 const Options& options) {
  std::vector<std::vector<std::uint8_t>> bytes;
  for (const auto& map : maps) {
    bytes.emplace_back();
    for (const Label label : map)
      bytes.back().push_back(std::count(labels.begin(), labels.end(), label) > 0 ? 1 : 0);
  }
  const std::vector<Mask> masks(bytes.begin(), bytes.end());
  const Image image = cut(fuse(grid, masks, options).image, 0.5, options.tie);
  const auto& mask = std::get<HardImage>(image);
  return {mask.begin(), mask.end()};
}

TEST(RegionsTest, AreMasksToEveryMethodVoxelForVoxelAndNestedAfterwards) {
  const Grid grid = grid_of(16, 14, 5);
  std::int64_t cut = 0;
  for (const Method& method : methods())
    for (unsigned seed = 0; takes_masks(method) && seed < 8; ++seed) {
      const Maps maps = random_maps(grid, 3 + static_cast<int>(seed % 3), 4, seed);
      const LabelCounts counts = counted_regions(grid, maps, "whole=1+2+3+4,core=2+3,inner=3");
      for (const Tie tie : {Tie::background, Tie::foreground}) {
        Options options;
        options.method = method.name;
        options.tie = tie;
        const LabelConsensus joint = solve_labels(counts, method, options);
        cut += joint.cut;
        std::vector<Label> expected(maps[0].size(), 0);
        for (const StructureCounts& own : counts.structures) {
          const std::vector<Label> alone = fused_as_mask(grid, maps, own.structure.labels, options);
          const Label outer =
              own.structure.parent == Structure::kNone
                  ? Label{0}
                  : counts.structures[static_cast<std::size_t>(own.structure.parent)].structure.value;
          for (std::size_t v = 0; v < alone.size(); ++v)
            if (alone[v] != 0 && expected[v] == outer) expected[v] = own.structure.value;
        }
        EXPECT_EQ(values(joint.image), expected) << method.name << seed;
        for (std::size_t s = 0; s < counts.structures.size(); ++s) {
          std::int64_t voxels = 0;
          for (const Label label : expected)
            voxels += std::count(counts.structures[s].structure.labels.begin(),
                                 counts.structures[s].structure.labels.end(), label);
          EXPECT_EQ(joint.labels[s].joint.voxels, voxels) << method.name << seed;
        }
      }
    }
  EXPECT_GT(cut, 0);
}

TEST(RegionsTest, BesideEachOtherNeverOverlapWhateverTheMethod) {
  const Grid grid = grid_of(12, 10, 4);
  for (const Method& method : methods())
    for (unsigned seed = 0; takes_masks(method) && seed < 4; ++seed) {
      const Maps maps = random_maps(grid, 4, 4, seed);
      const LabelConsensus joint = solve_labels(counted_regions(grid, maps, "a=1,b=2,c=3"), method, {});
      std::int64_t voxels = 0;
      for (const LabelResult& label : joint.labels) voxels += label.joint.voxels;
      EXPECT_EQ(voxels, std::count_if(joint.image.begin(), joint.image.end(), [](Label l) { return l != 0; }))
          << method.name;
    }
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
