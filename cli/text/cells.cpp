// SPDX-License-Identifier: Apache-2.0
#include "cli/text/cells.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "cli/shell/terminal.h"
#include "files/files.h"
#include "files/format.h"

namespace crema::cli {
namespace {

bool all_differ(const std::vector<std::string>& names) {
  return std::set(names.begin(), names.end()).size() == names.size();
}

/// Where each letter of UTF-8 starts, and the end.
std::vector<std::size_t> letters(const std::string& text) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((text[i] & 0xC0) != 0x80) starts.push_back(i);
  starts.push_back(text.size());
  return starts;
}

}  // namespace

std::string shortened(const std::string& text, std::size_t width) {
  if (width_of(text) <= width) return text;
  const auto starts = letters(text);
  const std::size_t all = starts.size() - 1, front = (width - 1) / 2, back = width - 1 - front;
  return text.substr(0, starts[front]) + "…" + text.substr(starts[all - back]);
}

std::string decimals(const Measured& measure, int places) {
  return measure.defined() ? fmt::format("{:.{}f}", *measure, places) : "–";
}

std::vector<std::string> narrow_names(const std::vector<std::string>& names, std::size_t width) {
  std::vector<std::string> printed, bare, narrow;
  for (const std::string& name : names) printed.push_back(files::printable(name));
  for (const std::string& name : printed) bare.push_back(files::without_ending(name));
  if (!all_differ(bare)) bare = printed;
  for (const std::string& name : bare) narrow.push_back(shortened(name, width));
  if (all_differ(narrow)) return narrow;
  for (std::size_t k = 0; k < narrow.size(); ++k) {
    const std::string number = fmt::format("{} ", k + 1);
    narrow[k] = number + shortened(bare[k], width - number.size());
  }
  return narrow;
}

}  // namespace crema::cli
