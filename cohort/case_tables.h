// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cohort/result.h"
#include "crema/agreement/compare_methods.h"

namespace crema::cohort {

/// What is known of a case, or of one label of it.
struct Known {
  const CaseNames& names;
  const Reduction& reduction;
  const AgreementStudy& study;
  const std::vector<MethodRow>& rows;
  const std::vector<MethodPair>& pairs;
  std::int64_t warnings = 0;
};

CaseTables tables_of(const Known& known);

/// Puts rows of one label behind those of others; every table has the column "label" behind "case" then.
void add_label(CaseTables& all, CaseTables one, const std::string& label);

/// What all labels are together, one row per method; without rows.
Table joint_table();

/// The columns of all tables of a case, in the order of kTables; none where a table is not written.
/// `labels`: of a run that fuses several.
std::array<std::vector<std::string>, kTables.size()> table_columns(bool labels);

/// Seconds that one method took.
struct MethodTimes {
  std::string_view method;
  double solving = 0, writing = 0;
};

std::string times_text(const std::string& name, const CaseTimes& times, std::span<const MethodTimes> methods);

}  // namespace crema::cohort
