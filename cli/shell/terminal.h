// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Who reads what is printed: how wide their window is, and whether they see colours.
namespace crema::cli {

enum class Stream : std::uint8_t { output, error };

inline constexpr std::size_t kUsualWidth = 80;

/// Letters that fit into a line: COLUMNS where it is set, else the terminal's width, else 80; between 60 and
/// 120.
std::size_t text_width(Stream stream);

/// What a text is, for those who see colours.
enum class Tone : std::uint8_t { error, warning, heading };

/// The text in the colour of its tone where the stream is a terminal; as it is elsewhere, with NO_COLOR, and
/// on a terminal that is dumb.
std::string toned(Tone tone, std::string_view text, Stream stream);

/// Lines that begin at the margin and end with a colon become headings; so does "Usage:".
std::string with_headings(std::string_view text, Stream stream);

/// Letters as they stand in a column: what continues a letter of UTF-8 takes no room, nor does a colour.
std::size_t width_of(std::string_view text);

/// A sentence for a place `indent` letters from the margin. Where the stream is a terminal it is broken at
/// spaces into lines that fit, which start below each other; elsewhere it stays whole, for those who search
/// it.
std::string fitted(std::string_view text, std::size_t indent, Stream stream);

/// Lines for a stream, each fitted: one that is broken goes on below its text, behind its name or its blanks.
std::string fitted_lines(std::string_view text, Stream stream);

}  // namespace crema::cli
