// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "crema/counts/groups.h"
#include "crema/counts/staple/performance.h"

namespace crema {
namespace {

Raters raters_of(const std::string& pattern) {
  Raters raters = 0;
  for (std::size_t k = 0; k < pattern.size(); ++k)
    if (pattern[k] == '1') raters |= Raters{1} << k;
  return raters;
}

Groups from(const std::vector<std::pair<std::string, std::int64_t>>& patterns) {
  Groups groups{.raters = static_cast<int>(patterns.front().first.size()), .rows = {}};
  for (const auto& [pattern, voxels] : patterns) groups.rows.push_back({raters_of(pattern), voxels});
  std::sort(groups.rows.begin(), groups.rows.end(),
            [](const Group& a, const Group& b) { return a.raters < b.raters; });
  return groups;
}

/// The three masks on which a survey found six packages to differ.
Groups survey() {
  return from({{"111", 200},
               {"110", 30},
               {"101", 20},
               {"011", 25},
               {"100", 15},
               {"010", 40},
               {"001", 10},
               {"000", 660}});
}

/// What stapler's own tests count.
Groups five_raters() {
  return from({{"00000", 485}, {"00001", 35}, {"00010", 11}, {"00011", 1}, {"00100", 4},  {"00101", 1},
               {"01000", 152}, {"01001", 21}, {"01010", 7},  {"01100", 6}, {"01101", 11}, {"01110", 3},
               {"01111", 12},  {"10000", 59}, {"10001", 9},  {"10010", 1}, {"10100", 1},  {"10101", 8},
               {"10110", 1},   {"10111", 5},  {"11000", 20}, {"11001", 9}, {"11010", 4},  {"11011", 11},
               {"11100", 11},  {"11101", 48}, {"11110", 13}, {"11111", 51}});
}

struct Expected {
  std::vector<double> sensitivity, specificity;
  std::vector<std::pair<std::string, double>> levels;
  std::int64_t size;  ///< above one half
};

void expect(const Groups& groups, const GroupAnswer& answer, const Expected& expected, double tolerance) {
  for (std::size_t k = 0; k < expected.sensitivity.size(); ++k)
    EXPECT_NEAR(answer.performance.sensitivity[k], expected.sensitivity[k], tolerance) << "rater " << k + 1;
  for (std::size_t k = 0; k < expected.specificity.size(); ++k)
    EXPECT_NEAR(answer.performance.specificity[k], expected.specificity[k], tolerance) << "rater " << k + 1;
  std::int64_t size = 0;
  for (std::size_t r = 0; r < groups.rows.size(); ++r) {
    if (answer.levels[r] > 0.5) size += groups.rows[r].voxels;
    for (const auto& [pattern, level] : expected.levels) {
      if (raters_of(pattern) != groups.rows[r].raters) continue;
      EXPECT_NEAR(answer.levels[r], level, tolerance) << pattern;
    }
  }
  EXPECT_EQ(size, expected.size);
}

TEST(AsItk, GivesWhatItkGives) {
  // From Debian's ITK 5.2.1 on an image with these patterns.
  const GroupAnswer answer = solve_staple(survey(), {.settling = Settling::rates});
  expect(survey(), answer,
         {{0.892297381258, 0.911206506903, 0.874000143607},
          {0.981553016806, 0.947193858594, 0.988291869805},
          {{"111", 0.999956973647},
           {"110", 0.975425402010},
           {"101", 0.992141907584},
           {"011", 0.981384942456},
           {"100", 0.177384079745},
           {"010", 0.082602540921},
           {"001", 0.222641551537},
           {"000", 0.000488915018993}},
          275},
         2e-10);
  EXPECT_EQ(answer.performance.iterations, 18);
}

TEST(AsCrkit, LetsOneRaterDictateOnDisputedVoxels) {
  const GroupAnswer answer = solve_as_crkit(survey(), {});
  expect(survey(), answer,
         {{0.999989945383, 0.461540130354, 0.307695379405},
          {1, 0.133331249314, 0.533334610206},
          {{"111", 1}, {"110", 1}, {"011", 5.06548649e-06}, {"010", 5.08749204e-06}, {"000", 0}},
          265},
         1e-9);
  EXPECT_EQ(answer.performance.iterations, 259);
}

TEST(AsStapler, GivesTheNumbersItsOwnTestsPublish) {
  expect(five_raters(), solve_as_stapler(five_raters(), {}),
         {{0.781593858553476, 0.895868301462594, 0.760514086161722, 0.464483444340873, 0.765239314719065},
          {0.902896626562703, 0.770915583628547, 0.994826018925032, 0.979916045260754, 0.935564390547129},
          {},
          206},
         1e-13);
  expect(survey(), solve_as_stapler(survey(), {}),
         {{0.882167206371, 0.902444832202, 0.862552709909},
          {0.984966840219, 0.951029056220, 0.991072749158},
          {{"111", 1}, {"110", 0.996677147728}, {"100", 0.294485409013}, {"000", 0}},
          275},
         1e-11);
}

TEST(AsStaplerBin, GivesTheNumbersItsOwnTestsPublish) {
  expect(five_raters(), solve_as_stapler_bin(five_raters(), {}),
         {{0.741808211133125, 0.856147018471266, 0.788254106963426, 0.320686380642557, 0.716769357165729},
          {0.720570911996140, 0.365912614140717, 0.986925344040976, 0.935190213099036, 0.801345660831361},
          {},
          195},
         1e-12);
  expect(survey(), solve_as_stapler_bin(survey(), {}),
         {{0.363636367265, 0.454545456972, 0.999999989375},
          {0.470588236526, 0.176470587411, 0.999999999746},
          {{"111", 1}, {"110", 8.05601e-09}, {"001", 0.999999999879}, {"000", 0}},
          255},
         1e-11);
}

TEST(AsNiftyseg, StopsAfterThreePassesAsItsSourceDoes) {
  const GroupAnswer answer = solve_as_niftyseg(survey(), {});
  expect(survey(), answer,
         {{0.866687318331, 0.894199568370, 0.845042441585},
          {0.987420623524, 0.956376976002, 0.992535341867},
          {{"111", 1}, {"110", 0.993041985211}, {"100", 0.426185457639}, {"010", 0.240290212973}, {"000", 0}},
          275},
         1e-11);
  EXPECT_EQ(answer.performance.iterations, 3);
}

TEST(Packages, GiveTheMasksBackWhenNobodyDisagrees) {
  for (const GroupSolver solve :
       {solve_as_crkit, solve_as_stapler, solve_as_stapler_bin, solve_as_niftyseg, solve_staple})
    for (const std::int64_t background : {0, 90}) {
      Groups groups{3, {{0b111, 10}}};
      if (background > 0) groups.rows.insert(groups.rows.begin(), {0, background});
      const GroupAnswer answer = solve(groups, {});
      EXPECT_NEAR(answer.levels.back(), 1, 1e-6);
      EXPECT_NEAR(answer.levels.front(), background > 0 ? 0 : 1, 1e-6);
      for (const double rate : answer.performance.sensitivity) EXPECT_TRUE(rate >= 0 && rate <= 1) << rate;
      for (const double rate : answer.performance.specificity) EXPECT_TRUE(rate >= 0 && rate <= 1) << rate;
    }
}

}  // namespace
}  // namespace crema
