// SPDX-License-Identifier: Apache-2.0
#include "crema/base/text.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "crema/base/utf8.h"

namespace crema {
namespace {

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
    case '\\':
      return "\\\\";
    default:
      return point < 0x80 ? fmt::format("\\x{:02x}", point) : fmt::format("\\u{:04x}", point);
  }
}

bool is_plain_in_shell(char c) {
  constexpr std::string_view marks = "_./-+=,@%:";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         marks.find(c) != std::string_view::npos;
}

/// Control characters, and bytes a terminal may not show.
bool is_odd_in_shell(char c) {
  return static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f;
}

std::string escaped_for_shell(std::string_view word) {
  std::string quoted = "$'";
  for (char c : word) {
    if (is_odd_in_shell(c))
      quoted += fmt::format("\\{:03o}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    else if (c == '\'' || c == '\\')
      quoted += {'\\', c};
    else
      quoted += c;
  }
  return quoted + "'";
}

}  // namespace

std::string printable(std::string_view name) {
  std::string result;
  for (std::size_t i = 0; i < name.size();) {
    const std::size_t length = character_length(name.substr(i));
    if (length == 0) {
      result += fmt::format("\\x{:02x}", static_cast<std::uint8_t>(name[i++]));
      continue;
    }
    const std::uint32_t point = character_at_start(name.substr(i), length);
    result += point == '\\' || unfit(point) ? escaped(point) : std::string(name.substr(i, length));
    i += length;
  }
  return result;
}

std::string counted_text(std::int64_t number, std::string_view one, std::string_view several) {
  if (number == 1) return fmt::format("1 {}", one);
  return several.empty() ? fmt::format("{} {}s", number, one) : fmt::format("{} {}", number, several);
}

std::string_view word_at(std::string_view words, std::size_t place) {
  for (; place > 0; --place) words.remove_prefix(words.find('|') + 1);
  return words.substr(0, words.find('|'));
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

int edits_between(std::string_view a, std::string_view b) {
  std::vector<int> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  std::iota(last.begin(), last.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

std::optional<std::size_t> nearest(std::string_view typed, std::span<const std::string> candidates) {
  std::optional<std::size_t> found;
  // A third of the letters may be wrong, and always one.
  int fewest = std::max(1, static_cast<int>(typed.size()) / 3) + 1;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const int edits = edits_between(typed, candidates[i]);
    if (edits < fewest) {
      fewest = edits;
      found = i;
    }
  }
  return found;
}

std::string suggestion(std::string_view typed, std::span<const std::string> candidates) {
  const std::optional<std::size_t> found = nearest(typed, candidates);
  return found ? fmt::format(" Did you mean {}?", candidates[*found]) : std::string();
}

std::string shell_quote(std::string_view word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain_in_shell)) return std::string(word);
  if (std::any_of(word.begin(), word.end(), is_odd_in_shell)) return escaped_for_shell(word);
  std::string quoted = "'";
  for (char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace crema
