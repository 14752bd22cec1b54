// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/shell/command.h"

namespace crema::cli {

/// An option as declared, for everything that is generated from the declarations.
struct OptionText {
  std::vector<std::string> names;  ///< "-o", "--output"; empty for a positional
  std::string value;               ///< "OUT", "x|y|z"; empty for a flag
  std::string text;
  std::string group;
  bool required = false;
  bool positional = false;
};

/// A command with all its options, those of every command included.
struct CommandText {
  Command command;
  std::vector<OptionText> options;  ///< in order of declaration, grouped
  std::string usage;                ///< "crema fuse RATER... -o OUT [options]"
};

CommandText describe(const Command& command);
std::vector<CommandText> describe(std::span<const Command> commands);

/// "-o, --output OUT"
std::string heading(const OptionText& option);

/// The words that may follow the option, if it lists them.
std::vector<std::string> choices(const OptionText& option);

/// Whether the option's value is a file or folder.
bool takes_path(const OptionText& option);

/// The groups of the options, each once, in order of declaration.
std::vector<std::string> groups(const CommandText& command);

}  // namespace crema::cli
