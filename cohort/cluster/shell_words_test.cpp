// SPDX-License-Identifier: Apache-2.0
#include "cohort/cluster/shell_words.h"

#include <gtest/gtest.h>

#include "crema/base/error.h"
#include "crema/base/text.h"

namespace crema::cohort {
namespace {

using Words = std::vector<std::string>;

TEST(ShellWords, AreSplitWhereAShellSplits) {
  EXPECT_EQ(shell_words(""), Words{});
  EXPECT_EQ(shell_words("  --mem=4G\t--time=2:00:00 "), (Words{"--mem=4G", "--time=2:00:00"}));
  EXPECT_EQ(shell_words(R"(--comment="two words" 'it''s' a\ b "" "q\"\\\n")"),
            (Words{"--comment=two words", "its", "a b", "", "q\"\\\\n"}));
  EXPECT_EQ(shell_words("apptainer exec img.sif crema"), (Words{"apptainer", "exec", "img.sif", "crema"}));
  EXPECT_EQ(shell_words("a~b a#b 50%A '$HOME' \\$x"), (Words{"a~b", "a#b", "50%A", "$HOME", "$x"}));
}

TEST(ShellWords, AreWhatWasQuoted) {
  for (const std::string word : {"plain", "it's", "two words", "$(touch x)", "a\\b", "\"", "--x=*?[a]", "~"})
    EXPECT_EQ(shell_words(shell_quote(word)), Words{word});
}

TEST(ShellWords, AreRefusedWhereAShellWouldDoMore) {
  for (const char* line :
       {"$HOME/crema", "a;b", "a&", "a|b", ">x", "`x`", "\"$x\"", "~/crema", "#x", "*.sif", "(x)"})
    EXPECT_THROW(shell_words(line), UsageError) << line;
  for (const char* line : {"'x", "\"x", "x\\", "\"x\\"}) EXPECT_THROW(shell_words(line), UsageError) << line;
}

}  // namespace
}  // namespace crema::cohort
