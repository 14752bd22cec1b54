// SPDX-License-Identifier: Apache-2.0
#include "raters/run/about.h"

#include <algorithm>

#include <fmt/format.h>

namespace crema::raters {
namespace {

constexpr std::size_t kMaxListed = 6;

/// "label liver", "labels 1, 2 and 3", "labels 1, 2, 3, 4, 5, 6 and 111 more".
std::string list_labels(const Case& counted, const std::vector<std::size_t>& structures) {
  const std::size_t count = structures.size(), shown = std::min(count, kMaxListed);
  std::string text =
      fmt::format("{}{} ", counted.counts.nested() ? "region" : "label", count == 1 ? "" : "s");
  for (std::size_t i = 0; i < shown; ++i) {
    const bool last = i + 1 == count;
    text += fmt::format("{}{}",
                        i == 0 ? ""
                        : last ? " and "
                               : ", ",
                        files::printable(counted.label(structures[i])));
  }
  return count > shown ? fmt::format("{} and {} more", text, count - shown) : text;
}

}  // namespace

Warnings about_structures(const Case& counted, const std::vector<Warnings>& found) {
  if (!counted.labelled()) return found.front();
  std::vector<std::pair<Warning, std::vector<std::size_t>>> grouped;
  for (std::size_t s = 0; s < found.size(); ++s)
    for (const Warning& warning : found[s]) {
      const auto same = std::find_if(grouped.begin(), grouped.end(),
                                     [&](const auto& group) { return group.first == warning; });
      if (same == grouped.end())
        grouped.push_back({warning, {s}});
      else
        same->second.push_back(s);
    }
  Warnings warnings;
  for (const auto& [warning, structures] : grouped)
    warnings.push_back(
        {fmt::format("{}: {}", list_labels(counted, structures), warning.marked()), warning.kind});
  return warnings;
}

}  // namespace crema::raters
