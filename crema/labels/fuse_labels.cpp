// SPDX-License-Identifier: Apache-2.0
#include "crema/labels/fuse_labels.h"

#include <memory>
#include <utility>
#include <vector>

#include "crema/base/error.h"

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

}  // namespace crema
