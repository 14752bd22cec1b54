// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/options/parser.h"
#include "cli/shell/command.h"

namespace crema::cli {

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

/// Whether the option's value is a file or folder.
bool takes_path(const OptionText& option);

/// The groups of the options, each once, in order of declaration.
std::vector<std::string> groups(const CommandText& command);

}  // namespace crema::cli
