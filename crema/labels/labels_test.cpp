// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <random>

#include <gtest/gtest.h>

#include "crema/base/error.h"
#include "crema/fuse.h"
#include "crema/labels/settle/stretches.h"
#include "crema/labels/testing.h"
#include "crema/options.h"

namespace crema {
namespace {

TEST(LabelRunsTest, JoinPartsAndForgetTheBackground) {
  LabelRuns runs;
  const std::vector<Label> part{0, 2, 2, 0, 3};
  runs.take(0, part);
  runs.take(5, std::vector<Label>{3, 3, 0});
  EXPECT_EQ(std::vector<LabelRun>(runs.runs().begin(), runs.runs().end()),
            (std::vector<LabelRun>{{1, 2, 2}, {4, 3, 3}}));
}

TEST(LabelRunsTest, ExtentsAreBoxesOfWhatWasDrawn) {
  const auto maps =
      taken(grid_of(4, 3), {{0, 0, 0, 5, 5, 0, 0, 0, 0, 9, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 9, 0}});
  const auto extents = labels_in(*maps);
  ASSERT_EQ(extents.size(), 2U);
  EXPECT_EQ(extents[0].label, 5);
  EXPECT_EQ(extents[0].box, (Box{{0, 0, 0}, {4, 2, 1}}));  // a run over the end of a row takes whole rows
  EXPECT_EQ(extents[1].raters, 3U);
  EXPECT_EQ(extents[1].box, (Box{{1, 2, 0}, {3, 3, 1}}));
}

TEST(LabelRunsTest, StretchesSayWhatEveryRaterSays) {
  const Grid grid = grid_of(13, 7, 3);
  const Maps maps = random_maps(grid, 4, 5, 3);
  Maps seen(4, std::vector<Label>(maps[0].size(), 0));
  for_each_stretch(*taken(grid, maps),
                   [&](std::int64_t first, std::int64_t length, std::span<const Label> said) {
                     for (std::size_t k = 0; k < 4; ++k)
                       std::fill_n(seen[k].begin() + first, length, said[k]);
                   });
  EXPECT_EQ(seen, maps);
}

class EveryMethod : public testing::TestWithParam<const char*> {};

TEST_P(EveryMethod, OneLabelIsTheBinaryMethodBitForBit) {
  const Grid grid = grid_of(17, 15, 6);
  for (unsigned seed = 0; seed < 8; ++seed) {
    const Maps maps = random_maps(grid, 5, 1, seed);
    const LabelConsensus joint = fused(grid, maps, GetParam());
    std::vector<std::vector<std::uint8_t>> bytes;
    for (const auto& map : maps) bytes.emplace_back(map.begin(), map.end());
    const std::vector<Mask> masks(bytes.begin(), bytes.end());
    Options options;
    options.method = GetParam();
    const Consensus binary = fuse(grid, masks, options);
    const Image cut_image = cut(binary.image, 0.5, Tie::background);
    const auto& hard = std::get<HardImage>(cut_image);
    EXPECT_EQ(values(joint.image), std::vector<Label>(hard.begin(), hard.end()));
    if (binary.solution.method->kind == Kind::hard) {
      EXPECT_EQ(joint.lmsd, binary.solution.lmsd);
    } else {
      EXPECT_NEAR(joint.lmsd, binary.solution.lmsd, 1e-6);
    }
    EXPECT_EQ(joint.claimed_twice, 0);
  }
}

TEST_P(EveryMethod, RelabellingMirroringAndTheOrderOfRatersCarryOver) {
  const Grid grid = grid_of(15, 14, 5);
  for (unsigned seed = 0; seed < 6; ++seed) {
    const Maps maps = random_maps(grid, 5, 4, seed);
    const LabelConsensus plain = fused(grid, maps, GetParam());
    // Values grow with the labels, so that ties which only the smaller label breaks go the same way.
    const std::array<Label, 5> other{0, 3, 40, 700, 65535};
    Maps renamed = maps, mirrored = maps;
    for (auto& map : renamed)
      for (Label& label : map) label = other.at(label);
    const auto nx = static_cast<std::size_t>(grid.size[0]);
    for (auto& map : mirrored)
      for (std::size_t row = 0; row < map.size(); row += nx)
        std::reverse(map.begin() + static_cast<std::ptrdiff_t>(row),
                     map.begin() + static_cast<std::ptrdiff_t>(row + nx));
    Maps rotated = maps;
    std::rotate(rotated.begin(), rotated.begin() + 2, rotated.end());
    std::vector<Label> expected = values(plain.image);
    EXPECT_EQ(values(fused(grid, rotated, GetParam()).image), expected) << seed;
    std::vector<Label> flipped = values(fused(grid, mirrored, GetParam()).image);
    for (std::size_t row = 0; row < flipped.size(); row += nx)
      std::reverse(flipped.begin() + static_cast<std::ptrdiff_t>(row),
                   flipped.begin() + static_cast<std::ptrdiff_t>(row + nx));
    EXPECT_EQ(flipped, expected) << seed;
    for (Label& label : expected) label = other.at(label);
    EXPECT_EQ(values(fused(grid, renamed, GetParam()).image), expected) << seed;
  }
}

TEST_P(EveryMethod, ThreadsDoNotShow) {
  const Grid grid = grid_of(20, 18, 7);
  const Maps maps = random_maps(grid, 5, 4, 11);
  Options one, many;
  one.threads = 1;
  many.threads = 4;
  const LabelConsensus a = fused(grid, maps, GetParam(), one), b = fused(grid, maps, GetParam(), many);
  EXPECT_EQ(values(a.image), values(b.image));
  EXPECT_EQ(a.lmsd, b.lmsd);
  EXPECT_EQ(a.levels, b.levels);
}

TEST_P(EveryMethod, LevelsOfAVoxelSumToAtMostOne) {
  const Grid grid = grid_of(15, 14, 5);
  const Maps maps = random_maps(grid, 5, 4, 5);
  const LabelCounts counts = counted(grid, maps);
  const LabelConsensus consensus = solve_labels(counts, find_method(GetParam()), {});
  std::vector<double> sum(static_cast<std::size_t>(grid.voxels()), 0);
  for (std::size_t s = 0; s < consensus.levels.size(); ++s)
    for (std::size_t c = 0; c < consensus.levels[s].size(); ++c) {
      std::size_t i = 0;
      for_each_voxel(counts.structures[s], c, [&](std::size_t voxel, std::uint32_t) {
        sum[voxel] += static_cast<double>(consensus.levels[s][c][i++]);
      });
    }
  for (const double total : sum) EXPECT_LE(total, 1 + 2e-6);
}

INSTANTIATE_TEST_SUITE_P(LabelMethods, EveryMethod,
                         testing::Values("jaccard", "dice", "majority", "tanimoto", "soergel", "dice1",
                                         "dice2", "average"),
                         [](const auto& which) { return std::string(which.param); });

/// The criterion of any disjoint masks, from its definition.
double criterion_of(const LabelCounts& counts, const std::vector<Label>& image, Distance distance) {
  LabelConsensus any{.method = nullptr, .image = LabelImage(std::span<const Label>(image)), .labels = {}};
  measure_labels(counts, distance, {}, any);
  return any.lmsd;
}

/// The least criterion over all label maps of a tiny image.
double least_criterion(const LabelCounts& counts, std::size_t voxels, Label labels, Distance distance) {
  std::vector<Label> image(voxels, 0);
  double least = 1e9;
  while (true) {
    least = std::min(least, criterion_of(counts, image, distance));
    std::size_t v = 0;
    while (v < voxels && image[v] == labels) image[v++] = 0;
    if (v == voxels) return least;
    ++image[v];
  }
}

TEST(JointLabelsTest, AreNeverBelowTheBestAndTheBoundIsNeverAboveIt) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "tries all label maps of tiny images: minutes there, and no threads of its own";
#endif
  const Grid grid = grid_of(3, 3);
  int disputed = 0, best = 0, cases = 0;
  for (const char* method : {"jaccard", "dice"})
    for (unsigned seed = 0; seed < 30; ++seed) {
      std::mt19937 random(seed);
      Maps maps(3, std::vector<Label>(9, 0));
      const int overlap = static_cast<int>(seed % 3);
      for (auto& map : maps)
        for (Label& label : map)
          label = static_cast<Label>(std::max(0, static_cast<int>(random() % 4) - overlap % 2) % 3);
      Options options;
      options.certify = Certify::yes;
      const LabelCounts counts = counted(grid, maps, options);
      if (counts.structures.size() != 2) continue;
      const LabelConsensus joint = solve_labels(counts, find_method(method), options);
      const double least = least_criterion(counts, 9, 2, find_method(method).distance);
      EXPECT_GE(joint.lmsd, least - 1e-12) << method << " " << seed;
      ASSERT_TRUE(joint.lower_bound.has_value());
      EXPECT_LE(*joint.lower_bound, least + 1e-9) << method << " " << seed;
      EXPECT_LE(joint.lmsd, 1.5 * least + 1e-9) << method << " " << seed;
      disputed += joint.claimed_twice > 0 ? 1 : 0;
      best += joint.lmsd <= least + 1e-9 ? 1 : 0;
      ++cases;
    }
  EXPECT_GT(disputed, 2);
  EXPECT_GT(best * 2, cases);
}

TEST(JointLabelsTest, TellOfEveryVoxelThatWasClaimedTwice) {
  const Grid grid = grid_of(24, 24, 6);
  std::int64_t disputed = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Maps maps = random_maps(grid, 4, 4, seed);
    const LabelCounts counts = counted(grid, maps);
    const LabelConsensus joint = solve_labels(counts, find_method("jaccard"), {});
    std::int64_t reported = 0;
    for (const Dispute& dispute : joint.disputes) {
      reported += dispute.voxels;
      const Label got = joint.image[static_cast<std::size_t>(dispute.first)];
      EXPECT_EQ(got, dispute.given);
      EXPECT_TRUE(got == 0 || std::count(dispute.claimants.begin(), dispute.claimants.end(), got) == 1);
      for (std::size_t k = 0; k < maps.size(); ++k)
        EXPECT_EQ(dispute.said[k], maps[k][static_cast<std::size_t>(dispute.first)]);
    }
    EXPECT_EQ(reported, joint.claimed_twice);
    disputed += reported;
    EXPECT_LE(joint.lmsd,
              criterion_of(counts, values(fused(grid, maps, "majority").image), Distance::jaccard) + 1e-9);
  }
  EXPECT_GT(disputed, 0);
}

