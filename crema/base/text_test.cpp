// SPDX-License-Identifier: Apache-2.0
#include "crema/base/text.h"

#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "crema/base/utf8.h"
#include "crema/counts/solve_options.h"

namespace crema {
namespace {

TEST(Text, OnlyWhatMustBeIsEscaped) {
  EXPECT_EQ(printable("O'Brien \"x\""), "O'Brien \"x\"");
  EXPECT_EQ(printable("a\\b\n\x1b"), "a\\\\b\\n\\x1b");
}

TEST(Text, MarksThatTurnTheWritingAroundAreEscaped) {
  EXPECT_EQ(printable("a\u202Eb\uFEFF\u00E9\U0001F600"), "a\\u202eb\\ufeff\u00E9\U0001F600");
  EXPECT_EQ(printable("\xED\xA0\x80\xC3"), "\\xed\\xa0\\x80\\xc3");
}

TEST(Text, EveryCharacterReadsBackFromUtf8) {
  for (std::uint32_t point = 0; point <= 0x10FFFF; ++point) {
    if (point >= 0xD800 && point <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, point);
    ASSERT_EQ(character_length(text), text.size()) << point;
    ASSERT_EQ(character_at_start(text + "x", text.size()), point);
  }
}

TEST(Text, OneIsNotSeveral) {
  EXPECT_EQ(crema::counted(1, "voxel"), "1 voxel");
  EXPECT_EQ(crema::counted(0, "voxel"), "0 voxels");
  EXPECT_EQ(crema::counted(2, "mask is", "masks are"), "2 masks are");
}

TEST(Text, EveryWordOfAListIsFoundByItsPlace) {
  const std::vector<std::string> words = split(kBlocksWords, '|');
  ASSERT_EQ(words.size(), 4U);
  for (std::size_t place = 0; place < words.size(); ++place)
    EXPECT_EQ(word_at(kBlocksWords, place), words[place]);
  EXPECT_EQ(word_of(Blocks::group, kBlocksWords), "group");
  EXPECT_EQ(word_at("one", 0), "one");
}

TEST(Suggest, CountsInsertDeleteReplaceAndSwap) {
  EXPECT_EQ(edits_between("dice", "dice"), 0);
  EXPECT_EQ(edits_between("dce", "dice"), 1);
  EXPECT_EQ(edits_between("dicee", "dice"), 1);
  EXPECT_EQ(edits_between("dise", "dice"), 1);
  EXPECT_EQ(edits_between("dcie", "dice"), 1);
  EXPECT_EQ(edits_between("", "dice"), 4);
  EXPECT_EQ(edits_between("kitten", "sitting"), 3);
}

RC_GTEST_PROP(Suggest, EditsAreTheSameBothWays, (const std::string& a, const std::string& b)) {
  RC_ASSERT(edits_between(a, b) == edits_between(b, a));
  RC_ASSERT((edits_between(a, b) == 0) == (a == b));
}

TEST(Suggest, NamesTheNearest) {
  const std::vector<std::string> known = {"--method", "--threads", "--threshold"};
  EXPECT_EQ(suggestion("--thread", known), " Did you mean --threads?");
  EXPECT_EQ(suggestion("--treshold", known), " Did you mean --threshold?");
}

TEST(Suggest, SaysNothingWhenNoneIsNear) {
  const std::vector<std::string> known = {"--method", "--threads"};
  EXPECT_EQ(suggestion("--verbose", known), "");
  EXPECT_EQ(suggestion("anything", {}), "");
}

TEST(Quote, LeavesPlainNamesAlone) { EXPECT_EQ(shell_quote("demo/rater-1.nii.gz"), "demo/rater-1.nii.gz"); }

TEST(Quote, PutsSpacesAndPatternsInQuotes) {
  EXPECT_EQ(shell_quote("my demo/"), "'my demo/'");
  EXPECT_EQ(shell_quote("*"), "'*'");
  EXPECT_EQ(shell_quote("$HOME"), "'$HOME'");
  EXPECT_EQ(shell_quote("~x"), "'~x'");
  EXPECT_EQ(shell_quote(""), "''");
}

TEST(Quote, AQuoteSurvivesInsideQuotes) { EXPECT_EQ(shell_quote("a'b"), "'a'\\''b'"); }

TEST(Quote, ControlCharactersAndOddBytesAreWrittenAsNumbers) {
  EXPECT_EQ(shell_quote("a\nb"), "$'a\\012b'");
  EXPECT_EQ(shell_quote("\xff'"), "$'\\377\\''");
}

}  // namespace
}  // namespace crema
