// SPDX-License-Identifier: Apache-2.0
// Maps of levels that share each voxel: none takes more than is there.
#include <algorithm>
#include <bit>

#include "crema/labels/settle/hard.h"
#include "crema/levels/level_maps.h"
#include "crema/options.h"

namespace crema {
namespace {

/// Shares of raters that sum to 1 may miss it by rounding.
constexpr float kWhole = 1 + 1e-6F;

/// Calls f(structure, part, voxel, i, level) for all levels, structure by structure.
template <class F>
void for_each_level(const LabelCounts& counts, LabelConsensus& consensus, F f) {
  for (std::size_t s = 0; s < counts.structures.size(); ++s)
    for (std::size_t p = 0; p < consensus.levels[s].size(); ++p)
      for_each_in_part(counts.structures[s].reduction, p, [&](std::size_t voxel, std::size_t i) {
        f(s, p, voxel, i, consensus.levels[s][p][i]);
      });
}

/// The highest level so far, and how much the raters back it: a tie goes to what more of them back.
struct Best {
  explicit Best(std::size_t voxels) : level(voxels), backing(voxels), label(voxels) {}

  void offer(std::size_t voxel, float offered, float backed, Label value) {
    const bool higher = offered > level[voxel] || (offered == level[voxel] && backed > backing[voxel]);
    if (offered == 0 || !higher) return;
    level[voxel] = offered;
    backing[voxel] = backed;
    label[voxel] = value;
  }

  Canvas<float> level;
  Canvas<float> backing;
  LabelImage label;
};

}  // namespace

float backing_of(const Reduction& reduction, std::size_t part, std::size_t i) {
  if (!reduction.levels) {
    const Crowns& crowns = reduction.crowns[part];
    return static_cast<float>(std::popcount(crowns.tally.rows[crowns.row_of_voxel[i]].raters));
  }
  const LevelMaps& maps = *reduction.levels;
  const LevelPart& own = part < maps.parts.size() ? maps.parts[part] : maps.rest;
  double sum = 0;
  for (int k = 0; k < maps.raters; ++k) sum += static_cast<double>(own.of(k)[i]);
  return static_cast<float>(sum / maps.raters);
}

LabelLevels levels_alone(const StructureCounts& counts, const Solution& alone) {
  LabelLevels levels(level_parts(counts.reduction));
  for (std::size_t p = 0; p < levels.size(); ++p) {
    if (counts.reduction.levels) {
      const auto& map = std::get<SoftImage>(*alone.image);
      for_each_in_part(counts.reduction, p,
                       [&](std::size_t voxel, std::size_t) { levels[p].push_back(map[voxel]); });
      continue;
    }
    const auto& rows = counts.reduction.crowns[p].row_of_voxel;
    levels[p].reserve(rows.size());
    for (const std::uint32_t row : rows)
      levels[p].push_back(static_cast<float>(alone.components[p].levels[row]));
  }
  return levels;
}

LabelImage paint_levels(const LabelCounts& counts, const Options& options, LabelConsensus& consensus) {
  const auto voxels = static_cast<std::size_t>(counts.grid().voxels());
  Canvas<float> sum(voxels);
  for_each_level(counts, consensus,
                 [&](std::size_t, std::size_t, std::size_t v, std::size_t, float level) { sum[v] += level; });
  Best best(voxels);
  for_each_level(counts, consensus,
                 [&](std::size_t s, std::size_t p, std::size_t v, std::size_t i, float& level) {
                   if (sum[v] > kWhole) level /= sum[v];
                   const StructureCounts& own = counts.structures[s];
                   best.offer(v, level, backing_of(own.reduction, p, i), own.structure.value);
                 });
  for_each_level(counts, consensus, [&](std::size_t, std::size_t, std::size_t v, std::size_t, float) {
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
