// SPDX-License-Identifier: Apache-2.0
#include "crema/labels/regions.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/memory.h"
#include "crema/base/text.h"
#include "crema/labels/settle/hard.h"
#include "crema/measure.h"
#include "crema/voxels/votes/votes.h"

namespace crema {
namespace {

bool holds(const std::vector<Label>& outer, const std::vector<Label>& inner) {
  return std::includes(outer.begin(), outer.end(), inner.begin(), inner.end());
}

/// The labels of a region that no region inside it has.
std::vector<Label> own_labels(const std::vector<Structure>& structures, std::size_t s) {
  std::vector<Label> own = structures[s].labels;
  for (std::size_t i = 0; i < structures.size(); ++i)
    if (i != s && holds(structures[s].labels, structures[i].labels))
      std::erase_if(own, [&](Label label) {
        return std::binary_search(structures[i].labels.begin(), structures[i].labels.end(), label);
      });
  return own;
}

void choose_value(std::vector<Structure>& structures, std::size_t s, Warnings& warnings) {
  const std::vector<Label> own = own_labels(structures, s);
  const std::string name = printable(structures[s].name);
  if (own.empty())
    throw UsageError(fmt::format("{}: the regions inside {} use all its labels, so none is left for it.",
                                 Sentence::setting("regions"), name));
  structures[s].value = own.front();
  if (own.size() > 1)
    warnings.push_back(
        {fmt::format("{}: its labels {} are in no smaller region; the result uses {} for all of them.", name,
                     fmt::join(own, ", "), own.front()),
         WarningKind::labels});
}

/// The smallest region that holds it; they are sorted by size, the largest first.
int parent_of(const std::vector<Structure>& structures, std::size_t s) {
  for (std::size_t i = s; i-- > 0;)
    if (holds(structures[i].labels, structures[s].labels)) return static_cast<int>(i);
  return Structure::kNone;
}

int depth_of(const LabelCounts& counts, std::size_t s) {
  int depth = 0;
  for (int p = counts.structures[s].structure.parent; p != Structure::kNone;
       p = counts.structures[static_cast<std::size_t>(p)].structure.parent)
    ++depth;
  return depth;
}

/// Paints a layer of regions into the image, where the region that each lies inside was painted before.
void paint_layer(const LabelCounts& counts, const std::vector<std::size_t>& chosen, const LabelImage& layer,
                 LabelConsensus& consensus, LabelImage& image) {
  std::vector<Label> outer(std::size_t{1} << 16, 0);
  for (const std::size_t s : chosen) {
    const Structure& own = counts.structures[s].structure;
    if (own.parent != Structure::kNone)
      outer[own.value] = counts.structures[static_cast<std::size_t>(own.parent)].structure.value;
  }
  for (std::size_t voxel = 0; voxel < layer.size(); ++voxel) {
    if (layer[voxel] == 0) continue;
    if (image[voxel] == outer[layer[voxel]])
      image[voxel] = layer[voxel];
    else
      ++consensus.cut;
  }
}

/// The votes of the whole grid are there, or are taken anew for this region alone.
Reduction with_votes(const StructureCounts& counts, const LabelMaps& maps, const Options& options) {
  const Box whole{{0, 0, 0}, maps.grid.size};
  return reduce(maps.grid, votes_on(maps, counts.structure.labels, whole), Needs::neighbours, options);
}

RegionAlone solve_painted(const Reduction& reduction, const Method& method, const Options& options) {
  RegionAlone region{solve(reduction, method, options), {}};
  const Image mask = cut(paint(reduction, region.solution, options), 0.5, options.tie);
  const auto& inside = std::get<HardImage>(mask);
  for (std::size_t c = 0; c < region.solution.components.size(); ++c) {
    const Measures own = measure_component(reduction, c, std::span<const std::uint8_t>(inside));
    region.solution.components[c].inside = own.inside;
    region.solution.components[c].voxels = own.voxels;
  }
  for (std::size_t v = 0; v < inside.size(); ++v)
    if (inside[v] != 0) extend(region.taken, static_cast<std::int64_t>(v));
  return region;
}

}  // namespace

std::vector<Structure> nest(const std::vector<NamedLabels>& regions, Warnings& warnings) {
  std::vector<Structure> structures;
  for (const NamedLabels& region : regions) structures.push_back({0, region.name, region.labels});
  std::stable_sort(structures.begin(), structures.end(),
                   [](const Structure& a, const Structure& b) { return a.labels.size() > b.labels.size(); });
  for (std::size_t s = 0; s < structures.size(); ++s) {
    structures[s].parent = parent_of(structures, s);
    choose_value(structures, s, warnings);
  }
  return structures;
}

RegionAlone solve_region(const StructureCounts& counts, const LabelMaps& maps, const Method& method,
                         const Options& options) {
  if (method.needs == Needs::neighbours && !counts.reduction.votes) {
    Options own = options;
    if (options.memory) {
      own.memory = std::make_shared<MemoryAccount>(options.memory->limit());
      own.memory->hold(options.memory->held());
    }
    return solve_painted(with_votes(counts, maps, own), method, own);
  }
  if (method.kind == Kind::soft || method.aim == Aim::performance || method.aim == Aim::shape)
    return solve_painted(counts.reduction, method, options);
  Solution solution = solve(counts.reduction, method, options);
  Taken taken = taken_by(counts, solution.components);
  return {std::move(solution), std::move(taken)};
}

LabelImage paint_nested(const LabelCounts& counts, const PaintLayer& paint, LabelConsensus& consensus) {
  LabelImage image(static_cast<std::size_t>(counts.grid().voxels()));
  for (int depth = 0;; ++depth) {
    std::vector<std::size_t> chosen;
    for (std::size_t s = 0; s < counts.structures.size(); ++s)
      if (depth_of(counts, s) == depth) chosen.push_back(s);
    if (chosen.empty()) return image;
    paint_layer(counts, chosen, paint(chosen), consensus, image);
  }
}

}  // namespace crema
