// SPDX-License-Identifier: Apache-2.0
// Label maps for tests, and the shortest way from them to a consensus.
#pragma once

#include <array>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "crema/labels/settle/joint.h"
#include "crema/options.h"

namespace crema {

using Maps = std::vector<std::vector<Label>>;

inline Grid grid_of(std::int32_t x, std::int32_t y, std::int32_t z = 1) {
  Grid grid;
  grid.size = {x, y, z};
  return grid;
}

inline std::shared_ptr<const LabelMaps> taken(const Grid& grid, const Maps& maps) {
  std::vector<std::span<const Label>> spans(maps.begin(), maps.end());
  return std::make_shared<const LabelMaps>(take_labels(grid, spans));
}

inline std::vector<Structure> one_by_one(const LabelMaps& maps) {
  std::vector<Structure> structures;
  for (const LabelExtent& extent : labels_in(maps)) structures.push_back({extent.label, "", {extent.label}});
  return structures;
}

inline LabelCounts counted(const Grid& grid, const Maps& maps, const Options& options = {}) {
  const auto shared = taken(grid, maps);
  return count_labels(shared, one_by_one(*shared), Needs::distances, options);
}

inline LabelConsensus fused(const Grid& grid, const Maps& maps, const std::string& method,
                            const Options& options = {}) {
  return solve_labels(counted(grid, maps, options), find_method(method), options);
}

inline std::vector<Label> values(const LabelImage& image) { return {image.begin(), image.end()}; }

/// A few blobs that raters cut off and label a little differently.
inline Maps random_maps(const Grid& grid, int raters, int labels, unsigned seed) {
  std::mt19937 random(seed);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution(low, high)(random);
  };
  Maps maps(static_cast<std::size_t>(raters), std::vector<Label>(static_cast<std::size_t>(grid.voxels()), 0));
  for (int label = 1; label <= labels; ++label) {
    const std::array<double, 3> centre{uniform(0.2, 0.8) * grid.size[0], uniform(0.2, 0.8) * grid.size[1],
                                       uniform(0.2, 0.8) * grid.size[2]};
    const double radius = uniform(0.15, 0.35) * grid.size[0];
    for (auto& map : maps) {
      const double own = radius * uniform(0.7, 1.3), dx = uniform(-1.5, 1.5), dy = uniform(-1.5, 1.5);
      for (std::size_t v = 0; v < map.size(); ++v) {
        const double x = static_cast<double>(v % static_cast<std::size_t>(grid.size[0])) - centre[0] - dx;
        const double y = static_cast<double>(v / static_cast<std::size_t>(grid.size[0]) %
                                             static_cast<std::size_t>(grid.size[1])) -
                         centre[1] - dy;
        const double z = static_cast<double>(v / static_cast<std::size_t>(grid.size[0]) /
                                             static_cast<std::size_t>(grid.size[1])) -
                         centre[2];
        if (x * x + y * y + z * z < own * own) map[v] = static_cast<Label>(label);
      }
    }
  }
  return maps;
}

}  // namespace crema
