// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cohort/run/result.h"
#include "crema/agreement/measures.h"
#include "crema/records/tables_methods.h"

namespace crema::raters {
struct Case;
struct Outcome;
}  // namespace crema::raters

namespace crema::cohort {

/// What is known of a case, or of one label of it.
struct Known {
  const CaseNames& names;
  const Reduction& reduction;
  const AgreementStudy& study;
  const std::vector<MethodRow>& rows;
  const std::vector<MethodPair>& pairs;
};

CaseTables tables_of(const Known& known);

/// Writes into the rows of cases how many warnings the case has, and of which kinds.
void set_warnings(Table& cases, const Warnings& warnings);

/// Whether the tables of components have the rows of a case: of a million components nobody reads them, and
/// every result would hold them.
bool lists_components(const Reduction& reduction);

/// Puts the rows of one structure behind those of others.
void add_rows(CaseTables& all, CaseTables one);

/// What all labels of a case are together, for one method.
struct JointRow {
  CaseNames names;
  const raters::Case& counted;
  const raters::Outcome& outcome;
};
Columns<JointRow> joint_columns();

/// Whether tables distinguish structures.
enum class Structures : std::uint8_t { one, several };

/// The columns of all tables of a case, in the order of kTables; none where a table is not written.
std::array<std::vector<ColumnText>, kTables.size()> table_columns(Structures structures);

/// The columns of cases.csv: what is known without a result stands behind the names.
std::vector<ColumnText> merged_case_columns(Structures structures);
/// Those of failures.csv and times.csv.
std::vector<ColumnText> failure_columns();
std::vector<ColumnText> time_columns();

/// Columns of cases.csv that identify a row: the case, and the label where there are several.
std::ptrdiff_t names_in(Structures structures);

/// Seconds that one method took.
struct MethodTimes {
  std::string_view method;
  double solving = 0, writing = 0;
};

std::string times_text(const std::string& name, const CaseTimes& times, std::span<const MethodTimes> methods);

}  // namespace crema::cohort
