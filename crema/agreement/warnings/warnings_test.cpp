// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/warnings/warnings.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "crema/fuse.h"
#include "crema/options.h"

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

Warnings about_copies(std::initializer_list<std::vector<Pattern>> structures) {
  std::vector<Consensus> consensuses;
  for (const auto& patterns : structures) consensuses.push_back(fused(patterns, {.method = "majority"}));
  std::vector<const Reduction*> reductions;
  for (const Consensus& consensus : consensuses) reductions.push_back(&consensus.reduction);
  return warnings_about_copies(reductions);
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
                     [&](const Warning& warning) { return warning.text().find(part) != std::string::npos; });
}

const std::vector<Pattern> kUsual{{"111", 200}, {"110", 30}, {"101", 20}, {"011", 25},
                                  {"100", 15},  {"010", 40}, {"001", 10}, {"000", 660}};

TEST(Warnings, NoneAboutRatersWhoDifferAsUsual) { EXPECT_EQ(about_raters(kUsual), Warnings{}); }

TEST(Warnings, NoneAboutAnEstimateThatFollowsTheMajority) {
  EXPECT_EQ(about_estimate(kUsual, staple()), Warnings{});
}

TEST(Warnings, NoneAboutAMethodThatEstimatesNothing) {
  EXPECT_EQ(about_estimate(kUsual, {.method = "jaccard"}), Warnings{});
}

TEST(Warnings, EqualMasksAreNamedInOneSentence) {
  EXPECT_EQ(about_copies({{{"1011", 5}, {"0100", 3}, {"0000", 20}}}),
            (Warnings{{"raters 3 and 4 are identical to rater 1; leave out those that are copies.",
                       WarningKind::copy}}));
}

TEST(Warnings, TwoEmptyMasksAreNoCopies) { EXPECT_EQ(about_copies({{{"100", 5}, {"000", 20}}}), Warnings{}); }

TEST(Warnings, RatersWhoAgreeOnOneStructureButNotOnAnotherAreNoCopies) {
  EXPECT_EQ(about_copies({{{"110", 5}, {"000", 9}}, {{"100", 5}, {"011", 9}}}), Warnings{});
  EXPECT_EQ(
      about_copies({{{"110", 5}, {"000", 9}}, {{"110", 5}, {"001", 9}}}),
      (Warnings{{"rater 2 is identical to rater 1; if it is a copy, leave it out.", WarningKind::copy}}));
  EXPECT_EQ(about_copies({{{"1100", 5}, {"0011", 9}}}).size(), 2U);
}

TEST(Warnings, AMaskOfOnesIsNoticed) {
  EXPECT_EQ(
      about_raters({{"111", 5}, {"001", 20}, {"011", 2}}),
      (Warnings{{"rater 3 covers every voxel of the image; is the mask inverted?", WarningKind::full_mask}}));
}

TEST(Warnings, AnInvertedMaskIsNoticed) {
  const Warnings warnings = about_raters({{"110", 9}, {"010", 1}, {"001", 90}});
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings.front().text(),
            "rater 3 covers 90 % of the image, mostly what the others left out; the mask looks inverted.");
}

TEST(Warnings, LargeMasksAreAskedAboutInOneSentenceAndNotCalledInverted) {
  const Warnings warnings = about_raters({{"111", 60}, {"001", 5}, {"110", 3}, {"100", 1}, {"000", 10}});
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings.front().text().find("raters 1, 2 and 3 cover more than half of the image"), 0U);
}

TEST(Warnings, AnEstimateThatWasCutShortSaysHowFarItStillMoved) {
  Options options = staple();
  options.estimate.max_iterations = 2;
  const Warnings warnings = about_estimate(kUsual, options);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings.front().text().find(
                "staple: no convergence after 2 iterations: a sensitivity, specificity or level still"),
            0U);
}

TEST(Warnings, ARaterWhoDictatesTheResultIsNamed) {
  Options options = staple();
  options.estimate.as_package = solve_as_stapler_bin;
  const Warnings warnings = about_estimate(kUsual, options);
  EXPECT_TRUE(
      any_with(warnings, "staple: rater 3 has sensitivity and specificity 1: the result is that mask"));
}

