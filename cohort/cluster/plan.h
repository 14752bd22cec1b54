// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cohort/run/run.h"

namespace crema::cohort {

/// Cases in so many shards of about the same size, the largest cases first; no shard is empty as long as
/// there are cases. The same cohort gives the same shards.
std::vector<std::vector<const CohortCase*>> balance(const Cohort& cohort,
                                                    const std::vector<std::int64_t>& sizes, int shards);

/// Puts the manifests of the shards where `cohort run` looks for them, and what all of them share; the
/// checksums of `plan` are those of the manifests.
void put_shards(const RunFolder& folder, PlanRecord plan,
                const std::vector<std::vector<const CohortCase*>>& shards, files::StagedSet& staged);

/// Takes away the shards of an older plan, from that number on, and their tables.
void remove_shards(const RunFolder& folder, int from);

}  // namespace crema::cohort
