// SPDX-License-Identifier: Apache-2.0
#include "crema/labels/classes.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "crema/labels/regions.h"
#include "crema/labels/settle/hard.h"
#include "crema/levels/level_maps.h"
#include "crema/levels/reduce_levels.h"
#include "crema/levels/solve_levels.h"
#include "crema/measure.h"
#include "crema/stop.h"

namespace crema {
namespace {

/// The places of structures by their channels.
std::vector<std::size_t> by_channel(const std::vector<Structure>& structures) {
  std::vector<std::size_t> order(structures.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return structures[a].channel < structures[b].channel;
  });
  return order;
}

/// What one rater holds from ½ on. Structures that lie inside others come behind them and are painted over
/// them; of others the first has a voxel that is ½ in both. With nnU-Net's rule the last channel has it.
LabelRuns labels_from_half(const Grid& grid, const std::vector<Structure>& structures,
                           const ClassLevels& levels, std::size_t rater, RegionRule rule) {
  LabelImage image(static_cast<std::size_t>(grid.voxels()));
  std::vector<SparseLevels> own;
  std::vector<std::size_t> order(structures.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (const std::size_t s : rule == RegionRule::over ? by_channel(structures) : order) {
    const Label outer = structures[s].parent == Structure::kNone
                            ? Label{0}
                            : structures[static_cast<std::size_t>(structures[s].parent)].value;
    own.push_back(levels[s][rater]);
    const float* level = own.back().values().data();
    for (const Run& run : own.back().runs())
      for (std::int64_t v = run.first; v < run.first + run.length; ++v) {
        Label& label = image[static_cast<std::size_t>(v)];
        if (*level++ >= kCoreLevel && (rule == RegionRule::over || label == 0 || label == outer))
          label = structures[s].value;
      }
  }
  LabelRuns runs;
  for (const Run& run : unite(own))
    runs.take(run.first, {std::as_const(image).data() + run.first, static_cast<std::size_t>(run.length)});
  return runs;
}

std::int64_t marked(const SparseLevels& map) {
  const auto values = map.values();
  return std::count_if(values.begin(), values.end(), [](float level) { return level >= kCoreLevel; });
}

/// Calls f(part, i, voxel) for all voxels of a structure's support.
template <class F>
void for_each_of_support(const Reduction& reduction, F f) {
  for (std::size_t p = 0; p < level_parts(reduction); ++p)
    for_each_in_part(reduction, p, [&](std::size_t voxel, std::size_t i) { f(p, i, voxel); });
}

/// Structures by increasing value: of two that raters back alike the smaller label comes first.
std::vector<std::size_t> by_value(const LabelCounts& counts, std::vector<std::size_t> chosen) {
  std::sort(chosen.begin(), chosen.end(), [&](std::size_t a, std::size_t b) {
    return counts.structures[a].structure.value < counts.structures[b].structure.value;
  });
  return chosen;
}

/// Masks beside each other; where several meet, the class with the highest mean level has the voxel.
LabelImage paint_masks(const LabelCounts& counts, const std::vector<std::size_t>& chosen,
                       const std::vector<HardImage>& masks, LabelConsensus& consensus) {
  const auto voxels = static_cast<std::size_t>(counts.grid().voxels());
  LabelImage image(voxels);
  Canvas<float> backing(voxels);
  Canvas<std::uint8_t> claims(voxels);
  for (const std::size_t s : by_value(counts, chosen)) {
    const StructureCounts& own = counts.structures[s];
    for_each_of_support(own.reduction, [&](std::size_t p, std::size_t i, std::size_t v) {
      if (masks[s][v] == 0) return;
      if (claims[v] == 1) ++consensus.claimed_twice;
      if (claims[v] < 2) ++claims[v];
      const float backed = backing_of(own.reduction, p, i);
      if (image[v] != 0 && backed <= backing[v]) return;
      image[v] = own.structure.value;
      backing[v] = backed;
    });
  }
  return image;
}

/// Regions in the order of their channels, each over those before it.
LabelImage paint_over(const LabelCounts& counts, const std::vector<HardImage>& masks) {
  LabelImage image(static_cast<std::size_t>(counts.grid().voxels()));
  std::vector<Structure> structures;
  for (const StructureCounts& own : counts.structures) structures.push_back(own.structure);
  for (const std::size_t s : by_channel(structures))
    for_each_of_support(counts.structures[s].reduction, [&](std::size_t, std::size_t, std::size_t v) {
      if (masks[s][v] != 0) image[v] = structures[s].value;
    });
  return image;
}

/// What each class takes alone: levels go into the consensus, masks are returned.
std::vector<HardImage> solve_alone(const LabelCounts& counts, const Method& method, const Options& options,
                                   LabelConsensus& consensus) {
  std::vector<HardImage> masks;
  for (const StructureCounts& own : counts.structures) {
    Solution alone = solve(own.reduction, method, options_alone(own, method, options));
    if (method.kind == Kind::soft) consensus.levels.push_back(levels_alone(own, alone));
    if (method.kind == Kind::soft && counts.nested())
      *alone.image = cut(std::move(*alone.image), 0.5, options.tie);
    if (method.kind == Kind::hard || counts.nested())
      masks.push_back(std::move(std::get<HardImage>(*alone.image)));
    alone.image.reset();
    add_alone(consensus, std::move(alone));
  }
  return masks;
}

}  // namespace

LabelCounts count_classes(const Grid& grid, std::vector<Structure> structures, ClassLevels levels,
                          Needs needs, const Options& options) {
  auto maps = std::make_shared<LabelMaps>();
  maps->grid = grid;
  for (std::size_t k = 0; k < levels.front().size(); ++k)
    maps->raters.push_back(labels_from_half(grid, structures, levels, k, options.region_rule));
  LabelCounts all{.maps = maps, .structures = {}};
  Options quiet = options;
  quiet.progress = {};
  for (std::size_t s = 0; s < structures.size(); ++s) {
    throw_if_stopped(options);
    StructureCounts counts{.structure = std::move(structures[s])};
    for (const SparseLevels& map : levels[s]) {
      counts.voxels_of_rater.push_back(marked(map));
      counts.drawn += counts.voxels_of_rater.back();
    }
    counts.reduction = reduce_levels(grid, std::move(levels[s]), options.floor, needs, quiet);
    all.structures.push_back(std::move(counts));
    if (options.progress)
      options.progress(static_cast<double>(s + 1) / static_cast<double>(structures.size()));
  }
  return all;
}

LabelConsensus solve_classes(const LabelCounts& counts, const Method& method, const Options& options) {
  LabelConsensus consensus{.method = &method, .image = {}, .labels = {}};
  const std::vector<HardImage> masks = solve_alone(counts, method, options, consensus);
  if (masks.empty()) {
    consensus.image = paint_levels(counts, options, consensus);
  } else if (counts.nested() && options.region_rule == RegionRule::over) {
    consensus.image = paint_over(counts, masks);
  } else {
    const auto paint = [&](const std::vector<std::size_t>& chosen) {
      return paint_masks(counts, chosen, masks, consensus);
    };
    consensus.image = paint_nested(counts, paint, consensus);
  }
  measure_labels(counts, method.distance, options.weights, consensus);
  return consensus;
}

Solution measure_class(const LabelCounts& counts, std::size_t s, const std::vector<Label>& shown,
                       const Distance& distance, const std::vector<double>& weights,
                       const LabelConsensus& consensus) {
  const Reduction& reduction = counts.structures[s].reduction;
  const Image image = image_of_label(counts, consensus, s);
  Solution joint{.method = consensus.method};
  joint.votes = consensus.labels[s].alone.votes;
  const Totals totals = measure_image(image);
  joint.entropy = totals.entropy;
  joint.soft_volume = totals.sum;
  for (std::size_t p = 0; p < level_parts(reduction); ++p) {
    std::int64_t inside = 0;
    for_each_in_part(reduction, p, [&](std::size_t voxel, std::size_t) {
      if (std::find(shown.begin(), shown.end(), consensus.image[voxel]) != shown.end()) ++inside;
    });
    joint.voxels += inside;
    if (p == reduction.crowns.size()) continue;
    joint.components.push_back(measure_map(reduction, p, image, distance, weights));
    joint.components.back().voxels = inside;
  }
  return joint;
}

}  // namespace crema
