// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/help.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/shell/exit.h"
#include "cli/shell/options.h"
#include "crema/version.h"

namespace crema::cli {
namespace {

constexpr Example kFirstSteps[] = {
    {"five raters who drew the same organ", "crema demo -o demo --kind organ"},
    {"are the masks fit to be fused?", "crema check demo/rater-*.nii.gz"},
    {"one consensus of all raters", "crema fuse demo/rater-*.nii.gz -o consensus.nii.gz"},
    {"every method at once, into a folder", "crema fuse demo/rater-*.nii.gz -o results --method all"},
    {"what the methods do, and whom to cite", "crema methods"},
};

/// Letters, not bytes.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string list_examples(std::span<const Example> examples) {
  std::size_t widest = 0;
  for (const Example& example : examples) widest = std::max(widest, example.line.size());
  std::string text;
  for (const Example& example : examples)
    text += fmt::format("  {:<{}}  # {}\n", example.line, widest, example.purpose);
  return text;
}

/// A heading with its text to the right of it, or below when the heading is long.
std::string entry(const std::string& head, std::string_view text) {
  constexpr std::size_t column = 30;
  std::string body = wrap(text, column);
  if (width_of(head) + 4 > column) return fmt::format("  {}\n{}", head, body);
  return fmt::format("  {}{}", head, body.substr(2 + width_of(head)));
}

}  // namespace

std::span<const Example> first_steps() { return kFirstSteps; }

std::string wrap(std::string_view text, std::size_t indent, std::size_t width) {
  std::string wrapped;
  for (const std::string& paragraph : split(text, '\n')) {
    std::string line;
    for (const std::string& word : split(paragraph, ' ')) {
      if (!line.empty() && indent + width_of(line) + 1 + width_of(word) > width) {
        wrapped += std::string(indent, ' ') + line + "\n";
        line.clear();
      }
      line += (line.empty() ? "" : " ") + word;
    }
    wrapped += line.empty() ? "\n" : std::string(indent, ' ') + line + "\n";
  }
  return wrapped;
}

std::string command_help(const CommandText& command) {
  std::string text = "Examples:\n" + list_examples(command.command.examples);
  text += fmt::format("\nUsage: {}\n\n", command.usage);
  text += wrap(fmt::format("{}.\n{}", command.command.summary, command.command.description), 2);
  for (const std::string& group : groups(command)) {
    text += fmt::format("\n{}:\n", group);
    for (const OptionText& option : command.options)
      if (option.group == group) text += entry(heading(option), option.text);
  }
  return text;
}

std::string short_help(std::span<const Command> commands) {
  std::string text = "First steps:\n" + list_examples(first_steps());
  text += "\nUsage: crema COMMAND [options]\n\nCommands:\n";
  for (const Command& command : commands) text += entry(std::string(command.name), command.summary);
  return text;
}

std::string program_help(std::span<const Command> commands) {
  std::string text = short_help(commands) + "\nOptions:\n";
  text += entry("-h, --help", "Print this help; 'crema COMMAND --help' tells more.");
  text += entry("--version", "Print the version.");
  text += "\nExit codes:\n";
  for (const ExitMeaning& meaning : exit_meanings())
    text += entry(std::to_string(meaning.code), meaning.meaning);
  return text;
}

}  // namespace crema::cli
