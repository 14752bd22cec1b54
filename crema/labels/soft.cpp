// SPDX-License-Identifier: Apache-2.0
// Maps of levels that share each voxel: none takes more than is there.
#include <algorithm>
#include <bit>

#include "crema/labels/hard.h"

namespace crema {
namespace {

/// Shares of raters that sum to 1 may miss it by rounding.
constexpr float kWhole = 1 + 1e-6F;

/// Calls f(structure, component, voxel, row, level) for all levels, structure by structure.
template <class F>
void for_each_level(const LabelCounts& counts, LabelConsensus& consensus, F f) {
  for (std::size_t s = 0; s < counts.structures.size(); ++s)
    for (std::size_t c = 0; c < consensus.levels[s].size(); ++c) {
      float* level = consensus.levels[s][c].data();
      for_each_voxel(counts.grid(), counts.structures[s], c,
                     [&](std::size_t voxel, std::uint32_t row) { f(s, c, voxel, row, *level++); });
    }
}

/// The highest level so far, and how many raters stand behind it: a tie goes to more of them.
struct Best {
  explicit Best(std::size_t voxels) : level(voxels), raters(voxels), label(voxels) {}

  void offer(std::size_t voxel, float offered, std::uint8_t count, Label value) {
    const bool higher = offered > level[voxel] || (offered == level[voxel] && count > raters[voxel]);
    if (offered == 0 || !higher) return;
    level[voxel] = offered;
    raters[voxel] = count;
    label[voxel] = value;
  }

  Canvas<float> level;
  Canvas<std::uint8_t> raters;
  LabelImage label;
};

}  // namespace

LabelLevels levels_alone(const StructureCounts& counts, const Solution& alone) {
  LabelLevels levels(alone.components.size());
  for (std::size_t c = 0; c < levels.size(); ++c) {
    const auto& rows = counts.reduction.crowns[c].row_of_voxel;
    levels[c].reserve(rows.size());
    for (const std::uint32_t row : rows)
      levels[c].push_back(static_cast<float>(alone.components[c].levels[row]));
  }
  return levels;
}

LabelImage paint_levels(const LabelCounts& counts, const Options& options, LabelConsensus& consensus) {
  const auto voxels = static_cast<std::size_t>(counts.grid().voxels());
  for (std::size_t s = 0; s < counts.structures.size(); ++s)
    consensus.levels.push_back(levels_alone(counts.structures[s], consensus.labels[s].alone));
  Canvas<float> sum(voxels);
  for_each_level(counts, consensus, [&](std::size_t, std::size_t, std::size_t v, std::uint32_t, float level) {
    sum[v] += level;
  });
  Best best(voxels);
  for_each_level(counts, consensus,
                 [&](std::size_t s, std::size_t c, std::size_t v, std::uint32_t row, float& level) {
                   if (sum[v] > kWhole) level /= sum[v];
                   const Raters raters = counts.structures[s].reduction.crowns[c].tally.rows[row].raters;
                   best.offer(v, level, static_cast<std::uint8_t>(std::popcount(raters)),
                              counts.structures[s].structure.value);
                 });
  for_each_level(counts, consensus, [&](std::size_t, std::size_t, std::size_t v, std::uint32_t, float) {
    if (sum[v] > kWhole) {
      ++consensus.claimed_twice;
      sum[v] = 1;  // counted, once
    }
    const float rest = 1 - std::min(sum[v], 1.0F);
    if (best.level[v] < rest || (best.level[v] == rest && options.tie == Tie::background)) best.label[v] = 0;
  });
  return std::move(best.label);
}

}  // namespace crema
