// SPDX-License-Identifier: Apache-2.0
#include "cohort/find/selection.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace crema::cohort {
namespace {

using Paths = std::vector<std::string>;

TEST(Selection, APatternWithASlashIsForThePath) {
  EXPECT_TRUE(fits("*_seg.nii.gz", "a/b/x_seg.nii.gz"));
  EXPECT_FALSE(fits("*_seg.nii.gz", "a/x_seg.nii.gz/ct.nii"));
  EXPECT_TRUE(fits("images/*", "images/a.nii"));
  EXPECT_FALSE(fits("images/*", "images/deep/a.nii"));
}

TEST(Selection, MasksImagesAndTheRestAreSorted) {
  Warnings warnings;
  const Selected found = select(
      Paths{"1/ann_seg.nii", "1/ct.nii", "1/old_seg.nii", "1/notes.nii"},
      {.data = {}, .layout = {}, .only = "*_seg.nii", .except = {"old*"}, .image = "ct.nii"}, warnings);
  EXPECT_EQ(found.files, (Paths{"1/ann_seg.nii"}));
  EXPECT_EQ(found.images, (Paths{"1/ct.nii"}));
  EXPECT_TRUE(warnings.empty());
}

TEST(Selection, APatternThatNothingFitsIsPointedOut) {
  Warnings warnings;
  select(Paths{"1/ann.nii"}, {.data = {}, .layout = {}, .only = "", .except = {"x*"}, .image = "ct*"},
         warnings);
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_NE(warnings[0].text().find("x*"), std::string::npos) << warnings[0].text();
  EXPECT_NE(warnings[1].text().find("ct*"), std::string::npos) << warnings[1].text();
}

TEST(Selection, AnImageGoesToItsCaseByFolderOrByName) {
  Cohort by_case{
      .layout = Layout::cases, .root = {}, .location = {}, .cases = {{"a", {{"ann", "a/ann.nii"}}}}};
  take_images({"a/ct.nii", "b/ct.nii"}, by_case);
  EXPECT_EQ(by_case.cases.front().image, "a/ct.nii");
  Cohort by_rater{
      .layout = Layout::raters, .root = {}, .location = {}, .cases = {{"a", {{"ann", "ann/a.nii"}}}}};
  take_images({"images/a.png"}, by_rater);
  EXPECT_EQ(by_rater.cases.front().image, "images/a.png");
}

TEST(Selection, TwoImagesOfOneCaseAreRefused) {
  Cohort cohort{.layout = Layout::cases, .root = {}, .location = {}, .cases = {}};
  EXPECT_THROW(take_images({"a/ct.nii", "a/mr.nii"}, cohort), InputError);
}

}  // namespace
}  // namespace crema::cohort
