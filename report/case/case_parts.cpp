// SPDX-License-Identifier: Apache-2.0
#include "report/case/case_parts.h"

#include <fmt/format.h>

#include "crema/base/error.h"
#include "report/case/sections.h"

namespace crema::report {

CaseParts lay_out(const raters::Case& counted, const std::vector<raters::Outcome>& outcomes,
                  const Settings& settings, const PageFacts& facts, const std::string& case_name,
                  std::string_view what_if_instead) {
  CaseParts parts;
  LabelOverview overview(counted, outcomes.front());
  std::vector<raters::StructureComparison> compared = raters::compare_structures(counted, outcomes, settings);
  for (std::size_t s = 0; s < counted.structures(); ++s) {
    if (counted.reduction(s).crowns.empty()) continue;
    const Findings findings = analyse(counted, s, outcomes, std::move(compared[s]),
                                      measures_of(settings, counted.options), case_name);
    parts.structures.push_back({.payload = make_payload(counted, findings, facts),
                                .html = body({counted, findings, settings, facts}, what_if_instead)});
    overview.add(findings);
  }
  if (parts.structures.empty()) throw InputError("no rater marked anything, so there is nothing to show.");
  if (counted.labelled()) {
    parts.chooser = overview.chooser();
    parts.labels = overview.json();
    parts.end = overview.html(facts);
  }
  parts.end += citation_section(facts);
  return parts;
}

}  // namespace crema::report
