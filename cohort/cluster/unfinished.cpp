// SPDX-License-Identifier: Apache-2.0
#include "cohort/cluster/unfinished.h"

#include <algorithm>
#include <string>

#include "cohort/find/manifest.h"
#include "cohort/pack/pack.h"
#include "crema/base/parallel.h"

namespace crema::cohort {
namespace {

bool is_finished(const RunFolder& folder, const std::string& name) {
  std::error_code ignored;
  return std::filesystem::exists(folder.result(name), ignored) &&
         !std::filesystem::exists(folder.failure(name), ignored);
}

/// Ends with the first case that is not.
bool is_finished(const RunFolder& folder, int shard) {
  Cohort cohort;
  sort_into_cases(read_own_manifest(folder.shard(shard)), cohort);
  const std::set<std::string> packed = packed_cases(folder, shard);
  return std::all_of(cohort.cases.begin(), cohort.cases.end(), [&](const CohortCase& one) {
    return packed.contains(one.name) || is_finished(folder, one.name);
  });
}

}  // namespace

std::vector<int> unfinished_shards(const RunFolder& folder, const PlanRecord& plan) {
  std::vector<char> finished(plan.shards.size());
  parallel_for(std::ssize(finished), [&](std::int64_t s) {
    finished[static_cast<std::size_t>(s)] = is_finished(folder, static_cast<int>(s) + 1) ? 1 : 0;
  });
  std::vector<int> found;
  for (int s = 1; s <= std::ssize(finished); ++s)
    if (finished[static_cast<std::size_t>(s) - 1] == 0) found.push_back(s);
  return found;
}

std::vector<int> tasks_of(const std::vector<int>& shards, int per_task) {
  std::vector<int> tasks;
  for (const int shard : shards) {
    const int task = (shard - 1) / per_task + 1;
    if (tasks.empty() || tasks.back() != task) tasks.push_back(task);
  }
  return tasks;
}

}  // namespace crema::cohort
