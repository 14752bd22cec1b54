// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "cohort/merge/digest.h"
#include "cohort/merge/overview.h"
#include "cohort/run/run.h"

namespace crema::cohort {

/// Fills an overview case by case, in the order of their names; holds what is shown of single cases, and of
/// all others a few sums.
class OverviewBuilder {
 public:
  explicit OverviewBuilder(const ReadyRun& ready);

  void add(const CaseDigest& one);

  /// With what the methods made of all cases, and the names of the tables that are beside it.
  const Overview& finish(const Summariser& summariser, const std::vector<std::string>& tables);

 private:
  struct MethodValues {
    std::array<Values, 3> sizes;  ///< by unit
    Values dice, lmsd, against_majority;
  };
  struct RaterValues {
    Values dice, larger;
    std::int64_t last_case = 0;  ///< that it was seen in, counted from 1
  };

  std::uint32_t rater(const std::string& name);
  std::size_t place_of(const std::string& label);
  std::vector<MethodValues>* values_of(const std::string& label);
  void finish_spreads();
  void finish_agreement();
  std::vector<CaseGlance> glances_of(const CaseDigest& one);
  void add_methods(CaseGlance& glance, const std::vector<MethodMeasures>& measures);
  void add_agreement(const CaseGlance& glance);
  void add_raters(const CaseGlance& glance);
  void add_defects(const CaseDigest& one);
  void add_findings(const CaseDigest& one);
  void sort_findings();
  void count(const CaseDigest& one);
  void keep(CaseGlance glance);
  void find_reports();

  const ReadyRun& ready_;
  Overview overview_;
  std::map<std::string, std::uint32_t, std::less<>> places_;
  std::vector<CaseGlance> failed_, done_, waiting_;
  std::vector<std::vector<MethodValues>> methods_;  ///< by label, the first of them
  std::map<std::string, std::size_t, std::less<>> labels_;
  std::vector<RaterValues> raters_;
  std::vector<Values> agreement_;  ///< by label, all of them
};

/// Counts the warnings of one more case; kinds stay in the order of their severity.
void count_kinds(const CaseDigest& one, std::vector<KindGlance>& kinds);

}  // namespace crema::cohort
