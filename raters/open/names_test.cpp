// SPDX-License-Identifier: Apache-2.0
#include "raters/open/names.h"

#include <gtest/gtest.h>

namespace crema::raters {
namespace {

using List = std::vector<std::string>;

TEST(Names, AreFileNamesWhereTheyDiffer) {
  EXPECT_EQ(short_names(List{"p/a.nii.gz", "q/b.nii.gz"}), (List{"a.nii.gz", "b.nii.gz"}));
}

TEST(Names, TakeFoldersWhereFileNamesAreTheSame) {
  EXPECT_EQ(short_names(List{"x/p/a.nii", "x/q/a.nii", "b.nii"}), (List{"p/a.nii", "q/a.nii", "b.nii"}));
  EXPECT_EQ(short_names(List{"1/p/a.nii", "2/p/a.nii"}), (List{"1/p/a.nii", "2/p/a.nii"}));
}

TEST(Names, NumberAFileThatIsGivenTwice) {
  EXPECT_EQ(short_names(List{"a.nii", "a.nii", "a.nii"}), (List{"a.nii", "a.nii (2)", "a.nii (3)"}));
}

TEST(Names, KeepTheSegmentWithItsFile) {
  EXPECT_EQ(short_names(List{"p/s.seg.nrrd#a/b", "p/s.seg.nrrd#c"}),
            (List{"s.seg.nrrd#a/b", "s.seg.nrrd#c"}));
}

TEST(Legends, AreFileNamesWithoutTheirEndings) {
  EXPECT_EQ(short_names(List{"a/ann.nii.gz", "a/bob.png", "c.x.nrrd"}, Ending::drop),
            (List{"ann", "bob", "c.x"}));
  EXPECT_EQ(short_names(List{"ann.txt", ".nii"}, Ending::drop), (List{"ann.txt", ".nii"}));
}

TEST(Legends, HaveFoldersWhereFilesAreNamedAlike) {
  EXPECT_EQ(short_names(List{"ann/mask.nii", "bob/mask.nii"}, Ending::drop), (List{"ann/mask", "bob/mask"}));
  EXPECT_EQ(short_names(List{"1/s/mask.nii", "2/s/mask.nii", "other.nii"}, Ending::drop),
            (List{"1/s/mask", "2/s/mask", "other"}));
  EXPECT_EQ(short_names(List{"1/mask.nii", "2/mask.nii", "3/other.nii"}, Ending::drop),
            (List{"1/mask", "2/mask", "other"}));
}

TEST(Legends, AreNeverTheSame) {
  EXPECT_EQ(short_names(List{"a.nii", "a.nii", "a.png"}, Ending::drop), (List{"a", "a (2)", "a (3)"}));
  EXPECT_EQ(short_names(List{"a (2).nii", "a.nii", "a.nii"}, Ending::drop), (List{"a (2)", "a", "a (3)"}));
}

TEST(Legends, TellSegmentsApart) {
  EXPECT_EQ(short_names(List{"d/s.seg.nrrd#Ann", "d/s.seg.nrrd#Bob/1"}, Ending::drop),
            (List{"s#Ann", "s#Bob/1"}));
}

TEST(Legends, AreFitForATerminal) {
  EXPECT_EQ(short_names(List{"a\nb.nii"}, Ending::drop).front().find('\n'), std::string::npos);
}

TEST(Names, OfACaseIsTheInnermostCommonFolder) {
  EXPECT_EQ(case_name({"/d/case-7/a.nii", "/d/case-7/b.nii"}), "case-7");
  EXPECT_EQ(case_name({"/d/case-7/r1/a.nii", "/d/case-7/r2/a.nii"}), "case-7");
  EXPECT_EQ(case_name({"/a.nii"}), "case");
}

}  // namespace
}  // namespace crema::raters
