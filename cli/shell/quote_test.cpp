// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/quote.h"

#include <gtest/gtest.h>

namespace crema::cli {
namespace {

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
}  // namespace crema::cli
