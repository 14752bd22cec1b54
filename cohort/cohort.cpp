// SPDX-License-Identifier: Apache-2.0
#include "cohort/cohort.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "crema/error.h"
#include "crema/text.h"

namespace crema::cohort {
namespace {

/// " (line 3)"; nothing where the files come from a folder.
std::string place(const Entry& entry) { return entry.line == 0 ? "" : fmt::format(" (line {})", entry.line); }

[[noreturn]] void refuse_twice(const Entry& a, const Entry& b) {
  throw InputError(fmt::format("case {}, rater {}: has two files, {}{} and {}{}; keep one of them.",
                               printable(a.name), printable(a.rater), printable(a.path), place(a),
                               printable(b.path), place(b)));
}

}  // namespace

std::string_view to_string(Layout layout) {
  constexpr std::array<std::string_view, 4> names{"cases", "raters", "bids", "manifest"};
  return names[static_cast<std::size_t>(layout)];
}

void sort_into_cases(std::vector<Entry> entries, Cohort& cohort) {
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.name, a.rater, a.line, a.path) < std::tie(b.name, b.rater, b.line, b.path);
  });
  std::set<std::string> raters;
  const Entry* last = nullptr;
  for (Entry& entry : entries) {
    const bool same_case = last != nullptr && last->name == entry.name;
    if (same_case && last->rater == entry.rater) refuse_twice(*last, entry);
    if (!same_case) cohort.cases.push_back({entry.name, {}});
    raters.insert(entry.rater);
    cohort.cases.back().raters.push_back({entry.rater, entry.path});
    last = &entry;
  }
  cohort.raters.assign(raters.begin(), raters.end());
}

std::vector<std::string> missing_raters(const Cohort& cohort, const CohortCase& one) {
  std::vector<std::string> missing;
  auto have = one.raters.begin();
  for (const std::string& rater : cohort.raters) {
    while (have != one.raters.end() && have->rater < rater) ++have;
    if (have == one.raters.end() || have->rater != rater) missing.push_back(rater);
  }
  return missing;
}

std::filesystem::path path_of(const Cohort& cohort, const RaterFile& file) { return cohort.root / file.path; }

}  // namespace crema::cohort
