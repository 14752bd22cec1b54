// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Small things about text that people typed or will read.
namespace crema {

/// Fit for a terminal: control characters, quotes and bytes that are not UTF-8 are escaped.
std::string printable(std::string_view text);

std::vector<std::string> split(std::string_view text, char separator);

/// Without blanks at its ends.
std::string_view trimmed(std::string_view text);

/// Letters to insert, delete, replace or swap with their neighbour to turn one word into the other.
int edits_between(std::string_view a, std::string_view b);

/// " Did you mean X?" for the candidate nearest to what was typed; empty when none is near.
std::string suggestion(std::string_view typed, std::span<const std::string> candidates);

}  // namespace crema
