// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string_view>

namespace crema::cli {

/// Whoever read standard output wants no more of it, as `head` does.
struct OutputClosed : std::exception {};

/// Writes a result to standard output. Throws FileError when it cannot be written, OutputClosed when nobody
/// reads it.
void print(std::string_view text);

/// Throws FileError unless everything printed has left the program.
void flush_output();

/// Writes to standard error for people to read; failing to do so is no error.
void say(std::string_view text);

/// The same two for lines that people read: those too long for a terminal are broken at blanks.
void print_lines(std::string_view text);
void say_lines(std::string_view text);

/// Whether people are looking at standard error.
bool talking_to_a_terminal();

}  // namespace crema::cli
