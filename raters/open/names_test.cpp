// SPDX-License-Identifier: Apache-2.0
#include "raters/open/names.h"

#include <gtest/gtest.h>

namespace crema::raters {
namespace {

using List = std::vector<std::string>;

TEST(Names, AreFileNamesWhereTheyDiffer) {
  EXPECT_EQ(short_names({"p/a.nii.gz", "q/b.nii.gz"}), (List{"a.nii.gz", "b.nii.gz"}));
}

TEST(Names, TakeFoldersWhereFileNamesAreTheSame) {
  EXPECT_EQ(short_names({"x/p/a.nii", "x/q/a.nii", "b.nii"}), (List{"p/a.nii", "q/a.nii", "b.nii"}));
  EXPECT_EQ(short_names({"1/p/a.nii", "2/p/a.nii"}), (List{"1/p/a.nii", "2/p/a.nii"}));
}

TEST(Names, NumberAFileThatIsGivenTwice) {
  EXPECT_EQ(short_names({"a.nii", "a.nii", "a.nii"}), (List{"a.nii", "a.nii (2)", "a.nii (3)"}));
}

TEST(Names, KeepTheSegmentWithItsFile) {
  EXPECT_EQ(short_names({"p/s.seg.nrrd#a/b", "p/s.seg.nrrd#c"}), (List{"s.seg.nrrd#a/b", "s.seg.nrrd#c"}));
}

TEST(Names, OfACaseIsTheInnermostCommonFolder) {
  EXPECT_EQ(case_name({"/d/case-7/a.nii", "/d/case-7/b.nii"}), "case-7");
  EXPECT_EQ(case_name({"/d/case-7/r1/a.nii", "/d/case-7/r2/a.nii"}), "case-7");
  EXPECT_EQ(case_name({"/a.nii"}), "case");
}

}  // namespace
}  // namespace crema::raters
