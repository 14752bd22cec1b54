// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "cli/shell/command.h"

/// A command's name is one word, or two where several commands share the first: "cohort run".
namespace crema::cli {

std::string_view first_word(const Command& command);
/// Empty where there is none.
std::string_view second_word(const Command& command);

/// In the name of a file: "cohort-run".
std::string dashed(std::string_view name);

}  // namespace crema::cli
