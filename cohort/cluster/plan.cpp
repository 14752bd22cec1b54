// SPDX-License-Identifier: Apache-2.0
#include "cohort/cluster/plan.h"

#include <algorithm>
#include <numeric>
#include <queue>

#include "cohort/find/manifest.h"

namespace crema::cohort {
namespace {

namespace fs = std::filesystem;

/// What a case costs besides reading it, in bytes of a packed mask.
constexpr std::int64_t kEachCase = 1 << 14;

}  // namespace

std::vector<std::vector<const CohortCase*>> balance(const Cohort& cohort,
                                                    const std::vector<std::int64_t>& sizes, int shards) {
  const std::size_t count = std::min(static_cast<std::size_t>(std::max(1, shards)), cohort.cases.size());
  std::vector<std::size_t> order(cohort.cases.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
  using Load = std::pair<std::int64_t, std::size_t>;  // bytes, shard
  std::priority_queue<Load, std::vector<Load>, std::greater<>> lightest;
  for (std::size_t s = 0; s < count; ++s) lightest.emplace(0, s);
  std::vector<std::vector<const CohortCase*>> result(count);
  for (const std::size_t c : order) {
    auto [load, shard] = lightest.top();
    lightest.pop();
    result[shard].push_back(&cohort.cases[c]);
    lightest.emplace(load + sizes[c] + kEachCase, shard);
  }
  for (auto& shard : result) std::sort(shard.begin(), shard.end());  // as they stand in the cohort
  return result;
}

void put_shards(const RunFolder& folder, PlanRecord plan,
                const std::vector<std::vector<const CohortCase*>>& shards, files::StagedSet& staged) {
  plan.shards.clear();
  for (std::size_t s = 0; s < shards.size(); ++s) {
    std::string text;
    write_manifest(shards[s], [&](std::string_view piece) { text += piece; });
    staged.put_text(folder.shard(static_cast<int>(s) + 1), text);
    plan.shards.push_back(staged.facts().back().sha256);
  }
  staged.put_text(folder.plan(), plan_text(plan));
}

void remove_shards(const RunFolder& folder, int from) {
  std::error_code ignored;
  for (const int s : numbered(folder.plan().parent_path()))
    if (s >= from) fs::remove(folder.shard(s), ignored);
  for (const int s : numbered(folder.part(from).parent_path()))
    if (s >= from) fs::remove_all(folder.part(s), ignored);
}

}  // namespace crema::cohort
