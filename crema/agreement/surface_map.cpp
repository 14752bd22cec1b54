// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/surface_map.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "crema/parallel.h"
#include "crema/spatial/euclidean.h"
#include "crema/spatial/nearby_rows.h"

namespace crema {
namespace {

constexpr double kNowhere = std::numeric_limits<double>::infinity();

void extend(Box& box, const Grid& grid, const VoxelSet& set) {
  for (const Run& run : set.runs) {
    const std::int64_t row = run.first / grid.size[0];
    const auto x = static_cast<std::int32_t>(run.first % grid.size[0]);
    const auto y = static_cast<std::int32_t>(row % grid.size[1]);
    const auto z = static_cast<std::int32_t>(row / grid.size[1]);
    const Box own{{x, y, z}, {x + run.length, y + 1, z + 1}};
    if (box == Box{}) box = own;
    for (std::size_t a = 0; a < 3; ++a) {
      box.low[a] = std::min(box.low[a], own.low[a]);
      box.high[a] = std::max(box.high[a], own.high[a]);
    }
  }
}

/// The distances to one surface at a time, in a box that holds all of them.
class DistanceMap {
 public:
  DistanceMap(const Grid& grid, const std::array<double, 3>& spacing, const Box& box)
      : grid_(grid), spacing_(spacing), box_(box), size_(box.size()) {
    map_.resize(static_cast<std::size_t>(std::int64_t{size_[0]} * size_[1] * size_[2]));
  }

  /// Only voxels of these sets are looked at.
  void ask_for(std::span<const VoxelSet> sets) {
    far_.assign(map_.size(), 0);
    for (const VoxelSet& set : sets)
      for (const Run& run : set.runs)
        std::fill_n(far_.begin() + place(run.first), run.length, std::uint8_t{1});
    std::int64_t voxel = 0;
    for (std::int32_t z = 0; z < size_[2]; ++z)
      for (std::int32_t y = 0; y < size_[1]; ++y)
        for (std::int32_t x = 0; x < size_[0]; ++x, ++voxel)
          if (std::exchange(far_[static_cast<std::size_t>(voxel)], 0) != 0) asked_.push_back({voxel, y, z});
    distances_.resize(asked_.size());
  }

  void spread_from(const VoxelSet& surface) {
    constexpr std::int64_t kGrain = 1 << 16;
    parallel_pieces(std::ssize(map_), kGrain, [&](std::int64_t begin, std::int64_t end) {
      std::fill(map_.begin() + begin, map_.begin() + end, kNowhere);
    });
    for (const Run& run : surface.runs) std::fill_n(map_.begin() + place(run.first), run.length, 0.0);
    spread_along_rows(size_, spacing_[0], map_);
    look_nearby();
    spread_to_far();
  }

  /// In millimetres, for every voxel of a set, in raster order.
  [[nodiscard]] std::vector<double> at(const VoxelSet& set) const {
    std::vector<double> distances;
    distances.reserve(static_cast<std::size_t>(set.voxels));
    for (const Run& run : set.runs) {
      const double* const first = map_.data() + place(run.first);
      for (std::int32_t i = 0; i < run.length; ++i) distances.push_back(std::sqrt(first[i]));
    }
    return distances;
  }

 private:
  struct Asked {
    std::int64_t place;
    std::int32_t y, z;
  };

  /// Most surfaces are near each other.
  void look_nearby() {
    constexpr std::int64_t kGrain = 1 << 10;
    const NearbyRows rows(size_, spacing_, map_);
    parallel_pieces(std::ssize(asked_), kGrain, [&](std::int64_t begin, std::int64_t end) {
      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
        distances_[i] = rows.at(asked_[i].place, asked_[i].y, asked_[i].z);
    });
  }

  /// What is not near is found by spreading; then all that is asked for stands in the map.
  void spread_to_far() {
    const auto far = [](double distance) { return distance < 0; };
    if (std::any_of(distances_.begin(), distances_.end(), far)) {
      for_each_asked([&](std::size_t voxel, double distance) { far_[voxel] = far(distance) ? 1 : 0; });
      spread_across_rows(size_, spacing_, map_, far_);
      for_each_asked([&](std::size_t voxel, double) { far_[voxel] = 0; });
    }
    for_each_asked([&](std::size_t voxel, double distance) {
      if (!far(distance)) map_[voxel] = distance;
    });
  }

  template <class F>
  void for_each_asked(F f) const {
    for (std::size_t i = 0; i < asked_.size(); ++i)
      f(static_cast<std::size_t>(asked_[i].place), distances_[i]);
  }

  [[nodiscard]] std::int64_t place(std::int64_t voxel) const {
    const std::int64_t row = voxel / grid_.size[0], x = voxel % grid_.size[0];
    const std::int64_t y = row % grid_.size[1], z = row / grid_.size[1];
    return ((z - box_.low[2]) * size_[1] + y - box_.low[1]) * size_[0] + x - box_.low[0];
  }

  const Grid& grid_;
  std::array<double, 3> spacing_;
  Box box_;
  std::array<std::int32_t, 3> size_;
  std::vector<double> map_;
  std::vector<std::uint8_t> far_;  ///< where the surface is not near
  std::vector<Asked> asked_;
  std::vector<double> distances_;  ///< of what is asked for, in mm²; less than 0 where it is far
};

}  // namespace

std::vector<Directed> directed_distances(const Grid& grid, const std::array<double, 3>& spacing,
                                         std::span<const VoxelSet> surfaces, std::span<const SetPair> pairs) {
  Box box;
  for (const VoxelSet& surface : surfaces) extend(box, grid, surface);
  std::vector<Directed> directed(pairs.size());
  DistanceMap map(grid, spacing, box);  // one at a time: it is as large as the box, its loops are parallel
  map.ask_for(surfaces);
  for (std::size_t target = 0; target < surfaces.size(); ++target) {
    const auto involved = [&](const SetPair& p) { return p.first == target || p.second == target; };
    if (surfaces[target].voxels == 0 || std::none_of(pairs.begin(), pairs.end(), involved)) continue;
    map.spread_from(surfaces[target]);
    parallel_for(std::ssize(pairs), [&](std::int64_t i) {
      const auto& [a, b] = pairs[static_cast<std::size_t>(i)];
      if (b == target) directed[static_cast<std::size_t>(i)].there = map.at(surfaces[a]);
      if (a == target) directed[static_cast<std::size_t>(i)].back = map.at(surfaces[b]);
    });
  }
  return directed;
}

}  // namespace crema
