// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/detection.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "crema/agreement/overlap.h"
#include "test/agreement_testing.h"
#include "test/ascii.h"

namespace crema {
namespace {

using agreement_testing::Bytes;
using agreement_testing::inside;

/// Numbers of the other mask's parts that each part of a mask meets, voxel by voxel.
std::vector<std::set<int>> plain_meetings(const std::vector<int>& own, const std::vector<int>& other) {
  std::vector<std::set<int>> met;
  for (std::size_t v = 0; v < own.size(); ++v) {
    if (own[v] == 0) continue;
    met.resize(std::max(met.size(), static_cast<std::size_t>(own[v])));
    if (other[v] != 0) met[static_cast<std::size_t>(own[v]) - 1].insert(other[v] - 1);
  }
  return met;
}

std::int64_t found(const std::vector<std::set<int>>& met) {
  return std::count_if(met.begin(), met.end(), [](const auto& set) { return !set.empty(); });
}

void expect_junctions(const std::vector<Junction>& junctions, const std::vector<std::set<int>>& met) {
  std::vector<Junction> expected;
  for (std::size_t p = 0; p < met.size(); ++p)
    if (met[p].size() > 1)
      expected.push_back({static_cast<std::uint32_t>(p), {}, {met[p].begin(), met[p].end()}});
  ASSERT_EQ(junctions.size(), expected.size());
  for (std::size_t j = 0; j < expected.size(); ++j) {
    ASSERT_EQ(junctions[j].part, expected[j].part);
    ASSERT_EQ(junctions[j].meets, expected[j].meets);
  }
}

TEST(Detection, IsWhatAPlainReadingFindsOnAnyNeighbourhood) {
  std::size_t splits = 0, merges = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed)
    for (const char* method : {"jaccard", "shape"}) {
      const auto c = agreement_testing::make(seed, method);
      const auto report = detect(c.consensus.reduction, c.consensus.solution, c.options);
      const auto truth = slow::components(c.random.grid, {inside(c.consensus.image)}, c.random.setting);
      ASSERT_EQ(report.parts, *std::max_element(truth.begin(), truth.end()));
      std::map<int, int> size;
      for (const int part : truth) ++size[part];
      ASSERT_EQ(report.isolated, std::count_if(size.begin(), size.end(),
                                               [](const auto& s) { return s.first > 0 && s.second == 1; }));
      for (std::size_t k = 0; k < c.random.masks.size(); ++k) {
        const auto own = slow::components(c.random.grid, {c.random.masks[k]}, c.random.setting);
        const auto of_own = plain_meetings(own, truth), of_truth = plain_meetings(truth, own);
        const Detection& rater = report.raters[k];
        ASSERT_EQ(rater.own_parts, std::ssize(of_own)) << seed;
        ASSERT_EQ(rater.own_found, found(of_own)) << seed;
        ASSERT_EQ(rater.consensus_found, found(of_truth)) << seed;
        expect_junctions(rater.splits, of_truth);
        expect_junctions(rater.merges, of_own);
        splits += rater.splits.size();
        merges += rater.merges.size();
      }
    }
  EXPECT_GT(splits, 10U);
  EXPECT_GT(merges, 10U);
}

TEST(Detection, CountsPartsOfARatersOwnMaskNotOfTheUnion) {
  // One component of the union; the first rater drew it as two parts, the second joined them.
  const auto first = ascii::mask({"##.##", "....."}), second = ascii::mask({"#####", "....."});
  const auto third = ascii::mask({".....", "....#"});
  const Reduction reduction = agreement_testing::reduce({.size = {5, 2, 1}}, {first, second, third});
  const auto sets = sets_of_raters(reduction);
  const auto joined = detect(reduction, sets, set_of_mask(reduction.grid, second));
  EXPECT_EQ(joined.parts, 1);
  EXPECT_EQ(joined.raters[0].own_parts, 2);
  ASSERT_EQ(joined.raters[0].splits.size(), 1U);
  EXPECT_EQ(joined.raters[0].splits[0].box, (Box{{0, 0, 0}, {5, 1, 1}}));
  EXPECT_EQ(joined.raters[0].precision, Measured(1.0));
  EXPECT_EQ(joined.raters[2].precision, Measured(0.0));
  EXPECT_EQ(joined.raters[2].f1, Measured(0.0));
  const auto apart = detect(reduction, sets, set_of_mask(reduction.grid, first));
  ASSERT_EQ(apart.raters[1].merges.size(), 1U);
  EXPECT_EQ(apart.raters[1].merges[0].meets, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(apart.raters[1].recall, Measured(1.0));
}

TEST(Detection, TellsWhichSideIsEmpty) {
  const auto none = ascii::mask({"..."}), some = ascii::mask({"#.#"});
  const Reduction reduction = agreement_testing::reduce({.size = {3, 1, 1}}, {none, some});
  const auto sets = sets_of_raters(reduction);
  const auto against_some = detect(reduction, sets, sets[1]);
  EXPECT_EQ(against_some.raters[0].precision, Measured(Undefined::first_empty));
  EXPECT_EQ(against_some.raters[0].recall, Measured(0.0));
  EXPECT_EQ(against_some.raters[0].f1, Measured(0.0));
  EXPECT_EQ(against_some.isolated, 2);
  const auto against_none = detect(reduction, sets, sets[0]);
  EXPECT_EQ(against_none.raters[0].f1, Measured(Undefined::both_empty));
  EXPECT_EQ(against_none.raters[1].recall, Measured(Undefined::second_empty));
  const auto means = mean_detection(against_none);
  EXPECT_DOUBLE_EQ(means.precision.counted, 0.5);
  EXPECT_DOUBLE_EQ(*means.precision.left_out, 0);
  EXPECT_DOUBLE_EQ(means.recall.counted, 1);
  EXPECT_EQ(means.recall.left_out, Measured(Undefined::no_parts));
}

TEST(Detection, LesionsAreComparedComponentByComponentInBothConventions) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto c = agreement_testing::make(seed, "dice");
    const auto lesions = compare_lesions(c.consensus.reduction, c.consensus.solution);
    const std::size_t components = c.consensus.reduction.crowns.size();
    const auto raters = static_cast<std::size_t>(c.consensus.reduction.raters);
    for (std::size_t k = 0; k < raters; ++k) {
      double sum = 0, left_out = 0, defined = 0;
      for (std::size_t i = 0; i < components; ++i) {
        const Agreement plain =
            compare_raters(c.consensus.reduction.crowns[i].tally, c.consensus.solution.components[i])[k];
        const ComponentOverlap one =
            compare_component(c.consensus.reduction.crowns[i].tally, c.consensus.solution.components[i])[k];
        ASSERT_EQ(one.precision.value_or(1), plain.precision);
        ASSERT_EQ(one.recall.value_or(1), plain.recall);
        ASSERT_EQ(one.f1.value_or(1), plain.f1);
        ASSERT_EQ(one.precision.defined(), one.present);
        sum += plain.f1;
        left_out += one.f1.value_or(0);
        defined += one.f1.defined() ? 1 : 0;
      }
      const auto all = static_cast<double>(components);
      ASSERT_DOUBLE_EQ(lesions[k].f1.counted, all == 0 ? 1 : sum / all);
      ASSERT_EQ(lesions[k].f1.left_out.defined(), defined > 0);
      ASSERT_NEAR(lesions[k].f1.left_out.value_or(0), defined > 0 ? left_out / defined : 0, 1e-14);
    }
  }
}

}  // namespace
}  // namespace crema
