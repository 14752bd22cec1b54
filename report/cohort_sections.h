// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cohort/overview.h"

/// The parts of a cohort's page, as HTML. What there is nothing to tell of is empty.
namespace crema::report {

using cohort::CaseGlance;
using cohort::Overview;

/// A case and where it stands in the overview.
struct Listed {
  const CaseGlance* glance = nullptr;
  std::size_t number = 0;

  [[nodiscard]] std::string id() const { return "case-" + std::to_string(number + 1); }
};

/// What all sections look at.
struct CohortMaterial {
  explicit CohortMaterial(const Overview& all);

  const Overview& overview;
  std::vector<Listed> failed, done, waiting;
  std::vector<Listed> listed;       ///< those in the table of cases, in the order of their names
  std::vector<std::size_t> raters;  ///< those that any result tells of, in the order of their names

  [[nodiscard]] bool lists(std::size_t number) const;
};

/// The lowest overlap of a rater with the consensus.
std::optional<double> lowest_dice(const CaseGlance& glance);

/// A path as it must stand in a link.
std::string url_of(const std::string& path);

std::string cohort_verdict(const CohortMaterial& material);
std::string failures_section(const CohortMaterial& material);
std::string distributions_section(const CohortMaterial& material);
std::string map_section(const CohortMaterial& material);
std::string cohort_raters_section(const CohortMaterial& material);
std::string cases_section(const CohortMaterial& material);
std::string tables_section(const CohortMaterial& material);

}  // namespace crema::report
