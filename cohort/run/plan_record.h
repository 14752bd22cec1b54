// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cohort/run/run_folder.h"

namespace crema::cohort {

/// What plan/plan.json says of a run that was planned: what a shard cannot know by itself.
struct PlanRecord {
  std::vector<std::string> raters;  ///< of all cases, in the order of their names
  std::vector<std::string> shards;  ///< checksums of their manifests
  bool pack = false;                ///< whether a shard that has ended packs the files of its cases
};

std::string plan_text(const PlanRecord& plan);

/// Nothing where there is none: the run is not one of shards.
std::optional<PlanRecord> read_plan(const RunFolder& folder);

/// The same for what cannot do without. Throws UsageError where there is none.
PlanRecord planned(const RunFolder& folder);

/// Throws UsageError, by its name, where the list of a shard's cases is not there or is not the planned one.
void check_shard(const RunFolder& folder, const PlanRecord& plan, int shard);

}  // namespace crema::cohort
