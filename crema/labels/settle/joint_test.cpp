// SPDX-License-Identifier: Apache-2.0
#include "crema/labels/settle/joint.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "crema/labels/regions.h"
#include "crema/labels/testing.h"
#include "test/random_case.h"
#include "test/slow_labels.h"

namespace crema {
namespace {

struct NoisyCase {
  Grid grid;
  Maps maps;
  slow::Setting setting;

  [[nodiscard]] Options options() const {
    Options options;
    options.connectivity = setting.connectivity;
    options.tie = setting.tie;
    return options;
  }
  [[nodiscard]] std::string method() const { return setting.distance == Distance::dice ? "dice" : "jaccard"; }
};

/// Noise in two or three dimensions, from sparse to full, or blobs.
NoisyCase noisy_case(std::uint64_t seed) {
  random_case::Dice dice{seed};
  NoisyCase c;
  const bool solid = dice.roll(0, 1) == 1;
  c.grid = solid ? grid_of(dice.roll(2, 4), dice.roll(2, 4), dice.roll(2, 3))
                 : grid_of(dice.roll(2, 7), dice.roll(2, 6));
  const int raters = dice.roll(2, 6), labels = dice.roll(2, 4), sparse = dice.roll(0, 3);
  c.maps.assign(static_cast<std::size_t>(raters),
                std::vector<Label>(static_cast<std::size_t>(c.grid.voxels()), 0));
  for (auto& map : c.maps)
    for (Label& label : map) label = static_cast<Label>(std::max(0, dice.roll(-sparse, labels)));
  if (dice.roll(0, 2) == 0) c.maps = random_maps(c.grid, raters, labels, static_cast<unsigned>(seed));
  c.setting.connectivity = solid ? 26 : 8;
  c.setting.distance = dice.roll(0, 1) == 1 ? Distance::dice : Distance::jaccard;
  c.setting.tie = dice.roll(0, 1) == 1 ? Tie::foreground : Tie::background;
  return c;
}

bool draws_anything(const NoisyCase& c) {
  return std::any_of(c.maps.begin(), c.maps.end(), [](const auto& map) {
    return std::any_of(map.begin(), map.end(), [](Label label) { return label != 0; });
  });
}

TEST(JointMethodTest, IsWhatItsPlainReadingSaysVoxelByVoxel) {
  int disputed = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const NoisyCase c = noisy_case(seed);
    if (!draws_anything(c)) continue;
    const LabelConsensus joint = fused(c.grid, c.maps, c.method(), c.options());
    slow::JointLabels plain(c.grid, c.maps, c.setting);
    ASSERT_EQ(values(joint.image), plain.solve()) << seed;
    disputed += joint.claimed_twice > 0 ? 1 : 0;
  }
  EXPECT_GT(disputed, 40);
}

TEST(JointMethodTest, LeavesNoVoxelThatEveryRaterLabelledToNobody) {
  std::int64_t filled = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const NoisyCase c = noisy_case(seed);
    if (!draws_anything(c)) continue;
    const LabelConsensus joint = fused(c.grid, c.maps, c.method(), c.options());
    EXPECT_EQ(joint.unlabelled, 0) << seed;
    filled += joint.filled;
  }
  EXPECT_GT(filled, 0);
}

TEST(JointMethodTest, IsNeverAboveThePluralityVoteNorBelowLabelsThatMayOverlap) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const NoisyCase c = noisy_case(seed);
    if (!draws_anything(c)) continue;
    const LabelCounts counts = counted(c.grid, c.maps, c.options());
    const LabelConsensus joint = solve_labels(counts, find_method(c.method()), c.options());
    EXPECT_LE(joint.lmsd_alone, joint.lmsd) << seed;
    if (counts.structures.size() < 2) continue;
    LabelConsensus vote = solve_labels(counts, find_method("majority"), c.options());
    if (vote.unlabelled > 0) continue;  // its holes are not allowed here
    vote.lmsd = 0;
    vote.labels.clear();
    measure_labels(counts, c.setting.distance, {}, vote);
    EXPECT_LE(joint.lmsd, vote.lmsd + 1e-9) << seed;
    ++compared;
  }
  EXPECT_GT(compared, 100);
}

