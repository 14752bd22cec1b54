// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/warnings.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace crema {
namespace {

/// Rows of voxels that the same raters drew, one after the other in a line; '1' is drawn.
struct Pattern {
  std::string_view drew;
  int voxels;
};

std::vector<std::vector<std::uint8_t>> masks_of(const std::vector<Pattern>& patterns) {
  std::vector<std::vector<std::uint8_t>> masks(patterns.front().drew.size());
  for (const Pattern& pattern : patterns)
    for (std::size_t k = 0; k < masks.size(); ++k)
      masks[k].insert(masks[k].end(), static_cast<std::size_t>(pattern.voxels),
                      pattern.drew[k] == '1' ? std::uint8_t{1} : std::uint8_t{0});
  return masks;
}

Consensus fused(const std::vector<Pattern>& patterns, const Options& options) {
  const auto masks = masks_of(patterns);
  const Grid grid{.size = {static_cast<std::int32_t>(masks.front().size()), 1, 1}};
  return fuse(grid, std::vector<Mask>(masks.begin(), masks.end()), options);
}

Warnings about_raters(const std::vector<Pattern>& patterns) {
  return warnings_about_raters(fused(patterns, {.method = "majority"}).reduction);
}

Warnings about_estimate(const std::vector<Pattern>& patterns, const Options& options) {
  const Consensus consensus = fused(patterns, options);
  return warnings_about_estimate(consensus.reduction, consensus.solution);
}

Options staple(const Prior& prior = {}) {
  Options options{.method = "staple"};
  options.estimate.prior = prior;
  return options;
}

bool any_with(const Warnings& warnings, std::string_view part) {
  return std::any_of(warnings.begin(), warnings.end(),
                     [&](const Sentence& warning) { return warning.text().find(part) != std::string::npos; });
}

const std::vector<Pattern> kUsual{{"111", 200}, {"110", 30}, {"101", 20}, {"011", 25},
                                  {"100", 15},  {"010", 40}, {"001", 10}, {"000", 660}};

TEST(Doubts, NoneAboutRatersWhoDifferAsUsual) { EXPECT_EQ(about_raters(kUsual), Warnings{}); }

TEST(Doubts, NoneAboutAnEstimateThatFollowsTheMajority) {
  EXPECT_EQ(about_estimate(kUsual, staple()), Warnings{});
}

TEST(Doubts, NoneAboutAMethodThatEstimatesNothing) {
  EXPECT_EQ(about_estimate(kUsual, {.method = "jaccard"}), Warnings{});
}

TEST(Doubts, EqualMasksAreNamedInOneSentence) {
  EXPECT_EQ(about_raters({{"1011", 5}, {"0100", 3}, {"0000", 20}}),
            (Warnings{"raters 3 and 4 drew exactly what rater 1 drew; leave out those that are copies."}));
}

TEST(Doubts, TwoEmptyMasksAreNoCopies) { EXPECT_EQ(about_raters({{"100", 5}, {"000", 20}}), Warnings{}); }

TEST(Doubts, AMaskOfOnesIsNoticed) {
  EXPECT_EQ(about_raters({{"111", 5}, {"001", 20}, {"011", 2}}),
            Warnings{"rater 3 drew every voxel of the image; is the mask inverted?"});
}

TEST(Doubts, AnInvertedMaskIsNoticed) {
  const Warnings warnings = about_raters({{"110", 9}, {"010", 1}, {"001", 90}});
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings.front(),
            "rater 3 drew 90 % of the image, and mostly what the others left; the mask looks inverted.");
}

TEST(Doubts, ALargeMaskIsNotInverted) {
  EXPECT_EQ(about_raters({{"111", 60}, {"001", 5}, {"110", 3}, {"100", 1}, {"000", 10}}), Warnings{});
}

TEST(Doubts, AnEstimateThatWasCutShortSaysHowFarItStillMoved) {
  Options options = staple();
  options.estimate.max_iterations = 2;
  const Warnings warnings = about_estimate(kUsual, options);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings.front().text().find(
                "staple: no convergence after 2 iterations: a sensitivity or specificity still"),
            0U);
}

TEST(Doubts, ARaterWhoDictatesTheResultIsNamed) {
  Options options = staple();
  options.estimate.as_package = solve_as_stapler_bin;
  const Warnings warnings = about_estimate(kUsual, options);
  EXPECT_TRUE(
      any_with(warnings, "staple: rater 3 has sensitivity and specificity 1: the result is that mask"));
}

TEST(Doubts, RatersWhoAllDrewTheSameDictateNothing) {
  EXPECT_FALSE(any_with(about_estimate({{"111", 20}, {"000", 80}}, staple()), "no say"));
}

TEST(Doubts, ARaterWorseThanChanceIsNamed) {
  const Warnings warnings =
      about_estimate({{"110", 90}, {"100", 4}, {"010", 5}, {"001", 895}, {"111", 6}}, staple());
  EXPECT_TRUE(any_with(warnings, "rater 3 is taken to be worse than chance"));
  EXPECT_FALSE(any_with(warnings, "rater 1 is taken"));
}

TEST(Doubts, VoxelsTakenInAgainstAMajorityAreCounted) {
  const Warnings warnings = about_estimate(kUsual, staple({Prior::Kind::number, 0.5}));
  EXPECT_TRUE(any_with(warnings, "staple: 65 voxels that most raters left out are taken in."));
  EXPECT_FALSE(any_with(warnings, "are left out"));
}

TEST(Doubts, VoxelsLeftOutAgainstAMajorityAreCounted) {
  Options options = staple();
  options.estimate.as_package = solve_as_crkit;
  EXPECT_TRUE(any_with(about_estimate(kUsual, options), "25 voxels that most raters drew are left out."));
}

}  // namespace
}  // namespace crema
