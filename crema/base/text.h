// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Small things about text that people typed or will read.
namespace crema {

/// Fit for a terminal: control characters, backslashes and bytes that are not UTF-8 are escaped.
std::string printable(std::string_view text);

/// A word as it must be typed into bash or zsh, or stand in a script for bash; printable ASCII whatever it
/// holds.
std::string shell_quote(std::string_view word);

std::string counted_text(std::int64_t number, std::string_view one, std::string_view several);

/// "1 voxel", "12 voxels"; `several` where an s does not do.
template <std::integral Number>
std::string counted(Number number, std::string_view one, std::string_view several = {}) {
  return counted_text(static_cast<std::int64_t>(number), one, several);
}

/// The word at a place in a list such as "x|y|z".
std::string_view word_at(std::string_view words, std::size_t place);

/// An enumerator's word in such a list: its place is the enumerator's value.
template <class Enum>
std::string_view word_of(Enum value, std::string_view words) {
  return word_at(words, static_cast<std::size_t>(value));
}

std::vector<std::string> split(std::string_view text, char separator);

/// Without blanks at its ends.
std::string_view trimmed(std::string_view text);

/// Letters to insert, delete, replace or swap with their neighbour to turn one word into the other.
int edits_between(std::string_view a, std::string_view b);

/// The candidate nearest to what was typed; none where all are far from it.
std::optional<std::size_t> nearest(std::string_view typed, std::span<const std::string> candidates);

/// " Did you mean X?" for the nearest candidate; empty where there is none.
std::string suggestion(std::string_view typed, std::span<const std::string> candidates);

}  // namespace crema
