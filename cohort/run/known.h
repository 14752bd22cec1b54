// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "cohort/run/one_case.h"

namespace crema::cohort {

/// The files that a case is made of: those of its raters, and those that settings name.
std::vector<std::filesystem::path> input_paths(const RunContext& run, const CohortCase& one);

/// The result is there, and all files have the sizes and times that they had when their checksums were
/// compared.
bool is_vouched_for(const RunContext& run, const CohortCase& one);

/// What need not be done: the result is there, by the checksums of all files, or a failure that will not go
/// away by itself.
std::optional<CaseOutcome> known_outcome(const RunContext& run, const CohortCase& one, const Json& inputs);

/// Remembers sizes and times of the files of a result that has just been written or compared; `result` is its
/// checksum.
void stamp(const RunContext& run, const CohortCase& one, const Json& inputs, std::string result,
           const std::vector<std::filesystem::path>& outputs);

}  // namespace crema::cohort
