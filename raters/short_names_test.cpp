// SPDX-License-Identifier: Apache-2.0
#include "raters/short_names.h"

#include <gtest/gtest.h>

namespace crema::raters {
namespace {

using Names = std::vector<std::string>;

TEST(ShortNames, AreFileNamesWithoutTheirEndings) {
  EXPECT_EQ(short_names(Names{"a/ann.nii.gz", "a/bob.png", "c.x.nrrd"}), (Names{"ann", "bob", "c.x"}));
  EXPECT_EQ(short_names(Names{"ann.txt", ".nii"}), (Names{"ann.txt", ".nii"}));
}

TEST(ShortNames, HaveFoldersWhereFilesAreNamedAlike) {
  EXPECT_EQ(short_names(Names{"ann/mask.nii", "bob/mask.nii"}), (Names{"ann/mask", "bob/mask"}));
  EXPECT_EQ(short_names(Names{"1/s/mask.nii", "2/s/mask.nii", "other.nii"}),
            (Names{"1/s/mask", "2/s/mask", "other"}));
}

TEST(ShortNames, AreNeverTheSame) {
  EXPECT_EQ(short_names(Names{"a.nii", "a.nii", "a.png"}), (Names{"a", "a (2)", "a (3)"}));
  EXPECT_EQ(short_names(Names{"a (2).nii", "a.nii", "a.nii"}), (Names{"a (2)", "a", "a (3)"}));
}

TEST(ShortNames, TellSegmentsApart) {
  EXPECT_EQ(short_names(Names{"d/s.seg.nrrd#Ann", "d/s.seg.nrrd#Bob/1"}), (Names{"s#Ann", "s#Bob/1"}));
}

TEST(ShortNames, AreFitForATerminal) {
  EXPECT_EQ(short_names(Names{"a\nb.nii"}).front().find('\n'), std::string::npos);
}

}  // namespace
}  // namespace crema::raters
