// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "cli/options/describe.h"

namespace crema::cli {

/// Completion scripts, generated from what the commands declare.
std::string bash_completion(std::span<const CommandText> commands);
std::string zsh_completion(std::span<const CommandText> commands);
std::string fish_completion(std::span<const CommandText> commands);

}  // namespace crema::cli
