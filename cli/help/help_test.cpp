// SPDX-License-Identifier: Apache-2.0
#include "cli/help/help.h"

#include <set>

#include <gtest/gtest.h>

#include "cli/commands/commands.h"
#include "cli/help/completion_text.h"
#include "cli/help/manual_text.h"

namespace crema::cli {
namespace {

std::vector<Command> all_commands() {
  return {fuse_command(), check_command(),      methods_command(),
          demo_command(), completion_command(), manual_command()};
}

std::vector<CommandText> all_texts() {
  const auto commands = all_commands();
  return describe(commands);
}

TEST(Help, EveryCommandBeginsWithExamplesOfItself) {
  for (const CommandText& text : all_texts()) {
    EXPECT_TRUE(command_help(text).starts_with("Examples:\n  ")) << text.command.name;
    for (const Example& example : text.command.examples)
      EXPECT_NE(example.line.find("crema " + std::string(text.command.name)), std::string_view::npos)
          << example.line;
  }
}

TEST(Help, EveryOptionHasTextAndOneMeaning) {
  for (const CommandText& text : all_texts()) {
    std::set<std::string> names;
    for (const OptionText& option : text.options) {
      EXPECT_FALSE(option.text.empty()) << heading(option);
      for (const std::string& name : option.names) EXPECT_TRUE(names.insert(name).second) << name;
    }
  }
}

TEST(Help, UsageNamesWhatMustBeGiven) {
  EXPECT_EQ(describe(fuse_command()).usage, "crema fuse RATER... [options]");
  EXPECT_EQ(describe(completion_command()).usage, "crema completion bash|zsh|fish [options]");
}

TEST(Help, EverythingGeneratedNamesEveryOption) {
  const auto texts = all_texts();
  const std::string pages[] = {markdown_manual(texts), bash_completion(texts), zsh_completion(texts)};
  for (const CommandText& text : texts) {
    for (const OptionText& option : text.options) {
      for (const std::string& name : option.names) {
        EXPECT_NE(command_help(text).find(name), std::string::npos) << name;
        for (const std::string& page : pages) EXPECT_NE(page.find(name), std::string::npos) << name;
        const std::string in_fish = name.starts_with("--") ? "-l " + name.substr(2) : "-s " + name.substr(1);
        EXPECT_NE(fish_completion(texts).find(in_fish), std::string::npos) << name;
      }
    }
  }
}

TEST(Help, ChoicesAreReadFromTheDeclaration) {
  OptionText option;
  option.value = "[x|y|z]";
  EXPECT_EQ(choices(option), (std::vector<std::string>{"x", "y", "z"}));
  option.value = "small|full|X,Y,Z";
  EXPECT_EQ(choices(option), (std::vector<std::string>{"small", "full"}));
  option.value = "FILE";
  EXPECT_TRUE(choices(option).empty());
}

TEST(Help, LinesAreBrokenAtSpacesAndParagraphsKept) {
  EXPECT_EQ(wrap("aa bb cc", 2, 7), "  aa bb\n  cc\n");
  EXPECT_EQ(wrap("a\n\nb", 1, 10), " a\n\n b\n");
  EXPECT_EQ(wrap("×× ××", 0, 5), "×× ××\n");
}

}  // namespace
}  // namespace crema::cli