TEST(JointLabelsTest, CountWhatAllDrewAndNobodyGot) {
  // Three raters call the middle three different things: no label has a majority of its own.
  const Grid grid = grid_of(5, 1);
  const LabelConsensus joint = fused(grid, {{1, 1, 1, 0, 0}, {0, 0, 2, 2, 0}, {0, 0, 3, 0, 0}}, "majority");
  EXPECT_EQ(values(joint.image), (std::vector<Label>{0, 0, 0, 0, 0}));
  EXPECT_EQ(joint.unlabelled, 1);
  EXPECT_EQ(joint.undecided, 1);
}

TEST(JointLabelsTest, TiesOfAVoteGoWhereTheyAreTold) {
  const Grid grid = grid_of(4, 1);
  const Maps maps{{4, 4, 0, 7}, {7, 4, 7, 0}};
  Options options;
  EXPECT_EQ(values(fused(grid, maps, "majority", options).image), (std::vector<Label>{0, 4, 0, 0}));
  options.tie = Tie::foreground;
  EXPECT_EQ(values(fused(grid, maps, "majority", options).image), (std::vector<Label>{4, 4, 7, 7}));
  options.undecided = Label{9};
  EXPECT_EQ(values(fused(grid, maps, "majority", options).image), (std::vector<Label>{9, 4, 9, 9}));
}

TEST(JointLabelsTest, OneSliceOfASolidImageIsStillSolid) {
  const Grid grid = grid_of(4, 4, 3);
  std::vector<Label> map(48, 0);
  map[17] = map[18] = 1;
  Options options;
  options.connectivity = 26;
  EXPECT_EQ(values(fused(grid, {map, map, map}, "jaccard", options).image), map);
}

TEST(JointLabelsTest, MethodsThatKnowOneLabelOnlyRefuse) {
  EXPECT_THROW(fused(grid_of(2, 1), {{1, 2}}, "staple-mrf"), UsageError);
}

}  // namespace
}  // namespace crema