/// On a large grid a slip of a few voxels leaves a specificity within 1e-6 of 1.
TEST(Warnings, ARaterWhoIsPerfectButForAFewVoxelsDictatesNothing) {
  const std::vector<Pattern> patterns{
      {"1110", 4000}, {"1111", 3000}, {"0001", 2}, {"0110", 1}, {"0000", 20'000'000}};
  const Consensus consensus = fused(patterns, staple());
  const Performance& found = *consensus.solution.performance;
  ASSERT_GT(found.specificity[1], 1 - 1e-6);
  ASSERT_GT(found.sensitivity[1], 1 - 1e-6);
  const Warnings warnings = warnings_about_estimate(consensus.reduction, consensus.solution);
  const bool reported = any_with(warnings, "the result is");
  EXPECT_EQ(reported, consensus.solution.voxels == 7001) << consensus.solution.voxels;
  EXPECT_FALSE(any_with(warnings, "rater 1 has")) << "it is not that rater's mask";
}

TEST(Warnings, RatersWithTheSameMaskDictateTogether) {
  Options options = staple();
  options.estimate.as_package = solve_as_stapler_bin;
  const Warnings warnings =
      about_estimate({{"1111", 300}, {"1010", 40}, {"0100", 6}, {"0001", 7}, {"0000", 500}}, options);
  EXPECT_TRUE(
      any_with(warnings, "raters 1 and 3 have sensitivity and specificity 1: the result is their mask"));
}

TEST(Warnings, NoMethodIsAdvisedASettingItRefuses) {
  for (const std::string_view method : {"simple", "ml-staple", "staple"}) {
    Options options{.method = method};
    const Warnings warnings =
        about_estimate({{"1111", 300}, {"1010", 40}, {"0100", 1}, {"0001", 1}, {"0000", 5000}}, options);
    for (const Warning& warning : warnings) {
      const std::string text = warning.text();
      EXPECT_TRUE(method != "simple" || text.find("region") == std::string::npos) << text;
      EXPECT_TRUE(method == "staple" || text.find("prior") == std::string::npos) << text;
    }
  }
}

TEST(Warnings, ARaterWhoMissedEverythingIsNotCalledInverted) {
  const Warnings warnings =
      about_estimate({{"1110", 90}, {"1100", 4}, {"0001", 30}, {"0000", 900}}, staple());
  EXPECT_TRUE(any_with(warnings, "rater 4 is estimated to be worse than chance"));
  EXPECT_FALSE(any_with(warnings, "may be inverted"));
}

TEST(Warnings, RatersWhoAllDrewTheSameDictateNothing) {
  EXPECT_FALSE(any_with(about_estimate({{"111", 20}, {"000", 80}}, staple()), "no influence"));
}

TEST(Warnings, ARaterWorseThanChanceIsNamed) {
  const Warnings warnings =
      about_estimate({{"110", 90}, {"100", 4}, {"010", 5}, {"001", 895}, {"111", 6}}, staple());
  EXPECT_TRUE(any_with(warnings, "rater 3 is estimated to be worse than chance"));
  EXPECT_TRUE(any_with(warnings, "the mask may be inverted"));
  EXPECT_FALSE(any_with(warnings, "rater 1 is taken"));
}

TEST(Warnings, VoxelsTakenInAgainstAMajorityAreCounted) {
  const Warnings warnings = about_estimate(kUsual, staple({Prior::Kind::number, 0.5}));
  EXPECT_TRUE(any_with(warnings, "staple: 65 voxels that most raters left out are included."));
  EXPECT_FALSE(any_with(warnings, "are left out"));
}

TEST(Warnings, VoxelsLeftOutAgainstAMajorityAreCounted) {
  Options options = staple();
  options.estimate.as_package = solve_as_crkit;
  EXPECT_TRUE(any_with(about_estimate(kUsual, options), "25 voxels that most raters marked are left out."));
}

}  // namespace
}  // namespace crema
