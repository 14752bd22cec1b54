// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace crema {

/// How many bytes the character at the start of the text takes; 0 when it is none of UTF-8's.
/// The text must not be empty.
std::size_t character_length(std::string_view text);

/// The number of the character at the start of the text, which takes `length` bytes there.
std::uint32_t character_at_start(std::string_view text, std::size_t length);

/// Whether all of it is UTF-8.
bool is_utf8(std::string_view text);

/// Appends a character by its number, which has to be one of Unicode's.
void append_utf8(std::string& text, std::uint32_t point);

}  // namespace crema
