// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crema/base/warning.h"

namespace crema::cli {

struct Command;
class Parser;

/// One run of the program, as its command sees it.
struct Session {
  std::span<const Command> commands;   ///< the whole table, for what is generated from it
  std::vector<std::string> arguments;  ///< as typed, the program first
  Warnings warnings;                   ///< sentences shown once, counted, at the end
  bool quiet = false;                  ///< errors only
};

/// Does the work and returns an exit code; failures are thrown.
using Run = std::function<int(Session&)>;

struct Example {
  std::string_view purpose;
  std::string_view line;  ///< ready to paste
};

/// What the program can do, one row each. Help, manual and completion are generated from it.
struct Command {
  std::string_view name;
  std::string_view summary;  ///< one line, no full stop
  std::vector<Example> examples;
  std::string_view description;  ///< paragraphs, separated by empty lines
  /// Declares the options, each bound to a field the returned function keeps.
  Run (*declare)(Parser&);
};

/// The options of a command, with those of every command: --help.
Run declare(const Command& command, Parser& parser);

/// Makes the table; a function, so that a lack of memory meets somebody who can report it.
using Commands = std::vector<Command> (*)();

/// Picks the command, parses, runs, reports; returns the exit code. Nothing is thrown.
int run_program(Commands commands, std::span<char* const> arguments) noexcept;

}  // namespace crema::cli
