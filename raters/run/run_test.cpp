// SPDX-License-Identifier: Apache-2.0
#include "raters/run/run.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "crema/base/error.h"
#include "crema/fuse.h"
#include "raters/run/testing.h"

namespace crema::raters {
namespace {

Image painted(const Case& counted, Outcome& outcome) {
  return paint_outcome(counted, outcome, "out.nii").image;
}

std::vector<double> values(const Image& image) {
  return std::visit([](const auto& voxels) { return std::vector<double>(voxels.begin(), voxels.end()); },
                    image);
}

TEST(Conductor, AMaskIsACaseOfOneStructureWithoutALabel) {
  const Case counted = count_masks(masks_of(1), {});
  EXPECT_EQ(counted.structures(), 1);
  EXPECT_FALSE(counted.labelled());
  EXPECT_EQ(counted.label(0), "");
}

TEST(Conductor, PaintsWhatTheLibraryFuses) {
  const Drawn drawn = masks_of(1);
  const std::vector<Mask> masks(drawn.begin(), drawn.end());
  for (const char* name : {"jaccard", "tanimoto", "staple"}) {
    const Case counted = count_masks(drawn, {}, find_method(name).needs);
    Outcome outcome = solve_method(counted, find_method(name), {});
    const Consensus expected = fuse(kGrid, masks, {.method = name});
    EXPECT_EQ(outcome.lmsd(), expected.solution.lmsd) << name;
    EXPECT_EQ(painted(counted, outcome), expected.image) << name;
  }
}

TEST(Conductor, EachLabelIsAStructureInTheOrderOfItsValue) {
  const Case counted = count_maps("tumour=2,1");
  ASSERT_EQ(counted.structures(), 2);
  EXPECT_TRUE(counted.labelled());
  EXPECT_EQ(counted.label(0), "1");
  EXPECT_EQ(counted.label(1), "tumour");
  EXPECT_EQ(counted.counts.structures[1].voxels_of_rater, (std::vector<std::int64_t>{2, 3, 1}));
}

TEST(Conductor, OneLabelAloneIsFusedAsItsMask) {
  const Case counted = count_maps("2");
  Outcome outcome = solve_method(counted, find_method("jaccard"), {});
  const Case mask = count_masks(masks_of(2), {});
  Outcome alone = solve_method(mask, find_method("jaccard"), {});
  EXPECT_EQ(outcome.lmsd(), alone.lmsd());
  std::vector<double> twice = values(painted(mask, alone));
  for (double& value : twice) value *= 2;
  EXPECT_EQ(values(painted(counted, outcome)), twice);
}

TEST(Conductor, AStructureAloneHasTheLmsdThatItHasAmongAll) {
  const Case counted = count_maps("all");
  const Outcome outcome = solve_method(counted, find_method("dice"), {});
  double sum = 0;
  for (std::size_t s = 0; s < counted.structures(); ++s) sum += only(counted, outcome, s).lmsd();
  EXPECT_NEAR(sum, outcome.lmsd(), 1e-12);
}

TEST(Conductor, WeightsAreHandedOnlyToMethodsThatAcceptThem) {
  Settings settings;
  settings.options.weights = {1, 0.5, 1};
  const Case counted = count_masks(masks_of(1), settings);
  EXPECT_EQ(solve_method(counted, find_method("jaccard"), settings).options.weights,
            settings.options.weights);
  EXPECT_TRUE(solve_method(counted, find_method("staple"), settings).options.weights.empty());
}

TEST(Conductor, RefusesWeightsForOtherRaters) {
  Settings settings;
  settings.options.weights = {1, 1};
  EXPECT_THROW(count_masks(masks_of(1), settings), UsageError);
}

TEST(Conductor, AnOnlyRaterIsPointedOut) {
  const std::vector<std::uint8_t> drawn(8, 1);
  const Case counted = count(from_memory(header_of(kGrid), {drawn}, {"ann"}, {""}), {}, Needs::groups, {});
  EXPECT_TRUE(std::any_of(counted.warnings.begin(), counted.warnings.end(),
                          [](const Warning& warning) { return warning.kind == WarningKind::one_rater; }));
}

}  // namespace
}  // namespace crema::raters
