// SPDX-License-Identifier: Apache-2.0
#include "cli/options/describe.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/options/options.h"

namespace crema::cli {
namespace {

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
  Parser parser;
  // The function is dropped; only what it was declared with is looked at.
  declare(command, parser);
  CommandText text{command, parser.options(), {}};
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
