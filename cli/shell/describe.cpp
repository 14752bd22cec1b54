// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/describe.h"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/shell/options.h"

namespace crema::cli {
namespace {

OptionText describe_option(const CLI::Option& option) {
  OptionText text;
  for (const auto& name : option.get_snames()) text.names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) text.names.push_back("--" + name);
  text.positional = text.names.empty();
  text.value = option.get_items_expected_max() == 0 ? "" : option.get_type_name();
  text.text = option.get_description();
  text.group = option.get_group();
  text.required = option.get_required();
  return text;
}

std::string usage_of(const CommandText& text) {
  std::string usage = fmt::format("crema {}", text.command.name);
  for (const OptionText& option : text.options)
    if (option.positional) usage += " " + option.value;
  for (const OptionText& option : text.options)
    if (option.required && !option.positional)
      usage += fmt::format(" {} {}", option.names.front(), option.value);
  return usage + " [options]";
}

}  // namespace

CommandText describe(const Command& command) {
  CLI::App app;
  prepare(app);
  // The function is dropped; only what it was declared with is looked at.
  command.declare(app);
  CommandText text{command, {}, {}};
  for (const CLI::Option* option : app.get_options()) text.options.push_back(describe_option(*option));
  // --help is declared first by the parser and read last by people.
  std::rotate(text.options.begin(), text.options.begin() + 1, text.options.end());
  text.usage = usage_of(text);
  return text;
}

std::vector<CommandText> describe(std::span<const Command> commands) {
  std::vector<CommandText> texts;
  for (const Command& command : commands) texts.push_back(describe(command));
  return texts;
}

std::string heading(const OptionText& option) {
  if (option.positional) return option.value;
  return fmt::format("{}{}{}", fmt::join(option.names, ", "), option.value.empty() ? "" : " ", option.value);
}

std::vector<std::string> choices(const OptionText& option) {
  std::string value = option.value;
  std::erase_if(value, [](char c) { return c == '[' || c == ']'; });
  if (value.find('|') == std::string::npos) return {};
  std::vector<std::string> words = split(value, '|');
  std::erase_if(words, [](const std::string& word) { return word.front() >= 'A' && word.front() <= 'Z'; });
  return words;
}

bool takes_path(const OptionText& option) {
  static const std::vector<std::string> paths = {"FILE",      "DIR",  "OUT", "RATER...", "FILE...",
                                                 "CONSENSUS", "DATA", "RUN", "RUN..."};
  return std::find(paths.begin(), paths.end(), option.value) != paths.end();
}

std::vector<std::string> groups(const CommandText& command) {
  std::vector<std::string> found;
  for (const OptionText& option : command.options)
    if (std::find(found.begin(), found.end(), option.group) == found.end()) found.push_back(option.group);
  return found;
}

}  // namespace crema::cli
