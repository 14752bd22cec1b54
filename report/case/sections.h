// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "report/case/report.h"

/// The parts of a page that are there without a script, as HTML.
namespace crema::report {

/// What all sections look at.
struct Material {
  const raters::Case& counted;
  const Findings& findings;
  const Settings& settings;
  const PageFacts& facts;

  [[nodiscard]] const Reduction& reduction() const { return counted.reduction(findings.structure); }
  [[nodiscard]] const raters::Outcome& main() const { return findings.outcomes.front(); }
  [[nodiscard]] const ConsensusStudy& study() const { return findings.study.consensuses.front(); }
  [[nodiscard]] const std::vector<std::string>& raters() const { return findings.names.raters; }
  /// A name with the colour in which the rater is drawn.
  [[nodiscard]] std::string rater_html(std::size_t rater) const;
  [[nodiscard]] std::string names_html(Raters some) const;
};

/// Those about one structure. Where the page cannot fuse again it says why.
std::string body(const Material& material, std::string_view what_if_instead);

std::string headline(const Material& material);  ///< what became of it, and how many warnings there are
std::string verdict(const Material& material);
std::string picture_section(const Material& material);  ///< the viewer, and what stands in for it
std::string components_section(const Material& material);
std::string without_section(const Material& material);
std::string agreement_section(const Material& material);
std::string raters_section(const Material& material);
std::string methods_section(const Material& material);
std::string performance_section(const Material& material);
std::string passes_section(const Material& material);
std::string rules_section(const Material& material);
std::string review_section(const Material& material);

/// Those about the case.
std::string warnings_html(const Warnings& warnings);
std::string citation_section(const PageFacts& facts);
std::string provenance_section(const Settings& settings, const raters::Outcome& main, const PageFacts& facts);

}  // namespace crema::report
