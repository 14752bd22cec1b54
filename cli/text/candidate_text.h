// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "crema/agreement/candidate.h"
#include "crema/records/table.h"

namespace crema::cli {

/// Whether a candidate is as good as a rater, over cases, with what must be said beside it; empty without
/// rows. `summary` is candidate_summary.csv.
std::string candidate_text(const Table& summary);

/// The same of one case.
std::string candidate_text(const CandidateIndex& index);

}  // namespace crema::cli
