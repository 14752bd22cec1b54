// SPDX-License-Identifier: Apache-2.0
#include "crema/levels/level_sums.h"

#include <algorithm>

#include "crema/levels/block_sums.h"

namespace crema {
namespace {

bool has(Raters raters, int k) { return (raters >> static_cast<unsigned>(k) & 1) != 0; }

template <class Value>
Sums sum_up(const LevelPart& part, int raters, std::span<const Value> x, const Distance& distance) {
  const auto at_voxel = [x](std::size_t i) { return static_cast<double>(x[i]); };
  const auto count = static_cast<std::size_t>(raters);
  const bool squared = squares(distance);
  const auto totals =
      sum_in_blocks(part.voxels, 2 + 2 * count, [&](std::int64_t begin, std::int64_t end, auto sums) {
        sums[0] = sum_lanes(begin, end, at_voxel);
        sums[1] = sum_lanes(begin, end, [&](std::size_t i) { return at_voxel(i) * at_voxel(i); });
        for (int k = 0; k < raters; ++k) {
          if (!has(part.present, k)) continue;
          const float* const s = part.of(k).data();
          const std::size_t at = 2 + 2 * static_cast<std::size_t>(k);
          const auto level = [s](std::size_t i) { return static_cast<double>(s[i]); };
          sums[at] =
              squared ? sum_lanes(begin, end, [&](std::size_t i) { return at_voxel(i) * level(i); })
                      : sum_lanes(begin, end, [&](std::size_t i) { return std::min(at_voxel(i), level(i)); });
          sums[at + 1] = squared ? sum_lanes(begin, end, [&](std::size_t i) { return level(i) * level(i); })
                                 : sum_lanes(begin, end, level);
        }
      });
  Sums sums{.total = totals[0], .squares = totals[1], .overlap = {}, .size = {}};
  for (std::size_t k = 0; k < count; ++k) {
    sums.overlap.push_back(totals[2 + 2 * k]);
    sums.size.push_back(totals[3 + 2 * k]);
  }
  return sums;
}

}  // namespace

std::int64_t LevelMaps::voxels() const {
  std::int64_t sum = rest.voxels;
  for (const LevelPart& part : parts) sum += part.voxels;
  return sum;
}

std::int64_t LevelMaps::bytes() const {
  const auto of = [](const LevelPart& part) {
    return static_cast<std::int64_t>(sizeof(LevelPart) + part.runs.size() * sizeof(Run) +
                                     part.values.size() * sizeof(float));
  };
  std::int64_t sum = of(rest);
  for (const LevelPart& part : parts) sum += of(part);
  return sum;
}

Sums sum_levels(const LevelPart& part, int raters, std::span<const double> x, const Distance& distance) {
  return sum_up(part, raters, x, distance);
}

Sums sum_levels(const LevelPart& part, int raters, std::span<const float> x, const Distance& distance) {
  return sum_up(part, raters, x, distance);
}

std::vector<double> votes_at(const Sums& sums, Raters present, const Distance& distance,
                             const std::vector<double>& weights) {
  const int raters = static_cast<int>(sums.size.size());
  std::vector<double> votes(sums.size.size(), 0);
  double extent = 0, shared = 0;
  const bool is_empty = (squares(distance) ? sums.squares : sums.total) == 0;
  for (int k = 0; k < raters && !is_empty; ++k) {
    const double weight = weight_of(weights, k);
    if (!has(present, k) || weight == 0) continue;
    const Fall fall = fall_to(sums, k, distance, weight, 1);
    votes[static_cast<std::size_t>(k)] = fall.overlap;
    extent += fall.extent;
    shared += weight;
  }
  constexpr double kNothing = 1e-14;  // of a criterion that is a weighted mean of numbers up to 1
  const double scale = (squares(distance) ? 2 : 1) * extent;
  const double volume = squares(distance) ? sums.squares : sums.total;
  if (scale * volume > kNothing * shared) {
    for (double& vote : votes) vote /= scale;
    return votes;
  }
  for (int k = 0; k < raters && shared > 0; ++k)
    votes[static_cast<std::size_t>(k)] = has(present, k) ? weight_of(weights, k) / shared : 0;
  return votes;
}

double empty_criterion(Raters present, int raters, const std::vector<double>& weights) {
  double all = 0, there = 0;
  for (int k = 0; k < raters; ++k) {
    all += weight_of(weights, k);
    if (has(present, k)) there += weight_of(weights, k);
  }
  return all > 0 ? there / all : 0;
}

std::vector<int> list_present(Raters present, int raters, const std::vector<double>& weights) {
  std::vector<int> list;
  for (int k = 0; k < raters; ++k)
    if (has(present, k) && weight_of(weights, k) > 0) list.push_back(k);
  return list;
}

}  // namespace crema
