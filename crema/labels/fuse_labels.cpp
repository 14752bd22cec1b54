// SPDX-License-Identifier: Apache-2.0
#include "crema/labels/fuse_labels.h"

#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/parallel.h"
#include "crema/labels/classes.h"
#include "crema/levels/sparse.h"

namespace crema {

LabelFusion fuse_labels(const Grid& grid, std::span<const std::span<const Label>> maps,
                        const Options& options) {
  const Method& method = find_method(options.method);
  auto taken = std::make_shared<const LabelMaps>(take_labels(grid, maps));
  std::vector<Structure> structures;
  for (const LabelExtent& extent : labels_in(*taken))
    structures.push_back({.value = extent.label, .name = {}, .labels = {extent.label}});
  if (structures.empty()) throw InputError("no rater uses any label; give other maps");
  LabelFusion fusion{count_labels(std::move(taken), std::move(structures), method.needs, options), {}};
  fusion.consensus = solve_labels(fusion.counts, method, options);
  return fusion;
}

LabelFusion fuse_classes(const Grid& grid, std::span<const std::span<const float>> maps, int classes,
                         const Options& options) {
  const Method& method = find_method(options.method);
  if (maps.empty()) throw InputError("no maps were given; a consensus needs at least one rater");
  if (classes < 2 || classes > 1 + std::numeric_limits<Label>::max())
    throw UsageError(fmt::format("{} classes; give from 2 to {}, the background among them", classes,
                                 1 + std::numeric_limits<Label>::max()));
  Options own = options;
  own.blocks = Blocks::group;  // layers are solved as groups
  const std::int64_t voxels = grid.voxels();
  for (std::size_t k = 0; k < maps.size(); ++k)
    if (std::ssize(maps[k]) != voxels * classes)
      throw InputError(fmt::format("rater {}: {} levels, but the grid has {} voxels and there are {} classes",
                                   k + 1, maps[k].size(), voxels, classes));
  std::vector<Structure> structures;
  ClassLevels levels;
  for (int c = 0; c < classes; ++c) {
    std::vector<std::span<const float>> of_class;
    for (const auto& map : maps)
      of_class.push_back(map.subspan(static_cast<std::size_t>(c * voxels), static_cast<std::size_t>(voxels)));
    std::vector<SparseLevels> taken;
    with_threads(own.threads, [&] { taken = take_levels(voxels, of_class, own.floor); });
    if (c == 0) continue;  // what the others leave
    const auto label = static_cast<Label>(c);
    structures.push_back({.value = label, .name = {}, .labels = {label}, .channel = c});
    levels.push_back(std::move(taken));
  }
  LabelFusion fusion{count_classes(grid, std::move(structures), std::move(levels), method.needs, own), {}};
  fusion.consensus = solve_classes(fusion.counts, method, own);
  return fusion;
}

}  // namespace crema
