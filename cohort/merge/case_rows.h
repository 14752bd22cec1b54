// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include "cohort/merge/digest.h"
#include "cohort/run/case_tables.h"
#include "cohort/run/run.h"

namespace crema::cohort {

/// One case's part of every table, and what is reported of it.
struct CaseRows {
  CaseDigest digest;
  std::array<std::string, kTableFiles> rows;  ///< CSV
};

/// From the case's files in the folder of the run.
CaseRows read_case_rows(const ReadyRun& ready, const CohortCase& one);

Structures structures_of(const ReadyRun& ready);

/// "cases", "failures" …
std::string_view table_name(std::size_t table);

/// The first line of a table; empty where the run has no such table.
std::string table_header(std::size_t table, Structures structures);

}  // namespace crema::cohort
