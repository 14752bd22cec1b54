// SPDX-License-Identifier: Apache-2.0
#include "crema/labels/separate.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/error.h"
#include "crema/labels/hard.h"

namespace crema {
namespace {

template <class F>
void for_each_taken(const LabelCounts& counts, std::size_t s, const Solution& alone, F f) {
  for (std::size_t c = 0; c < alone.components.size(); ++c)
    for_each_inside(counts.grid(), counts.structures[s], c, alone.components[c], f);
}

LabelResult result_of(Solution alone) {
  LabelResult result{.alone = {}, .criterion = {}, .soft_voxels = {}};
  for (const Decision& decision : alone.components) {
    result.criterion.push_back(decision.criterion);
    result.soft_voxels.push_back(decision.soft_voxels);
  }
  result.lmsd = alone.lmsd;
  result.voxels = alone.voxels;
  result.soft_volume = alone.soft_volume;
  result.alone = std::move(alone);
  return result;
}

void add_up(LabelConsensus& consensus, Solution alone) {
  consensus.lmsd += alone.lmsd;
  if (alone.lower_bound) {
    consensus.lower_bound = consensus.lower_bound.value_or(0) + *alone.lower_bound;
    consensus.unproven += alone.unproven;
  }
  append(consensus.warnings, alone.warnings);
  consensus.labels.push_back(result_of(std::move(alone)));
}

/// The first layer in which nothing is in the way, or a new one.
std::size_t find_layer(const LabelCounts& counts, std::size_t s, LabelConsensus& consensus) {
  for (std::size_t l = 0; l < consensus.layers.size(); ++l) {
    bool free = true;
    for_each_taken(counts, s, consensus.labels[s].alone,
                   [&](std::size_t voxel) { free = free && consensus.layers[l][voxel] == 0; });
    if (free) return l;
  }
  consensus.layers.emplace_back(static_cast<std::size_t>(counts.grid().voxels()));
  return consensus.layers.size() - 1;
}

/// Voxels that several labels have.
std::int64_t count_shared(const LabelCounts& counts, const LabelConsensus& consensus) {
  if (consensus.layers.size() < 2) return 0;
  Canvas<std::uint8_t> seen(static_cast<std::size_t>(counts.grid().voxels()));
  std::int64_t shared = 0;
  for (std::size_t s = 0; s < counts.structures.size(); ++s)
    for_each_taken(counts, s, consensus.labels[s].alone, [&](std::size_t voxel) {
      if (seen[voxel] == 1) ++shared;
      if (seen[voxel] < 2) ++seen[voxel];
    });
  return shared;
}

}  // namespace

LabelConsensus solve_separately(const LabelCounts& counts, const Method& method, const Options& options) {
  if (method.aim == Aim::performance || method.aim == Aim::shape)
    throw UsageError(fmt::format("{} needs one label per voxel, but segments overlap; choose another method.",
                                 method.name));
  Options own = options;
  own.method = method.name;
  own.region = {};
  LabelConsensus consensus{.method = &method, .image = {}, .labels = {}};
  for (std::size_t s = 0; s < counts.structures.size(); ++s) {
    add_up(consensus, solve(counts.structures[s].reduction, method, own));
    const std::size_t layer = find_layer(counts, s, consensus);
    for_each_taken(counts, s, consensus.labels[s].alone, [&](std::size_t voxel) {
      consensus.layers[layer][voxel] = counts.structures[s].structure.value;
    });
    consensus.layer_of.push_back(layer);
    if (method.kind == Kind::soft)
      consensus.levels.push_back(levels_alone(counts.structures[s], consensus.labels[s].alone));
  }
  consensus.lmsd_alone = consensus.lmsd;
  consensus.shared = count_shared(counts, consensus);
  return consensus;
}

SoftImage level_maps(const LabelCounts& counts, const LabelConsensus& consensus, Rest rest) {
  const auto voxels = static_cast<std::size_t>(counts.grid().voxels());
  const std::size_t before = rest == Rest::first ? 1 : 0;
  SoftImage maps(voxels * (counts.structures.size() + before));
  if (before != 0) std::fill(maps.begin(), maps.begin() + static_cast<std::ptrdiff_t>(voxels), 1.0F);
  for (std::size_t s = 0; s < counts.structures.size(); ++s)
    for (std::size_t c = 0; c < consensus.levels[s].size(); ++c) {
      const float* level = consensus.levels[s][c].data();
      for_each_voxel(counts.grid(), counts.structures[s], c, [&](std::size_t voxel, std::uint32_t) {
        if (before != 0) maps[voxel] = std::max(0.0F, maps[voxel] - *level);
        maps[voxels * (s + before) + voxel] = *level++;
      });
    }
  return maps;
}

}  // namespace crema
