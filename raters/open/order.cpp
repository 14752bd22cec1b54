// SPDX-License-Identifier: Apache-2.0
#include "raters/open/order.h"

#include <algorithm>

#include <fmt/format.h>

#include "files/files.h"

namespace crema::raters {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Takes the digits at the start of the text off it, and zeros before them.
std::string_view take_number(std::string_view& text) {
  std::size_t length = 0;
  while (length < text.size() && is_digit(text[length])) ++length;
  std::string_view number = text.substr(0, length);
  text.remove_prefix(length);
  while (number.size() > 1 && number.front() == '0') number.remove_prefix(1);
  return number;
}

/// Whether two names are the same but for their numbers: others differ in words.
bool differ_in_numbers(std::string_view a, std::string_view b) {
  const auto words = [](std::string_view text) {
    std::string kept(text);
    std::erase_if(kept, is_digit);
    return kept;
  };
  return words(a) == words(b);
}

}  // namespace

bool naturally_before(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const std::string_view x = take_number(a), y = take_number(b);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
    } else {
      // As paths are sorted: bytes of names that are not English are above all letters.
      if (a.front() != b.front())
        return static_cast<unsigned char>(a.front()) < static_cast<unsigned char>(b.front());
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return a.size() < b.size();
}

Warnings warnings_about_order(const std::vector<std::filesystem::path>& paths) {
  if (!std::is_sorted(paths.begin(), paths.end(),
                      [](const auto& a, const auto& b) { return a.native() < b.native(); }))
    return {};  // somebody chose an order
  for (std::size_t k = 1; k < paths.size(); ++k) {
    const std::string &before = paths[k - 1].native(), &own = paths[k].native();
    if (!naturally_before(own, before) || !differ_in_numbers(own, before)) continue;
    return {
        {fmt::format("{} is rater {} and {} is rater {}: raters are numbered in the given order. To number "
                     "them by name, give them in that order or pad the numbers with zeros (02, 10).",
                     files::printable(paths[k - 1]), k, files::printable(paths[k]), k + 1),
         WarningKind::order}};
  }
  return {};
}

}  // namespace crema::raters
