// SPDX-License-Identifier: Apache-2.0
#include "files/io/sentence.h"

#include "files/testing.h"

namespace crema::files::testing {
namespace {

TEST(Printable, LeavesOrdinaryNamesAlone) {
  EXPECT_EQ(printable("case 07/räter-3.nii.gz"), "case 07/räter-3.nii.gz");
  EXPECT_EQ(printable("日本語 🫀.png"), "日本語 🫀.png");
  EXPECT_EQ(printable("<script>"), "<script>");
}

TEST(Printable, EscapesControlCharactersAndQuotes) {
  EXPECT_EQ(printable("a\nb\tc\x1b[31m"), "a\\nb\\tc\\x1b[31m");
  EXPECT_EQ(printable("a'b\"c\\d"), "a'b\"c\\\\d");
  EXPECT_EQ(printable("a\x7f"), "a\\x7f");
  EXPECT_EQ(printable("a\u202eb"), "a\\u202eb");
}

TEST(Printable, EscapesBytesThatAreNotUtf8) {
  EXPECT_EQ(printable("\xff.nii"), "\\xff.nii");
  EXPECT_EQ(printable("a\xc3"), "a\\xc3");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

TEST(Printable, IsUsedInRefusals) {
  const Folder folder;
  for (const std::string name : {"a b\n'\".nii", "-x.nii", "\xff\xfe.nii", "<script>.nii"}) {
    EXPECT_EQ(voxels_of(folder.put(name, sound_nifti().bytes())), sound_mask()) << name;
    const std::string text = refusal(folder.put(name, Bytes{}));
    EXPECT_TRUE(has(text, printable(name))) << text;
    EXPECT_FALSE(has(text, "\n"));
  }
  std::string longest(251, 'n');
  longest += ".nii";
  EXPECT_EQ(voxels_of(folder.put(longest, sound_nifti().bytes())), sound_mask());
}

TEST(Sentence, NamesSizesForPeople) {
  EXPECT_EQ(bytes_text(352), "352 bytes");
  EXPECT_EQ(bytes_text(35.2e12), "35.2 TB");
  Grid grid;
  grid.size = {256, 200, 20};
  EXPECT_EQ(shape(grid), "256×200×20");
  grid.size[2] = 1;
  EXPECT_EQ(shape(grid), "256×200");
}

}  // namespace
}  // namespace crema::files::testing
