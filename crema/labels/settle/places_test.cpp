// SPDX-License-Identifier: Apache-2.0
#include "crema/labels/settle/places.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "crema/labels/testing.h"
#include "crema/tables/label_choice.h"

namespace crema {
namespace {

/// The component of a voxel, looked up without any order.
std::uint32_t plain_component(const Components& components, std::int64_t voxel) {
  for (std::size_t c = 0; c < components.list.size(); ++c)
    for (const Run& run : components.runs_of(components.list[c]))
      if (voxel >= run.first && voxel < run.first + run.length) return static_cast<std::uint32_t>(c);
  return ComponentFinder::kNone;
}

TEST(ComponentFinder, FindsTheComponentOfEachVoxelInAnyOrder) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Grid grid = grid_of(9, 8, 2);
    const LabelCounts counts = counted(grid, random_maps(grid, 3, 2, seed));
    for (const StructureCounts& own : counts.structures) {
      const Components& components = own.reduction.components;
      ComponentFinder forwards(components), backwards(components);
      for (std::int64_t v = 0; v < grid.voxels(); ++v) {
        const ComponentFinder::Found found = forwards.find(v);
        EXPECT_EQ(found.component, plain_component(components, v)) << "seed " << seed << ", voxel " << v;
        for (std::int64_t w = v; w < std::min(found.end, grid.voxels()); ++w)
          EXPECT_EQ(plain_component(components, w), found.component) << "seed " << seed << ", voxel " << w;
        const std::int64_t other = grid.voxels() - 1 - v;
        EXPECT_EQ(backwards.find(other).component, plain_component(components, other)) << "seed " << seed;
      }
    }
  }
}

TEST(PlacesOfLabels, ChosenStructuresCountFromOneAndOthersAreNowhere) {
  const Grid grid = grid_of(4, 1);
  const LabelCounts counts = counted(grid, {{1, 4, 7, 0}, {1, 4, 7, 7}});
  const std::vector<Label> all = places_of_labels(counts),
                           some = places_of_labels(counts, std::vector<std::size_t>{2});
  EXPECT_EQ((std::vector<Label>{all[0], all[1], all[4], all[5], all[7]}),
            (std::vector<Label>{0, 1, 2, 0, 3}));
  EXPECT_EQ((std::vector<Label>{some[1], some[4], some[7]}), (std::vector<Label>{0, 0, 3}));
}

}  // namespace
}  // namespace crema
