// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "cli/options/describe.h"
#include "cli/shell/command.h"
#include "cli/shell/terminal.h"

namespace crema::cli {

/// Five lines from nothing to a consensus.
std::span<const Example> first_steps();

/// Help of one command: examples first, then usage, then options in groups; in lines of that width.
std::string command_help(const CommandText& command, std::size_t width = kUsualWidth);

/// Commands that share a first word: an example of each, and what they do.
std::string group_help(std::span<const Command> commands, std::size_t width = kUsualWidth);

/// First steps and the commands, for those who typed nothing else.
std::string short_help(std::span<const Command> commands, std::size_t width = kUsualWidth);

/// Help of the program: the same, and all that can be said about it.
std::string program_help(std::span<const Command> commands, std::size_t width = kUsualWidth);

/// Text broken at spaces into lines of at most `width` letters, each after `indent` blanks; paragraphs are
/// kept.
std::string wrap(std::string_view text, std::size_t indent, std::size_t width);

}  // namespace crema::cli
