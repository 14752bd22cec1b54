// SPDX-License-Identifier: Apache-2.0
#include "cohort/find/cohort.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/text.h"
#include "crema/base/utf8.h"

namespace crema::cohort {
namespace {

/// " (line 3)"; nothing where the files come from a folder.
std::string place(const Entry& entry) { return entry.line == 0 ? "" : fmt::format(" (line {})", entry.line); }

[[noreturn]] void refuse_twice(const Entry& a, const Entry& b) {
  const auto is_npz = [](const Entry& entry) { return std::string_view(entry.path).ends_with(".npz"); };
  const bool one = is_npz(a) != is_npz(b);  // nnU-Net writes a segmentation beside its probabilities
  throw InputError(
      fmt::format("case {}, rater {}: has two files, {}{} and {}{}; keep one of them{}.", printable(a.name),
                  printable(a.rater), printable(a.path), place(a), printable(b.path), place(b),
                  one ? fmt::format(", or choose with {}", Sentence::setting("only", "*.npz")) : ""));
}

/// Names in UTF-8, another one for each. Only those that are written otherwise are remembered.
class Names {
 public:
  void report(std::string& raw) {
    std::string name;
    for (std::size_t at = 0; at < raw.size();) {
      const std::size_t length = character_length(std::string_view(raw).substr(at));
      name += length == 0 ? fmt::format("\\x{:02X}", static_cast<unsigned char>(raw[at]))
                          : raw.substr(at, length);
      at += std::max<std::size_t>(1, length);
    }
    const auto [found, added] = raws_.emplace(name, raw);
    if (!added && found->second != raw) refuse(name);
    raw = std::move(name);
  }

  /// `valid` is a name that was UTF-8 before.
  void check(const std::string& valid) const {
    if (raws_.contains(valid)) refuse(valid);
  }
  [[nodiscard]] bool changed_any() const { return !raws_.empty(); }

 private:
  [[noreturn]] static void refuse(const std::string& name) {
    throw InputError(fmt::format("{}: two names that are not UTF-8 would be written so; rename one of them.",
                                 printable(name)));
  }

  std::unordered_map<std::string, std::string> raws_;
};

void report_names(std::vector<Entry>& entries) {
  for (std::string Entry::*const member : {&Entry::name, &Entry::rater}) {
    Names names;
    std::vector<char> valid(entries.size());
    for (std::size_t e = 0; e < entries.size(); ++e) {
      valid[e] = is_utf8(entries[e].*member) ? 1 : 0;
      if (valid[e] == 0) names.report(entries[e].*member);
    }
    for (std::size_t e = 0; names.changed_any() && e < entries.size(); ++e)
      if (valid[e] != 0) names.check(entries[e].*member);
  }
}

}  // namespace

std::string_view to_string(Layout layout) {
  constexpr std::array<std::string_view, 4> names{"cases", "raters", "bids", "manifest"};
  return names[static_cast<std::size_t>(layout)];
}

void sort_into_cases(std::vector<Entry> entries, Cohort& cohort) {
  report_names(entries);
  cohort.persons = !entries.empty() &&
                   std::all_of(entries.begin(), entries.end(), [](const Entry& e) { return e.person; });
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.name, a.rater, a.line, a.path) < std::tie(b.name, b.rater, b.line, b.path);
  });
  std::set<std::string> raters;
  Entry* last = nullptr;
  bool last_has_file = false;
  for (Entry& entry : entries) {
    const bool same_case = last != nullptr && last->name == entry.name;
    const bool has_file = !entry.path.empty();
    if (same_case && has_file && last_has_file && last->rater == entry.rater) {
      last->path = cohort.cases.back().raters.back().path;
      refuse_twice(*last, entry);
    }
    if (!same_case) cohort.cases.push_back({entry.name, {}});
    CohortCase& one = cohort.cases.back();
    if (!entry.image.empty()) one.image = entry.image;
    if (!entry.unread.empty()) one.unread = entry.unread;
    if (has_file) {
      raters.insert(entry.rater);
      one.raters.push_back({entry.rater, std::move(entry.path)});
    }
    last = &entry;
    last_has_file = has_file;
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

std::string location_of(const std::filesystem::path& data) {
  std::error_code failed;
  const std::filesystem::path absolute =
      std::filesystem::absolute(data / "", failed).lexically_normal().parent_path();
  const std::filesystem::path found = std::filesystem::weakly_canonical(absolute, failed);
  return (failed ? absolute : found).string();
}

std::filesystem::path path_of(const Cohort& cohort, const RaterFile& file) { return cohort.root / file.path; }

}  // namespace crema::cohort