/// Noise with axes mirrored and exchanged: voxel v of the turned case is voxel `from[v]` of the first one.
struct Turn {
  Grid grid;
  std::vector<std::size_t> from;
};

Turn turned(const Grid& grid, std::array<std::size_t, 3> axes, std::array<bool, 3> mirror) {
  Turn turn{grid_of(grid.size[axes[0]], grid.size[axes[1]], grid.size[axes[2]]), {}};
  std::array<std::int32_t, 3> at{};
  for (at[2] = 0; at[2] < turn.grid.size[2]; ++at[2])
    for (at[1] = 0; at[1] < turn.grid.size[1]; ++at[1])
      for (at[0] = 0; at[0] < turn.grid.size[0]; ++at[0]) {
        std::array<std::int32_t, 3> old{};
        for (std::size_t a = 0; a < 3; ++a) old[axes[a]] = mirror[a] ? turn.grid.size[a] - 1 - at[a] : at[a];
        turn.from.push_back(
            static_cast<std::size_t>(old[0] + grid.size[0] * (old[1] + grid.size[1] * old[2])));
      }
  return turn;
}

std::vector<Label> picked(const std::vector<Label>& map, const std::vector<std::size_t>& from) {
  std::vector<Label> result;
  for (const std::size_t v : from) result.push_back(map[v]);
  return result;
}

TEST(JointMethodTest, FollowsMirroredAndExchangedAxesAndRenamedLabelsOnNoise) {
  for (std::uint64_t seed = 1000; seed < 1400; ++seed) {
    const NoisyCase c = noisy_case(seed);
    if (!draws_anything(c)) continue;
    random_case::Dice dice{seed};
    const bool swap = dice.roll(0, 1) == 1, solid = c.grid.size[2] > 1;
    std::array<std::size_t, 3> axes{swap ? 1U : 0U, swap ? 0U : 1U, 2};
    if (solid && dice.roll(0, 1) == 1) std::swap(axes[0], axes[2]);
    const Turn turn =
        turned(c.grid, axes, {dice.roll(0, 1) == 1, dice.roll(0, 1) == 1, solid && dice.roll(0, 1) == 1});
    Maps maps;
    for (const auto& map : c.maps) {
      maps.push_back(picked(map, turn.from));
      for (Label& label : maps.back()) label = static_cast<Label>(label == 0 ? 0 : label * 7 + 100);
    }
    std::vector<Label> expected =
        picked(values(fused(c.grid, c.maps, c.method(), c.options()).image), turn.from);
    for (Label& label : expected) label = static_cast<Label>(label == 0 ? 0 : label * 7 + 100);
    EXPECT_EQ(values(fused(turn.grid, maps, c.method(), c.options()).image), expected) << seed;
  }
}

LabelConsensus fused_regions(const Grid& grid, const Maps& maps, const std::string& regions,
                             const std::string& method) {
  Warnings warnings;
  LabelCounts counts =
      count_labels(taken(grid, maps), nest(parse_regions(regions).chosen, warnings), Needs::distances, {});
  counts.regions = true;
  return solve_labels(counts, find_method(method), {});
}

TEST(JointMethodTest, DoesNotSeeWhichLabelOfARegionARaterWrote) {
  for (std::uint64_t seed = 2000; seed < 2200; ++seed) {
    const NoisyCase c = noisy_case(seed);
    Maps merged = c.maps;
    for (auto& map : merged)
      for (Label& label : map)
        if (label == 2) label = 1;
    if (!draws_anything(c)) continue;
    for (const char* method : {"jaccard", "majority", "staple"})
      EXPECT_EQ(values(fused_regions(c.grid, c.maps, "a=1+2,b=3,c=4", method).image),
                values(fused_regions(c.grid, merged, "a=1+2,b=3,c=4", method).image))
          << seed << method;
    Maps present = merged;
    present[0][0] = 1;
    present[1][0] = 3;
    present[0][1] = 4;
    EXPECT_EQ(values(fused_regions(c.grid, present, "a=1+2,b=3,c=4", "jaccard").image),
              values(fused(c.grid, present, "jaccard").image))
        << seed;
  }
}

}  // namespace
}  // namespace crema
