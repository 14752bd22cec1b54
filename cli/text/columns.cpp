// SPDX-License-Identifier: Apache-2.0
#include "cli/text/columns.h"

#include <fmt/format.h>

#include "crema/records/units.h"

namespace crema::cli {
namespace {

std::string in_words(const std::string& text, int) { return text; }
std::string in_words(std::int64_t number, int) { return fmt::format("{}", number); }
std::string in_words(double number, int places) { return fmt::format("{:.{}f}", number, places); }
std::string in_words(bool truth, int) { return truth ? "yes" : "no"; }
std::string in_words(Undefined, int) { return "–"; }

}  // namespace

std::string shown(const Cell& cell, int places) {
  return std::visit([&](const auto& held) { return in_words(held, places); }, cell.content());
}

bool in_another_unit(const Cell& cell) {
  const auto* reason = std::get_if<Undefined>(&cell.content());
  return reason != nullptr && concerns_units(*reason);
}

std::vector<std::string_view> alternatives(std::string_view pick) {
  std::vector<std::string_view> names;
  for (std::size_t at = 0; at <= pick.size();) {
    const std::size_t end = std::min(pick.find('|', at), pick.size());
    names.push_back(pick.substr(at, end - at));
    at = end + 1;
  }
  return names;
}

}  // namespace crema::cli
