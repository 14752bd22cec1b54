// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "cli/options/describe.h"

namespace crema::cli {

/// docs/cli.md: every command with its help.
std::string markdown_manual(std::span<const CommandText> commands);

/// crema.1, in man macros.
std::string program_man_page(std::span<const CommandText> commands);

/// crema-fuse.1 and its like.
std::string command_man_page(const CommandText& command);

}  // namespace crema::cli
