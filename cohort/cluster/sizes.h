// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cohort/run/run.h"

namespace crema::cohort {

/// How large the shards of a plan are, as measured when it was made.
struct PlanSizes {
  struct Shard {
    std::int64_t cases = 0, bytes = 0;  ///< of its files, as they are packed
  };
  std::int64_t voxels = 0;  ///< of the largest image of which the header was read; 0: there was none
  std::int64_t raters = 0;  ///< of a case, at most
  std::int64_t seen_voxels = 0, seen_bytes = 0;  ///< of all whose headers were read
  std::vector<Shard> shards;
};

/// `sizes` are the bytes of each case. The headers of the largest files and of some others are read.
PlanSizes measure(const Cohort& cohort, const std::vector<std::int64_t>& sizes,
                  const std::vector<std::vector<const CohortCase*>>& shards);

std::string sizes_text(const PlanSizes& sizes);
/// Nothing where the plan has none, or they are damaged.
std::optional<PlanSizes> read_sizes(const RunFolder& folder);

/// What one task of a cluster needs; 0: not known.
struct TaskNeeds {
  std::int64_t minutes = 0, megabytes = 0;
};

/// With so many shards for each task, done by so many threads. Generous: the time is about four times what
/// was measured, and memory has room for what estimates do not foresee.
TaskNeeds needs_of(const PlanSizes& sizes, const CohortRequest& request, int per_task, int threads);

}  // namespace crema::cohort
