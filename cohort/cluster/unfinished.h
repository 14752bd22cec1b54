// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cohort/run/plan_record.h"

namespace crema::cohort {

/// The shards of a plan with a case that has no result, or that failed, counted from 1 and in order. Looks at
/// which files are there; what is in them is not read.
std::vector<int> unfinished_shards(const RunFolder& folder, const PlanRecord& plan);

/// The tasks that do those shards, so many shards each.
std::vector<int> tasks_of(const std::vector<int>& shards, int per_task);

}  // namespace crema::cohort
