// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/quote.h"

#include <algorithm>

#include <fmt/format.h>

namespace crema::cli {
namespace {

bool is_plain(char c) {
  constexpr std::string_view marks = "_./-+=,@%:";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         marks.find(c) != std::string_view::npos;
}

/// Control characters, and bytes a terminal may not show.
bool needs_escape(char c) {
  return static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f;
}

std::string escape(std::string_view word) {
  std::string quoted = "$'";
  for (char c : word) {
    if (needs_escape(c))
      quoted += fmt::format("\\{:03o}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    else if (c == '\'' || c == '\\')
      quoted += {'\\', c};
    else
      quoted += c;
  }
  return quoted + "'";
}

}  // namespace

std::string shell_quote(std::string_view word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return std::string(word);
  if (std::any_of(word.begin(), word.end(), needs_escape)) return escape(word);
  std::string quoted = "'";
  for (char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace crema::cli
