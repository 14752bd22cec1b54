// SPDX-License-Identifier: Apache-2.0
#include "crema/labels/regions.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "crema/error.h"
#include "crema/labels/hard.h"
#include "crema/text.h"

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
    throw UsageError(
        fmt::format("{}: the regions inside {} have all its labels, so that none is left to write it as.",
                    Sentence::setting("regions"), name));
  structures[s].value = own.front();
  if (own.size() > 1)
    warnings.push_back(
        fmt::format("{}: its labels {} lie in no smaller region; the result has {} for all of them.", name,
                    fmt::join(own, ", "), own.front()));
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
  for (const std::size_t s : chosen) {
    const StructureCounts& own = counts.structures[s];
    const Label value = own.structure.value;
    const int parent = own.structure.parent;
    const Label inside = parent == Structure::kNone
                             ? Label{0}
                             : counts.structures[static_cast<std::size_t>(parent)].structure.value;
    const auto& components = consensus.labels[s].alone.components;
    for (std::size_t c = 0; c < components.size(); ++c)
      for_each_inside(counts.grid(), own, c, components[c], [&](std::size_t voxel) {
        if (layer[voxel] != value) return;
        if (image[voxel] == inside)
          image[voxel] = value;
        else
          ++consensus.cut;
      });
  }
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

LabelImage paint_nested(const LabelCounts& counts, const Options& options, LabelConsensus& consensus) {
  LabelImage image(static_cast<std::size_t>(counts.grid().voxels()));
  for (int depth = 0;; ++depth) {
    std::vector<std::size_t> chosen;
    for (std::size_t s = 0; s < counts.structures.size(); ++s)
      if (depth_of(counts, s) == depth) chosen.push_back(s);
    if (chosen.empty()) return image;
    const LabelImage layer = paint_disjoint(counts, chosen, options, consensus);
    paint_layer(counts, chosen, layer, consensus, image);
  }
}

}  // namespace crema
