// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "cohort/overview.h"
#include "cohort/run.h"

namespace crema::cohort {

/// Fills an overview, case by case.
class Glancer {
 public:
  explicit Glancer(const ReadyRun& ready);

  /// `methods` and `raters` are tables of its result, where it has one.
  void add(const CohortCase& one, CaseGlance known, const Json& methods, const Json& raters);

  [[nodiscard]] const Overview& overview() const { return overview_; }

 private:
  std::uint32_t rater(const std::string& name);
  void add_methods(CaseGlance& glance, const Json& methods);
  void add_raters(CaseGlance& glance, const Json& raters);

  const ReadyRun& ready_;
  Overview overview_;
  std::map<std::string, std::uint32_t, std::less<>> places_;
};

/// What the row of cases.csv tells of a case; `table` is as a result has it.
CaseGlance glance_at(const Json& table);

}  // namespace crema::cohort
