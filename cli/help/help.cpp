// SPDX-License-Identifier: Apache-2.0
#include "cli/help/help.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/options/options.h"
#include "cli/shell/exit.h"
#include "crema/base/version.h"

namespace crema::cli {
namespace {

constexpr Example kFirstSteps[] = {
    {"five raters of one organ", "crema demo -o demo --kind organ"},
    {"can they be fused?", "crema check demo/rater-*"},
    {"one consensus of all", "crema fuse demo/rater-* -o consensus.nii.gz"},
    {"all methods, into a folder", "crema fuse demo/rater-* -o results --method all"},
    {"what they do, whom to cite", "crema methods"},
};

/// A command as lines that can be pasted: what is too long goes on below, before an option where possible.
std::string pasted(std::string_view command, std::size_t width) {
  std::string text = "  ";
  std::size_t used = 2;
  std::vector<std::string> words = split(command, ' ');
  for (std::size_t i = 1; i < words.size();) {
    // An option keeps its value.
    const bool pair = words[i].starts_with('-') && i + 1 < words.size() && !words[i + 1].starts_with('-');
    if (pair) words[i] += " " + words[i + 1], words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    ++i;
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool last = i + 1 == words.size();
    if (i > 0 && used + 1 + width_of(words[i]) + (last ? 0 : 2) > width) {
      text += " \\\n     ";
      used = 5;
    }
    text += (i == 0 ? "" : " ") + words[i];
    used += (i == 0 ? 0 : 1) + width_of(words[i]);
  }
  return text + "\n";
}

/// Each on one line with its purpose behind it, or below its purpose where that would be too wide.
std::string list_examples(std::span<const Example> examples, std::size_t width) {
  std::size_t widest = 0, purpose = 0;
  for (const Example& example : examples) {
    widest = std::max(widest, width_of(example.line));
    purpose = std::max(purpose, width_of(example.purpose));
  }
  const bool beside = 2 + widest + 4 + purpose <= width;
  std::string text;
  for (const Example& example : examples)
    text += beside ? fmt::format("  {:<{}}  # {}\n", example.line, widest, example.purpose)
                   : fmt::format("  # {}\n{}", example.purpose, pasted(example.line, width));
  return text;
}

/// A heading, broken before a bar where it lists more words than fit.
std::string broken_head(const std::string& head, std::size_t width) {
  std::string text = "  ";
  std::size_t used = 2;
  const std::vector<std::string> words = split(head, '|');
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string word = (i == 0 ? "" : "|") + words[i];
    if (i > 0 && used + width_of(word) > width) {
      text += "\n      ";
      used = 6;
    }
    text += word;
    used += width_of(word);
  }
  return text + "\n";
}

/// A heading with its text to the right of it, or below when the heading is long.
std::string entry(const std::string& head, std::string_view text, std::size_t width) {
  const std::size_t column = std::min<std::size_t>(30, width / 3);
  std::string body = wrap(text, column, width);
  if (width_of(head) + 4 > column) return broken_head(head, width) + body;
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

std::string command_help(const CommandText& command, std::size_t width) {
  std::string text = "Examples:\n" + list_examples(command.command.examples, width);
  text += fmt::format("\nUsage: {}\n\n", command.usage);
  text += wrap(fmt::format("{}.\n{}", command.command.summary, command.command.description), 2, width);
  for (const std::string& group : groups(command)) {
    text += fmt::format("\n{}:\n", group);
    for (const OptionText& option : command.options)
      if (option.group == group) text += entry(heading(option), option.text, width);
  }
  return text;
}

std::string group_help(std::span<const Command> commands, std::size_t width) {
  std::vector<Example> examples;
  for (const Command& command : commands) examples.push_back(command.examples.front());
  std::string text = "Examples:\n" + list_examples(examples, width) + "\nCommands:\n";
  for (const Command& command : commands) text += entry(std::string(command.name), command.summary, width);
  return text + fmt::format("\n'crema {} --help' explains this command; every command has its own help.\n",
                            commands.front().name);
}

std::string short_help(std::span<const Command> commands, std::size_t width) {
  std::string text = "First steps:\n" + list_examples(first_steps(), width);
  text += "\nUsage: crema COMMAND [options]\n\nCommands:\n";
  for (const Command& command : commands) text += entry(std::string(command.name), command.summary, width);
  return text;
}

std::string program_help(std::span<const Command> commands, std::size_t width) {
  std::string text = short_help(commands, width) + "\nOptions:\n";
  text += entry("-h, --help", "Print this help; 'crema COMMAND --help' explains a command.", width);
  text += entry("--version", "Print the version.", width);
  text += "\nExit codes:\n";
  for (const ExitMeaning& meaning : exit_meanings())
    text += entry(std::to_string(meaning.code), meaning.meaning, width);
  return text;
}

}  // namespace crema::cli
