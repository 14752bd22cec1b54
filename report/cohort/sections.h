// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cohort/merge/overview.h"

/// The parts of a cohort's page, as HTML. Parts without content are empty.
namespace crema::report {

using cohort::CaseGlance;
using cohort::lowest_dice;
using cohort::name_in;
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
  std::vector<Listed> failed, done, waiting;  ///< those that the overview has
  std::vector<Listed> listed;                 ///< those in the table of cases, in the order of their names
  std::vector<std::size_t> raters;            ///< those in any result, in the order of their names

  [[nodiscard]] bool lists(std::size_t number) const;
};

/// A case's name, which leads to its page where it has one.
std::string case_html(const std::string& name, const std::string& report);

/// How sizes stand on the page of a cohort, and what a number of the overview is multiplied with.
struct CohortUnit {
  std::string_view what, unit;
  double factor = 1;
};
CohortUnit unit_of(const Overview& overview);

/// A path as it must stand in a link.
std::string url_of(const std::string& path);

/// Cases that a picture draws as dots lead to their rows; the name of a picture with links is a group's.
std::string linked_picture(std::string svg);

std::string cohort_verdict(const CohortMaterial& material);
std::string failures_section(const CohortMaterial& material);
std::string warnings_section(const CohortMaterial& material);
std::string distributions_section(const CohortMaterial& material);
std::string map_section(const CohortMaterial& material);
std::string cohort_raters_section(const CohortMaterial& material);
std::string cases_section(const CohortMaterial& material);
std::string tables_section(const CohortMaterial& material);
std::string numbers_section(const CohortMaterial& material);
std::string queue_section(const CohortMaterial& material);

/// Where cases are looked at one after the other; closed until the script opens it.
std::string bench_html();

/// What the script reads: which run it is, and the cases that the page names.
std::string run_data(const CohortMaterial& material);

}  // namespace crema::report
