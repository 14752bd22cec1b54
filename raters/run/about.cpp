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

/// A warning about the structures of which it says so, and the first of those of which it would do so with
/// other numbers.
struct Group {
  Warning warning;
  std::vector<std::size_t> same = {}, alike = {};
};

bool belongs(const Group& group, const Warning& warning) {
  return group.warning == warning || (!warning.cause.empty() && group.warning.cause == warning.cause &&
                                      group.warning.kind == warning.kind);
}

std::string about(const Case& counted, const Group& group) {
  const std::string first = list_labels(counted, group.same);
  return group.alike.empty() ? first
                             : fmt::format("{}, and likewise {}", first, list_labels(counted, group.alike));
}

}  // namespace

Warnings about_structures(const Case& counted, const std::vector<Warnings>& found) {
  if (!counted.labelled()) return found.front();
  std::vector<Group> groups;
  for (std::size_t s = 0; s < found.size(); ++s)
    for (const Warning& warning : found[s]) {
      auto own = std::find_if(groups.begin(), groups.end(),
                              [&](const Group& group) { return belongs(group, warning); });
      if (own == groups.end()) own = groups.insert(groups.end(), Group{warning});
      (own->warning == warning ? own->same : own->alike).push_back(s);
    }
  Warnings warnings;
  for (const Group& group : groups)
    warnings.push_back(
        {fmt::format("{}: {}", about(counted, group), group.warning.marked()), group.warning.kind});
  return warnings;
}

}  // namespace crema::raters
