// SPDX-License-Identifier: Apache-2.0
#include "cli/options/describe.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace crema::cli {
namespace {

Run declare_mixed(Parser& parser) {
  parser.add("RATER", {.value = "RATER...", .group = "Input", .positional = true, .takes = Takes::many}, {});
  parser.require(parser.add("-o,--output", {.value = "OUT", .group = "Output"}, {}));
  parser.add("--quiet", {.group = "Output", .takes = Takes::nothing}, {});
  return {};
}

const Command kMixed{"mix", "Mix", {}, "", declare_mixed};

TEST(Describe, UsageNamesWhatIsRequired) {
  EXPECT_EQ(describe(kMixed).usage, "crema mix RATER... -o OUT [options]");
}

TEST(Describe, GroupsComeOnceInTheOrderOfDeclaration) {
  const std::vector<std::string> found = groups(describe(kMixed));
  ASSERT_GE(found.size(), 2U);
  EXPECT_EQ(found[0], "Input");
  EXPECT_EQ(found[1], "Output");
}

TEST(Describe, HeadingsHaveAllNamesAndPathsAreKnown) {
  const CommandText text = describe(kMixed);
  ASSERT_GE(text.options.size(), 3U);
  EXPECT_EQ(heading(text.options[0]), "RATER...");
  EXPECT_EQ(heading(text.options[1]), "-o, --output OUT");
  EXPECT_EQ(heading(text.options[2]), "--quiet");
  EXPECT_TRUE(takes_path(text.options[0]) && takes_path(text.options[1]));
  EXPECT_FALSE(takes_path(text.options[2]));
}

}  // namespace
}  // namespace crema::cli
