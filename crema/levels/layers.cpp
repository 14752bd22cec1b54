// SPDX-License-Identifier: Apache-2.0
#include "crema/levels/layers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <unordered_map>

#include "crema/base/parallel.h"
#include "crema/levels/level_sums.h"

namespace crema {
namespace {

/// A voxel as so many units.
constexpr double kUnits = 1 << 30;

std::int64_t units_of(float level) { return std::llround(static_cast<double>(level) * kUnits); }

/// Calls f(raters, height) for each layer of a voxel, from the highest down.
template <class F>
void for_each_layer(const LevelPart& part, const std::vector<int>& present, std::size_t voxel, F f) {
  std::array<std::pair<std::int64_t, int>, kMaxRaters> sorted;
  std::size_t count = 0;
  for (const int k : present) {
    const std::int64_t units = units_of(part.of(k)[voxel]);
    if (units == 0) continue;
    std::size_t at = count++;
    for (; at > 0 && sorted[at - 1].first < units; --at) sorted[at] = sorted[at - 1];
    sorted[at] = {units, k};
  }
  Raters group = 0;
  for (std::size_t i = 0; i < count; ++i) {
    group |= Raters{1} << static_cast<unsigned>(sorted[i].second);
    const std::int64_t below = i + 1 < count ? sorted[i + 1].first : 0;
    if (sorted[i].first > below) f(group, sorted[i].first - below);
  }
}

std::vector<int> everyone_in(const LevelPart& part, int raters) {
  return list_present(part.present, raters, {});
}

constexpr std::int64_t kVoxelsAtOnce = 1 << 15;

using Heights = std::unordered_map<Raters, std::int64_t>;

}  // namespace

Tally layer_tally(const LevelPart& part, int raters) {
  const std::vector<int> present = everyone_in(part, raters);
  Heights all;
  std::mutex adding;
  parallel_pieces(part.voxels, kVoxelsAtOnce, [&](std::int64_t begin, std::int64_t end) {
    Heights own;
    for (std::int64_t v = begin; v < end; ++v)
      for_each_layer(part, present, static_cast<std::size_t>(v),
                     [&](Raters group, std::int64_t height) { own[group] += height; });
    const std::scoped_lock lock(adding);  // whole numbers: the order does not matter
    for (const auto& [group, height] : own) all[group] += height;
  });
  Tally tally{.raters = raters, .rows = {}};
  for (const auto& [group, height] : all) tally.rows.push_back({0, group, height});
  std::sort(tally.rows.begin(), tally.rows.end(),
            [](const Subcrown& a, const Subcrown& b) { return a.raters < b.raters; });
  return tally;
}

std::vector<double> paint_layers(const LevelPart& part, int raters, const Tally& tally,
                                 const Levels& levels) {
  const std::vector<int> present = everyone_in(part, raters);
  std::unordered_map<Raters, double> level_of;
  for (std::size_t r = 0; r < tally.rows.size(); ++r) level_of[tally.rows[r].raters] = levels[r];
  std::vector<double> x(static_cast<std::size_t>(part.voxels), 0);
  parallel_pieces(part.voxels, kVoxelsAtOnce, [&](std::int64_t begin, std::int64_t end) {
    for (auto v = static_cast<std::size_t>(begin); v < static_cast<std::size_t>(end); ++v) {
      for_each_layer(part, present, v, [&](Raters group, std::int64_t height) {
        x[v] += static_cast<double>(height) * level_of.find(group)->second;
      });
      x[v] /= kUnits;
    }
  });
  return x;
}

LevelAnswer solve_layers(const LevelComponent& component, const Distance& distance,
                         const SolveOptions& options) {
  const LevelPart& part = component.part;
  const Tally tally = layer_tally(part, component.raters);
  const Answer answer = solve_groups(tally, distance, options);
  const Sums sums = sum_up(tally, answer.levels);
  return {.x = paint_layers(part, component.raters, tally, answer.levels),
          .criterion = criterion(sums, distance, options.weights),
          .certificate = answer.certificate,
          .votes = votes_at(sums, part.present, distance, options.weights)};
}

std::vector<double> approach_layers(const LevelComponent& component, const Distance& distance,
                                    SolveOptions options) {
  options.blocks = Blocks::subcrown;
  options.empty_test = EmptyTest::skip;
  const Tally tally = layer_tally(component.part, component.raters);
  const Levels start = solve_distance(tally, distance, options).levels;
  const Answer answer = best_without_proof(tally, distance, start, Effort::thorough, options);
  return paint_layers(component.part, component.raters, tally, answer.levels);
}

Certificate certify_layers(const LevelComponent& component, const Distance& distance,
                           const SolveOptions& options) {
  // For levels of any kind: soft distances bound the hard ones they equal on masks.
  const Distance soft = soft_twin_of(distance);
  const Tally tally = layer_tally(component.part, component.raters);
  const Levels start = solve_groups(tally, soft, options).levels;
  return certify(tally, soft, start, options);
}

}  // namespace crema
