// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace crema::cli {

/// Writes a result to standard output. Throws FileError when it cannot be written.
void print(std::string_view text);

/// Throws FileError unless everything printed has left the program.
void flush_output();

/// Writes to standard error for people to read; failing to do so is no error.
void say(std::string_view text);

/// Whether people are looking at standard error.
bool talking_to_a_terminal();

}  // namespace crema::cli
