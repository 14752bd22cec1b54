// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "report/cohort/sections.h"
#include "report/html.h"

namespace crema::report {
namespace {

std::string names_html(const cohort::KindGlance& kind) {
  std::string names;
  for (const std::string& name : kind.first)
    names += (names.empty() ? "" : ", ") + name_html(bidi_safe(name));
  return names + (kind.cases > std::ssize(kind.first) ? ", …" : "");
}

/// Kinds of a severity or of all below it, with the first cases of each.
template <class Wanted>
std::string kinds_html(const CohortMaterial& material, const std::string& id, const std::string& caption,
                       Wanted wanted) {
  TableHtml table(
      id, caption,
      {{"Kind", false}, {"Severity", false}, {"Cases"}, {"Warnings"}, {"The first cases", false}});
  bool any = false;
  for (const cohort::KindGlance& one : material.overview.kinds) {
    if (!wanted(severity_of(one.kind))) continue;
    any = true;
    table.add({std::string(to_string(one.kind)), std::string(to_string(severity_of(one.kind))),
               grouped(one.cases), grouped(one.warnings), names_html(one)});
  }
  return any ? table.html() : "";
}

/// The defects of one kind, each with its case.
std::string defects_of(const CohortMaterial& material, const cohort::KindGlance& kind) {
  const std::string name(to_string(kind.kind));
  TableHtml table("defects-" + name,
                  fmt::format("{}: {} in {}", name, counted(kind.warnings, "defect", "defects"),
                              counted(kind.cases, "case", "cases")),
                  {{"Case", false}, {"What was noticed", false}});
  std::int64_t listed = 0;
  for (const cohort::DefectGlance& one : material.overview.defects) {
    if (one.warning.kind != kind.kind) continue;
    ++listed;
    table.add(
        {case_html(one.name, one.report), "<bdi>" + escaped(bidi_safe(one.warning.marked())) + "</bdi>"});
  }
  const std::string rest =
      listed == kind.warnings
          ? ""
          : fmt::format(
                "<p class=\"note\">These are {} of {}; <code>result.json</code> of each case has "
                "its own.</p>\n",
                grouped(listed), grouped(kind.warnings));
  return "<div class=\"defects\">" + (listed > 0 ? table.html() : "") + rest + "</div>\n";
}

/// What has to be fixed comes first, kind by kind.
std::string defects_html(const CohortMaterial& material) {
  std::string html;
  for (const cohort::KindGlance& one : material.overview.kinds)
    if (severity_of(one.kind) == Severity::defect) html += defects_of(material, one);
  return html.empty() ? "<p class=\"fine\">No input has a known defect.</p>\n" : html;
}

}  // namespace

std::string warnings_section(const CohortMaterial& material) {
  if (material.overview.kinds.empty()) return "";
  std::int64_t notes = 0;
  for (const cohort::KindGlance& one : material.overview.kinds)
    if (severity_of(one.kind) == Severity::note) notes += one.warnings;
  const std::string cautions = kinds_html(material, "cautions", "Worth a look",
                                          [](Severity severity) { return severity == Severity::caution; });
  const std::string folded =
      fmt::format("<details><summary>All kinds of warnings, with {}</summary>\n{}</details>\n",
                  counted(notes, "routine note", "routine notes"),
                  kinds_html(material, "kinds", "Warnings by kind", [](Severity) { return true; }));
  return section("warnings-section", "What was noticed",
                 "A defect is a mask that should be fixed or left out; defects come first, by kind. "
                 "<code>cases.csv</code> lists the kinds of all warnings of a case, its "
                 "<code>result.json</code> their text.",
                 defects_html(material) + cautions + folded);
}

}  // namespace crema::report
