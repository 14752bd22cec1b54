// SPDX-License-Identifier: Apache-2.0
#include "crema/base/warning.h"

#include <algorithm>
#include <array>

namespace crema {
namespace {

struct Row {
  WarningKind kind;
  std::string_view name;
  Severity severity;
};

using enum WarningKind;
using enum Severity;

/// In the order of the enumerators.
constexpr std::array kRows{
    Row{empty_mask, "empty-mask", defect},
    Row{full_mask, "full-mask", defect},
    Row{inverted, "inverted", defect},
    Row{copy, "copy", defect},
    Row{mirrored, "mirrored", defect},
    Row{shifted, "shifted", defect},
    Row{no_overlap, "no-overlap", defect},
    Row{unlike, "unlike", defect},
    Row{own_output, "own-output", defect},
    Row{missing_label, "missing-label", defect},
    Row{missing_slice, "missing-slice", defect},
    Row{left_out, "left-out", defect},
    Row{other, "other", caution},
    Row{order, "order", caution},
    Row{padded, "padded", caution},
    Row{geometry, "geometry", caution},
    Row{values, "values", caution},
    Row{file, "file", caution},
    Row{region, "region", caution},
    Row{labels, "labels", caution},
    Row{setting, "setting", caution},
    Row{weights, "weights", caution},
    Row{not_converged, "not-converged", caution},
    Row{better_known, "better-known", caution},
    Row{one_rater, "one-rater", caution},
    Row{dropped_raters, "dropped-raters", caution},
    Row{dropped_component, "dropped-component", caution},
    Row{one_decides, "one-decides", caution},
    Row{worse_than_chance, "worse-than-chance", caution},
    Row{outside, "outside", caution},
    Row{reoriented, "reoriented", note},
    Row{against_majority, "against-majority", note},
    Row{no_spacing, "no-spacing", note},
    Row{output_format, "output-format", note},
    Row{figure, "figure", note},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kRows.size(); ++i)
    if (static_cast<std::size_t>(kRows[i].kind) != i) return false;
  return true;
}
static_assert(in_order());

const Row& row_of(WarningKind kind) { return kRows[static_cast<std::size_t>(kind)]; }

}  // namespace

std::string_view to_string(WarningKind kind) { return row_of(kind).name; }

std::string_view to_string(Severity severity) {
  return severity == defect ? "defect" : severity == caution ? "caution" : "note";
}

Severity severity_of(WarningKind kind) { return row_of(kind).severity; }

WarningKind kind_named(std::string_view name) {
  const auto found =
      std::find_if(kRows.begin(), kRows.end(), [&](const Row& row) { return row.name == name; });
  return found == kRows.end() ? other : found->kind;
}

void append(Warnings& to, const Warnings& more) { to.insert(to.end(), more.begin(), more.end()); }

std::int64_t count_defects(const Warnings& warnings) {
  return std::count_if(warnings.begin(), warnings.end(),
                       [](const Warning& warning) { return severity_of(warning.kind) == defect; });
}

Warnings spelled(const Warnings& warnings, Spelling spelling) {
  Warnings result;
  result.reserve(warnings.size());
  for (const Warning& warning : warnings) result.emplace_back(warning.text(spelling), warning.kind);
  std::stable_sort(result.begin(), result.end(), [](const Warning& a, const Warning& b) {
    return severity_of(a.kind) < severity_of(b.kind);
  });
  return result;
}

std::vector<std::string> texts(const Warnings& warnings, Spelling spelling) {
  std::vector<std::string> result;
  for (const Warning& warning : spelled(warnings, spelling)) result.push_back(warning.marked());
  return result;
}

}  // namespace crema
