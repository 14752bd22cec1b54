// SPDX-License-Identifier: Apache-2.0
#include "raters/open/legend_names.h"

#include <gtest/gtest.h>

namespace crema::raters {
namespace {

using Names = std::vector<std::string>;

TEST(LegendNames, AreFileNamesWithoutTheirEndings) {
  EXPECT_EQ(legend_names(Names{"a/ann.nii.gz", "a/bob.png", "c.x.nrrd"}), (Names{"ann", "bob", "c.x"}));
  EXPECT_EQ(legend_names(Names{"ann.txt", ".nii"}), (Names{"ann.txt", ".nii"}));
}

TEST(LegendNames, HaveFoldersWhereFilesAreNamedAlike) {
  EXPECT_EQ(legend_names(Names{"ann/mask.nii", "bob/mask.nii"}), (Names{"ann/mask", "bob/mask"}));
  EXPECT_EQ(legend_names(Names{"1/s/mask.nii", "2/s/mask.nii", "other.nii"}),
            (Names{"1/s/mask", "2/s/mask", "other"}));
}

TEST(LegendNames, AreNeverTheSame) {
  EXPECT_EQ(legend_names(Names{"a.nii", "a.nii", "a.png"}), (Names{"a", "a (2)", "a (3)"}));
  EXPECT_EQ(legend_names(Names{"a (2).nii", "a.nii", "a.nii"}), (Names{"a (2)", "a", "a (3)"}));
}

TEST(LegendNames, TellSegmentsApart) {
  EXPECT_EQ(legend_names(Names{"d/s.seg.nrrd#Ann", "d/s.seg.nrrd#Bob/1"}), (Names{"s#Ann", "s#Bob/1"}));
}

TEST(LegendNames, AreFitForATerminal) {
  EXPECT_EQ(legend_names(Names{"a\nb.nii"}).front().find('\n'), std::string::npos);
}

}  // namespace
}  // namespace crema::raters
