// SPDX-License-Identifier: Apache-2.0
#include "cohort/cluster/sizes.h"

#include <algorithm>
#include <numeric>

#include "crema/base/error.h"
#include "files/files.h"
#include "files/io/system/regular.h"

namespace crema::cohort {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargest = 32, kOthers = 32;

/// The largest cases, and some of all sizes.
std::vector<std::size_t> worth_a_look(const std::vector<std::int64_t>& sizes) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
  if (order.size() <= kLargest + kOthers) return order;
  std::vector<std::size_t> some(order.begin(), order.begin() + kLargest);
  for (std::size_t i = 0; i < kOthers; ++i)
    some.push_back(order[kLargest + i * (order.size() - kLargest) / kOthers]);
  return some;
}

/// What cannot be read says so when its case is done.
void look_at(const Cohort& cohort, const CohortCase& one, PlanSizes& sizes) {
  if (one.raters.empty()) return;
  try {
    const fs::path path = path_of(cohort, one.raters.front());
    const std::int64_t voxels = files::read_headers(path).front().grid.voxels();
    sizes.voxels = std::max(sizes.voxels, voxels);
    sizes.seen_voxels += voxels;
    std::error_code failed;
    const auto bytes = static_cast<std::int64_t>(fs::file_size(path, failed));
    if (!failed) sizes.seen_bytes += bytes;
  } catch (const Error&) {
    return;
  }
}

}  // namespace

PlanSizes measure(const Cohort& cohort, const std::vector<std::int64_t>& sizes,
                  const std::vector<std::vector<const CohortCase*>>& shards) {
  PlanSizes found;
  for (const std::size_t c : worth_a_look(sizes)) look_at(cohort, cohort.cases[c], found);
  for (const CohortCase& one : cohort.cases) found.raters = std::max(found.raters, std::ssize(one.raters));
  for (const auto& shard : shards) {
    PlanSizes::Shard& own = found.shards.emplace_back();
    for (const CohortCase* one : shard) {
      own.cases += 1;
      own.bytes += sizes[static_cast<std::size_t>(one - cohort.cases.data())];
    }
  }
  return found;
}

std::string sizes_text(const PlanSizes& sizes) {
  Json cases = Json::array(), bytes = Json::array();
  for (const PlanSizes::Shard& one : sizes.shards) {
    cases.push_back(one.cases);
    bytes.push_back(one.bytes);
  }
  const Json result{{"largest_voxels", sizes.voxels},   {"most_raters", sizes.raters},
                    {"seen_voxels", sizes.seen_voxels}, {"seen_bytes", sizes.seen_bytes},
                    {"shard_cases", std::move(cases)},  {"shard_bytes", std::move(bytes)}};
  return result.text() + "\n";
}

std::optional<PlanSizes> read_sizes(const RunFolder& folder) {
  try {
    const Json json = parse_json(files::read_text(folder.sizes()));
    const auto whole = [](const Json& number) { return std::max<std::int64_t>(0, whole_in(number)); };
    PlanSizes sizes{.voxels = whole(member(json, "largest_voxels")),
                    .raters = whole(member(json, "most_raters")),
                    .seen_voxels = whole(member(json, "seen_voxels")),
                    .seen_bytes = whole(member(json, "seen_bytes"))};
    const Json::Array& cases = list_in(member(json, "shard_cases"));
    const Json::Array& bytes = list_in(member(json, "shard_bytes"));
    for (std::size_t s = 0; s < std::min(cases.size(), bytes.size()); ++s)
      sizes.shards.push_back({whole(cases[s]), whole(bytes[s])});
    return sizes;
  } catch (const Error&) {
    return std::nullopt;
  }
}

TaskNeeds needs_of(const PlanSizes& sizes, const CohortRequest& request, int per_task, int threads) {
  if (sizes.voxels == 0 || sizes.shards.empty()) return {};
  // Seconds for a case and for a voxel of a rater, with one method, on a slow core.
  constexpr double kSecondsPerCase = 0.1, kSecondsPerVoxel = 2e-7;
  const auto methods = static_cast<double>(std::max<std::size_t>(1, request.methods.size()));
  const double unpacked = static_cast<double>(sizes.seen_voxels) /
                          static_cast<double>(std::max<std::int64_t>(1, sizes.seen_bytes));
  double longest = 0;
  for (std::size_t s = 0; s < sizes.shards.size(); s += static_cast<std::size_t>(per_task)) {
    double seconds = 0;
    for (std::size_t i = s; i < std::min(sizes.shards.size(), s + static_cast<std::size_t>(per_task)); ++i)
      seconds += methods * (static_cast<double>(sizes.shards[i].cases) * kSecondsPerCase +
                            static_cast<double>(sizes.shards[i].bytes) * unpacked * kSecondsPerVoxel);
    longest = std::max(longest, seconds);
  }
  constexpr std::int64_t kMinMinutes = 10, kMaxMinutes = 24 * 60, kStep = 64;
  const auto minutes = static_cast<std::int64_t>(longest / threads / 60) + kMinMinutes;
  // Votes, counts, distances, an image of levels and its packed file; a quarter of what is given stays free.
  const std::int64_t set = sizes.raters <= 8 ? 1 : sizes.raters <= 16 ? 2 : sizes.raters <= 32 ? 4 : 8;
  const double each = static_cast<double>(sizes.voxels) * static_cast<double>(set + 16);
  const double megabytes = (96 + threads * (32 + each / (1 << 20))) / 0.75;
  return {std::min(kMaxMinutes, minutes), (static_cast<std::int64_t>(megabytes) / kStep + 1) * kStep};
}

}  // namespace crema::cohort
