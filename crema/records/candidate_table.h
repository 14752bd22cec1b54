// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crema/agreement/candidate.h"
#include "crema/base/json.h"
#include "crema/records/column.h"

namespace crema {

/// A candidate beside the raters of a case, or of one structure of it.
struct CandidateRow {
  std::string name, label;  ///< the label is empty for a mask
  std::int64_t raters = 0;
  CandidateIndex index;
};

/// The columns of candidate.csv; the label is always one of them.
Columns<CandidateRow> candidate_columns();

/// The same in a record: "candidate" with its numbers, and why one is undefined.
Json candidate_json(const CandidateIndex& index);

}  // namespace crema
