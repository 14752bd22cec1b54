// SPDX-License-Identifier: Apache-2.0
#include "crema/labels/separate.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/fuse.h"
#include "crema/labels/settle/hard.h"
#include "crema/options.h"

namespace crema {
namespace {

template <class F>
void for_each_taken(const LabelCounts& counts, std::size_t s, const Solution& alone, F f) {
  for (std::size_t c = 0; c < alone.components.size(); ++c)
    for_each_inside(counts.structures[s], c, alone.components[c], f);
}

void add_up(LabelConsensus& consensus, Solution alone) {
  consensus.lmsd += alone.lmsd;
  if (alone.lower_bound) {
    consensus.lower_bound = consensus.lower_bound.value_or(0) + *alone.lower_bound;
    consensus.unproven += alone.unproven;
  }
  append(consensus.warnings, alone.warnings);
  consensus.labels.push_back({alone, alone, alone.lmsd});
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

/// Structures in the order of their channels, where raters gave some.
std::vector<std::size_t> by_channel(const LabelCounts& counts) {
  std::vector<std::size_t> order(counts.structures.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return counts.structures[a].structure.channel < counts.structures[b].structure.channel;
  });
  return order;
}

}  // namespace

bool fuses_separately(const Method& method) {
  return method.aim != Aim::performance && method.aim != Aim::shape;
}

LabelConsensus solve_separately(const LabelCounts& counts, const Method& method, const Options& options) {
  if (!fuses_separately(method))
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
  const std::vector<std::size_t> order = by_channel(counts);
  for (std::size_t place = 0; place < order.size(); ++place)
    for (std::size_t s = order[place], p = 0; p < consensus.levels[s].size(); ++p)
      for_each_in_part(counts.structures[s].reduction, p, [&](std::size_t voxel, std::size_t i) {
        const float level = consensus.levels[s][p][i];
        if (before != 0) maps[voxel] = std::max(0.0F, maps[voxel] - level);
        maps[voxels * (place + before) + voxel] = level;
      });
  return maps;
}

}  // namespace crema
