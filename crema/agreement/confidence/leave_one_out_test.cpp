// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/confidence/leave_one_out.h"

#include <gtest/gtest.h>

#include "crema/base/error.h"
#include "test/agreement_testing.h"
#include "test/ascii.h"

namespace crema {
namespace {

using agreement_testing::Bytes;
using agreement_testing::count;
using agreement_testing::count_both;
using agreement_testing::inside;

std::vector<Mask> others(const slow::Masks& masks, std::size_t k) {
  std::vector<Mask> list;
  for (std::size_t j = 0; j < masks.size(); ++j)
    if (j != k) list.emplace_back(masks[j]);
  return list;
}

/// Which components of the union hold a voxel of the mask.
std::vector<bool> kept(const std::vector<int>& component, const Bytes& mask) {
  std::vector<bool> list(static_cast<std::size_t>(*std::max_element(component.begin(), component.end())),
                         false);
  for (std::size_t v = 0; v < mask.size(); ++v)
    if (mask[v] != 0 && component[v] != 0) list[static_cast<std::size_t>(component[v]) - 1] = true;
  return list;
}

void expect_same(const LeftOut& left, const std::vector<int>& component, const Bytes& with,
                 const Bytes& without) {
  const CommonCounts expected{count(with), count(without), count_both(with, without)};
  ASSERT_EQ(left.voxels, expected);
  ASSERT_EQ(left.dice, dice(expected));
  ASSERT_EQ(left.change, expected.second - expected.first);
  const auto before = kept(component, with), after = kept(component, without);
  std::vector<std::size_t> gained, lost;
  for (std::size_t c = 0; c < before.size(); ++c) {
    if (before[c] && !after[c]) lost.push_back(c);
    if (!before[c] && after[c]) gained.push_back(c);
  }
  ASSERT_EQ(left.gained, gained);
  ASSERT_EQ(left.lost, lost);
}

TEST(LeaveOneOut, ExactIsTheConsensusOfTheOtherMasks) {
  for (std::uint64_t seed = 0; seed < 60; ++seed)
    for (const char* method : {"jaccard", "tanimoto", "majority", "staple", "shape"}) {
      const auto c = agreement_testing::make(seed, method);
      if (c.random.masks.size() < 2) continue;
      const auto list =
          leave_one_out(c.consensus.reduction, c.consensus.solution, c.options, LeaveOut::exact);
      const auto component = slow::components(c.random.grid, c.random.masks, c.random.setting);
      for (std::size_t k = 0; k < list.size(); ++k) {
        const Consensus without = fuse(c.random.grid, others(c.random.masks, k), c.options);
        ASSERT_DOUBLE_EQ(list[k].lmsd, without.solution.lmsd) << method << seed;
        if (method !=
            std::string_view("shape"))  // which paints beyond the union, where components say nothing
          expect_same(list[k], component, inside(c.consensus.image), inside(without.image));
        ASSERT_EQ(list[k].voxels.common, count_both(inside(c.consensus.image), inside(without.image)))
            << method << seed;
      }
    }
}

TEST(LeaveOneOut, FixedIsWeightZeroOnTheSameComponents) {
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    for (const char* method : {"jaccard", "dice1", "average"}) {
      const auto c = agreement_testing::make(seed, method);
      if (c.random.masks.size() < 2) continue;
      const auto list =
          leave_one_out(c.consensus.reduction, c.consensus.solution, c.options, LeaveOut::fixed);
      const auto component = slow::components(c.random.grid, c.random.masks, c.random.setting);
      for (std::size_t k = 0; k < list.size(); ++k) {
        Options options = c.options;
        options.weights.assign(c.random.masks.size(), 1);
        options.weights[k] = 0;
        Solution without = solve(c.consensus.reduction, find_method(method), options);
        expect_same(list[k], component, inside(c.consensus.image),
                    inside(paint(c.consensus.reduction, without, options)));
        ASSERT_DOUBLE_EQ(list[k].lmsd, without.lmsd);
        ASSERT_DOUBLE_EQ(list[k].soft_change, without.soft_volume - c.consensus.solution.soft_volume);
      }
    }
}

TEST(LeaveOneOut, OfAnEstimateOfPerformanceIsTheEstimateOfTheOtherMasks) {
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    for (const char* method : {"staple", "ml-staple", "simple"}) {
      const auto c = agreement_testing::make(seed, method);
      if (c.random.masks.size() < 2) continue;
      const auto list =
          leave_one_out(c.consensus.reduction, c.consensus.solution, c.options, LeaveOut::fixed);
      for (std::size_t k = 0; k < list.size(); ++k) {
        const Consensus without = fuse(c.random.grid, others(c.random.masks, k), c.options);
        ASSERT_EQ(list[k].voxels.second, without.solution.voxels) << method << seed;
        ASSERT_EQ(list[k].voxels.common, count_both(inside(c.consensus.image), inside(without.image)))
            << method << seed;
      }
    }
}

TEST(LeaveOneOut, FormsComponentsAnewOnlyWhenAskedTo) {
  // The third rater's bridge makes one component of what the others drew as two.
  const auto left = ascii::mask({"##...##"}), right = ascii::mask({"##...##"}),
             bridge = ascii::mask({"#######"});
  const Reduction reduction = agreement_testing::reduce({.size = {7, 1, 1}}, {left, right, bridge});
  const Options options{.method = "jaccard"};
  EXPECT_EQ(reduction.components.list.size(), 1U);
  EXPECT_EQ(without_rater(reduction, 2, Needs::distances, options).components.list.size(), 2U);
  const Solution all = solve(reduction, find_method("jaccard"), options);
  EXPECT_EQ(*leave_one_out(reduction, all, options, LeaveOut::exact)[2].dice, 1);
}

TEST(LeaveOneOut, LeavesTheWeightsOfTheOthersAsTheyAre) {
  const auto a = ascii::mask({"##.."}), b = ascii::mask({"#..."}), c = ascii::mask({"###."});
  const Reduction reduction = agreement_testing::reduce({.size = {4, 1, 1}}, {a, b, c});
  const Options options{.method = "majority", .weights = {1, 5, 1}};
  const Solution all = solve(reduction, find_method("majority"), options);
  const auto fixed = leave_one_out(reduction, all, options, LeaveOut::fixed);
  const auto exact = leave_one_out(reduction, all, options, LeaveOut::exact);
  EXPECT_EQ(fixed[0].voxels.second, 1);  // the second rater still outvotes the third
  EXPECT_EQ(fixed[1].voxels.second, 2);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(fixed[k].voxels, exact[k].voxels);
}

TEST(LeaveOneOut, RefusesASingleRaterAndFixedComponentsForMethodsThatSeeNeighbours) {
  const Bytes mask{1, 0};
  const auto one = agreement_testing::reduce({.size = {2, 1, 1}}, {mask});
  const Solution alone = solve(one, find_method("jaccard"), {});
  EXPECT_THROW(leave_one_out(one, alone, {}, LeaveOut::fixed), InputError);
  EXPECT_THROW(leave_one_out(one, alone, {}, LeaveOut::exact), InputError);
  const std::vector<Mask> masks{mask, mask};
  const Consensus shape = fuse({.size = {2, 1, 1}}, masks, {.method = "shape"});
  EXPECT_THROW(leave_one_out(shape.reduction, shape.solution, {.method = "shape"}, LeaveOut::fixed),
               UsageError);
}

}  // namespace
}  // namespace crema
