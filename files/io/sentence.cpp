// SPDX-License-Identifier: Apache-2.0
#include "files/io/sentence.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace crema::files {

namespace {

/// Length of the UTF-8 sequence at the start of the text, 0 when it is none; its code point goes to `point`.
std::size_t decode_utf8(std::string_view text, std::uint32_t& point) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return point = lead, 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  point = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    point = (point << 6) | (byte(i) & 0x3Fu);
  }
  constexpr std::array<std::uint32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
  return point < least[length] || point > 0x10FFFF || surrogate ? 0 : length;
}

/// Control characters, and marks that turn the writing direction around.
bool unfit(std::uint32_t point) {
  return point < 0x20 || (point >= 0x7F && point < 0xA0) || (point >= 0x200B && point <= 0x200F) ||
         (point >= 0x2028 && point <= 0x202E) || (point >= 0x2060 && point <= 0x206F) || point == 0xFEFF;
}

std::string escaped(std::uint32_t point) {
  switch (point) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    case '"':
      return "\\\"";
    case '\'':
      return "\\'";
    case '\\':
      return "\\\\";
    default:
      return point < 0x80 ? fmt::format("\\x{:02x}", point) : fmt::format("\\u{:04x}", point);
  }
}

}  // namespace

std::string printable(const std::filesystem::path& path) {
  const std::string name = path.string();
  std::string result;
  for (std::size_t i = 0; i < name.size();) {
    std::uint32_t point = 0;
    const std::size_t length = decode_utf8(std::string_view(name).substr(i), point);
    if (length == 0) {
      result += fmt::format("\\x{:02x}", static_cast<std::uint8_t>(name[i++]));
      continue;
    }
    const bool special = point == '"' || point == '\'' || point == '\\';
    result += special || unfit(point) ? escaped(point) : name.substr(i, length);
    i += length;
  }
  return result;
}

std::string shape(const Grid& grid) {
  if (grid.flat()) return fmt::format("{}×{}", grid.size[0], grid.size[1]);
  return fmt::format("{}×{}×{}", grid.size[0], grid.size[1], grid.size[2]);
}

std::string bytes_text(double bytes) {
  constexpr std::array<std::string_view, 6> units{"kB", "MB", "GB", "TB", "PB", "EB"};
  if (bytes < 10000) return fmt::format("{:.0f} bytes", bytes);
  std::size_t unit = 0;
  double value = bytes / 1000;
  for (; value >= 1000 && unit + 1 < units.size(); ++unit) value /= 1000;
  return fmt::format("{:.3g} {}", value, units[unit]);
}

}  // namespace crema::files
