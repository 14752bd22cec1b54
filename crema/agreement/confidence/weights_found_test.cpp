// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/confidence/weights_found.h"

#include <cmath>

#include <gtest/gtest.h>

#include "crema/base/error.h"
#include "test/agreement_testing.h"
#include "test/ascii.h"

namespace crema {
namespace {

using agreement_testing::Bytes;

/// The slope of the criterion in one of its sums, by moving it a little both ways.
template <class Move>
double slope(const Sums& sums, Distance distance, const std::vector<double>& weights, Move move) {
  constexpr double kStep = 1e-6;
  Sums up = sums, down = sums;
  move(up, kStep);
  move(down, -kStep);
  return (criterion(up, distance, weights) - criterion(down, distance, weights)) / (2 * kStep);
}

/// No consensus is nearer to a rater than what the rater drew: there the slope is one to one side alone.
bool touches_a_rater(const Sums& sums, const Distance& distance) {
  for (std::size_t k = 0; k < sums.size.size(); ++k)
    if (distance_to(sums, static_cast<int>(k), distance) == 0) return true;
  return false;
}

TEST(WeightsFound, AreTheSlopesOfTheCriterion) {
  int checked = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed)
    for (const char* name :
         {"jaccard", "dice", "soergel", "tanimoto", "dice1", "dice2", "hamming", "tversky"}) {
      auto c = agreement_testing::make(seed, name);
      const Reduction& reduction = c.consensus.reduction;
      if (seed % 2 == 0)
        for (int k = 0; k < reduction.raters; ++k) c.options.weights.push_back(1 + 0.3 * k);
      const Method& method = find_method(name);
      const Solution solution = solve(reduction, method, c.options);
      const auto list = find_weights_of(reduction, solution, c.options);
      for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i].reason) continue;
        const Sums sums = sum_up(reduction.crowns[i].tally, solution.components[i].levels);
        if (is_linear(method.distance) && touches_a_rater(sums, method.distance)) continue;
        const double extent = slope(sums, method.distance, c.options.weights, [](Sums& s, double h) {
          s.total += h;
          s.squares += h;
        });
        for (std::size_t k = 0; k < list[i].weights.size(); ++k) {
          if (sums.size[k] == 0) {
            ASSERT_EQ(list[i].weights[k], 0);
            continue;
          }
          const double overlap =
              slope(sums, method.distance, c.options.weights, [&](Sums& s, double h) { s.overlap[k] += h; });
          const double expected = -overlap / (list[i].graded ? 2 * extent : extent);
          ASSERT_NEAR(list[i].weights[k], expected, 1e-4 * (1 + std::abs(expected))) << name << seed;
          ++checked;
        }
      }
    }
  EXPECT_GT(checked, 1000);
}

TEST(WeightsFound, ExplainEveryLevelOfATrueMinimiser) {
  int rules = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed)
    for (const char* name : {"soergel", "tanimoto", "dice1", "dice2", "hamming1", "tversky1"}) {
      auto c = agreement_testing::make(seed, name);
      c.options.blocks = Blocks::group;
      const Solution solution = solve(c.consensus.reduction, find_method(name), c.options);
      const auto list = find_weights_of(c.consensus.reduction, solution, c.options);
      for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i].reason) continue;
        ++rules;
        ASSERT_EQ(list[i].exceptions, 0) << name << seed;
        const auto& rows = c.consensus.reduction.crowns[i].tally.rows;
        for (std::size_t r = 0; r < rows.size(); ++r) {
          double sum = 0;
          for (std::size_t k = 0; k < list[i].weights.size(); ++k)
            sum += (rows[r].raters >> k & 1) != 0 ? list[i].weights[k] : 0;
          const double level = solution.components[i].levels[r];
          if (list[i].graded)
            ASSERT_NEAR(level, std::min(1.0, sum), 1e-4) << name << seed;
          else
            ASSERT_TRUE(std::abs(sum - 1) < 1e-4 || level == (sum > 1 ? 1 : 0)) << name << seed << " " << sum;
        }
      }
    }
  EXPECT_GT(rules, 100);
}

TEST(WeightsFound, CountsTheVoxelsThatAConsensusDecidedOtherwise) {
  const auto a = ascii::mask({"####...."}), b = ascii::mask({"####...."}), c = ascii::mask({"..######"});
  const Reduction reduction = agreement_testing::reduce({.size = {8, 1, 1}}, {a, b, c});
  const Options options{.method = "jaccard"};
  Solution solution = solve(reduction, find_method("jaccard"), options);
  Decision& decision = solution.components[0];
  const Tally& tally = reduction.crowns[0].tally;
  for (std::size_t r = 0; r < tally.rows.size(); ++r) {  // what a rater alone drew, and nothing else
    const bool alone = tally.rows[r].raters == 4;
    decision.levels[r] = alone ? 1 : 0;
    decision.inside[r] = alone ? tally.rows[r].voxels : 0;
  }
  // The first two are far from that and weigh heavily: all they drew should be in.
  EXPECT_EQ(find_weights_of(reduction, solution, options)[0].exceptions, 4);
}

TEST(WeightsFound, AreToldAsARuleInWords) {
  const std::vector<std::string> names{"anna", "ben", "carl"};
  const FoundWeights found{.weights = {0.314, 0.28, 0}, .present = 3, .graded = true, .threshold = 0.5};
  EXPECT_EQ(rule_in_words(found, names), "in where 0.31·anna + 0.28·ben > 0.5");
  EXPECT_EQ(rule_in_words({.reason = Undefined::empty_consensus}, names), "no rule: the consensus is empty");
}

TEST(WeightsFound, SayWhyThereAreNone) {
  const Bytes mask{1, 1, 0}, none{0, 0, 0};
  const Grid grid{.size = {3, 1, 1}};
  const auto of = [&](const std::vector<Bytes>& masks, const char* name) {
    const Reduction reduction = agreement_testing::reduce(grid, masks);
    const Options options{.method = name};
    return find_weights_of(reduction, solve(reduction, find_method(name), options), options).front().reason;
  };
  EXPECT_EQ(of({mask, mask}, "jaccard"), Undefined::all_alike);
  EXPECT_EQ(of({mask}, "tanimoto"), Undefined::all_alike);
  EXPECT_EQ(of({mask, none, none}, "jaccard"), Undefined::empty_consensus);
  EXPECT_EQ(of({mask, mask}, "majority"), Undefined::no_criterion);
  EXPECT_THROW(find_weights_of({.raters = 1, .rows = {{0, 1, 4}}}, {.levels = {}}, Distance::jaccard),
               InputError);
}

}  // namespace
}  // namespace crema
