// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/warnings/gap.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "test/random_case.h"

namespace crema {
namespace {

Options options_of(const random_case::Case& c, std::string_view method, Blocks blocks = Blocks::subcrown) {
  Options options = c.options();
  options.method = method;
  options.blocks = blocks;
  return options;
}

TEST(Gap, IsNeverAboveTheResultAndNeverBelowTheTrueMinimiser) {
  int lower = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const auto c = random_case::make(seed);
    for (const Method& method : methods()) {
      if (method.aim != Aim::distance) continue;
      const Options options = options_of(c, method.name);
      const Consensus consensus = fuse(c.grid, c.views(), options);
      const Gap gap = find_gap(consensus.reduction, consensus.solution, options);
      const double best = fuse(c.grid, c.views(), options_of(c, method.name, Blocks::group)).solution.lmsd;
      EXPECT_LE(gap.lmsd, consensus.solution.lmsd + 1e-12) << method.name << ", case " << seed;
      EXPECT_GE(gap.lmsd, best - 1e-7) << method.name << ", case " << seed;
      lower += gap.lmsd < consensus.solution.lmsd - 1e-6 ? 1 : 0;
    }
  }
  EXPECT_GT(lower, 20);
}

/// A small core that all share, a middle that most drew and a rim that each drew alone: growing stops at the
/// rim.
TEST(Gap, IsToldOnceWithBothNumbersAndTheSettingThatGivesTheBetterOne) {
  int reported = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const auto c = random_case::make(seed);
    const Options options = options_of(c, "jaccard");
    const Consensus consensus = fuse(c.grid, c.views(), options);
    const Gap gap = find_gap(consensus.reduction, consensus.solution, options);
    const Warnings warnings = warnings_about_gap(consensus.reduction, consensus.solution, options);
    ASSERT_LE(warnings.size(), 1U);
    const auto& own = consensus.solution;
    const bool far = gap.lmsd < 0.95 * own.lmsd ||
                     (gap.lmsd < own.lmsd * (1 - 1e-6) && 5 * std::abs(gap.voxels - own.voxels) > own.voxels);
    EXPECT_EQ(warnings.size(), far ? 1U : 0U) << "case " << seed;
    if (warnings.empty()) continue;
    ++reported;
    const std::string text = warnings.front().text(Spelling::program);
    EXPECT_EQ(text.find("jaccard: a better result is known: LMSD "), 0U) << text;
    EXPECT_NE(text.find("--blocks group"), std::string::npos) << text;
    EXPECT_NE(text.find(std::to_string(gap.voxels) + " voxels"), std::string::npos) << text;
  }
  EXPECT_GT(reported, 0);
}

TEST(Gap, NothingIsSaidOfTheTrueMinimiserNorOfMethodsWithoutACriterion) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const auto c = random_case::make(seed);
    for (const Options& options :
         {options_of(c, "jaccard", Blocks::group), options_of(c, "majority"), options_of(c, "staple")}) {
      const Consensus consensus = fuse(c.grid, c.views(), options);
      EXPECT_TRUE(warnings_about_gap(consensus.reduction, consensus.solution, options).empty());
    }
  }
}

TEST(Gap, AllComponentsEmptyLeaveNothingToSay) {
  const std::vector<std::uint8_t> nothing(9, 0);
  const Grid grid{.size = {3, 3, 1}};
  const Consensus consensus = fuse(grid, std::vector<Mask>{nothing, nothing}, {});
  EXPECT_TRUE(warnings_about_gap(consensus.reduction, consensus.solution, {}).empty());
}

}  // namespace
}  // namespace crema
