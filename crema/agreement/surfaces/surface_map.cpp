// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/surfaces/surface_map.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "crema/agreement/surfaces/site_rows.h"
#include "crema/agreement/surfaces/site_tree.h"
#include "crema/base/parallel.h"
#include "crema/spatial/euclidean.h"

namespace crema {
namespace {

constexpr double kNowhere = std::numeric_limits<double>::infinity();

void extend(Box& box, const Grid& grid, const VoxelSet& set) {
  for (const Run& run : set.runs) box = united(box, box_of(run, grid));
}

/// The distances to one surface at a time, in a box that holds all of them.
class DistanceMap {
 public:
  DistanceMap(const Grid& grid, const std::array<double, 3>& spacing, const Box& box)
      : grid_(grid),
        spacing_(spacing),
        box_(box),
        size_(box.size()),
        sites_(size_, spacing),
        queried_(sites_.none()) {}

  /// Only voxels of these sets are looked at.
  void ask_for(std::span<const VoxelSet> sets) {
    for (const VoxelSet& set : sets)
      for_each_run(set, [&](const BoxRun& run) { queried_.add(run.x, run.row, run.length); });
    first_of_word_.resize(queried_.words.size());
    const std::int64_t rows = std::int64_t{size_[1]} * size_[2];
    for (std::int64_t row = 0; row < rows; ++row)
      for (std::int32_t x = 0; x < size_[0]; x += 64) {
        const std::size_t word = queried_.word_of(x, row);
        first_of_word_[word] = requested_.size();
        if (queried_.words[word] != 0) words_.push_back(word);
        for (std::uint64_t left = queried_.words[word]; left != 0; left &= left - 1)
          requested_.push_back({x + std::countr_zero(left), static_cast<std::int32_t>(row % size_[1]),
                                static_cast<std::int32_t>(row / size_[1])});
      }
    distances_.resize(requested_.size());
  }

  void spread_from(const VoxelSet& surface) {
    constexpr std::int64_t kGrain = 1 << 7;
    sites_.clear();
    for_each_run(surface, [&](const BoxRun& run) { sites_.add(run.x, run.row, run.length); });
    parallel_pieces(std::ssize(words_), kGrain, [&](std::int64_t begin, std::int64_t end) {
      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
        sites_.look_from(queried_, words_[i], distances_.data() + first_of_word_[words_[i]]);
    });
    find_far(surface);
  }

  /// In millimetres, for every voxel of a set, in raster order.
  [[nodiscard]] std::vector<double> at(const VoxelSet& set) const {
    std::vector<double> distances;
    distances.reserve(static_cast<std::size_t>(set.voxels));
    for_each_run(set, [&](const BoxRun& run) {
      const std::uint64_t before = (std::uint64_t{1} << (run.x % 64)) - 1;
      const std::size_t word = queried_.word_of(run.x, run.row);
      const double* const first =
          distances_.data() + first_of_word_[word] + std::popcount(queried_.words[word] & before);
      distances.insert(distances.end(), first, first + run.length);
    });
    return distances;
  }

 private:
  struct BoxRun {
    std::int32_t x;
    std::int64_t row;  ///< of the box
    std::int32_t length;
  };

  template <class F>
  void for_each_run(const VoxelSet& set, F f) const {
    for (const Run& run : set.runs) {
      const std::int64_t row = run.first / grid_.size[0], x = run.first - row * grid_.size[0];
      const std::int64_t z = row / grid_.size[1], y = row - z * grid_.size[1];
      f(BoxRun{static_cast<std::int32_t>(x) - box_.low[0], (z - box_.low[2]) * size_[1] + y - box_.low[1],
               run.length});
    }
  }

  /// Finds those that are not near. A tree finds single voxels fast, unless many sites are as
  /// far from them as the nearest; spreading takes what the box takes, and a tree may not take more.
  void find_far(const VoxelSet& surface) {
    std::vector<std::size_t> far;
    for (std::size_t i = 0; i < distances_.size(); ++i)
      if (distances_[i] < 0) far.push_back(i);
    if (far.empty()) return;
    if (!search_for(far, surface)) spread_to(far, surface);
  }

  /// False where it takes too long; then some are not found.
  bool search_for(const std::vector<std::size_t>& far, const VoxelSet& surface) {
    constexpr std::int64_t kGrain = 256, kMaxLooksEach = 1500, kMinLooksEach = 32, kLooksPerBoxVoxel = 3;
    const std::int64_t looks_each =
        std::min(kMaxLooksEach, kLooksPerBoxVoxel * box_.voxels() / std::ssize(far));
    if (looks_each < kMinLooksEach) return false;
    std::vector<SiteTree::Place> places;
    places.reserve(static_cast<std::size_t>(surface.voxels));
    for_each_run(surface, [&](const BoxRun& run) {
      for (std::int32_t i = 0; i < run.length; ++i)
        places.push_back({run.x + i, static_cast<std::int32_t>(run.row % size_[1]),
                          static_cast<std::int32_t>(run.row / size_[1])});
    });
    const SiteTree tree(std::move(places), spacing_);
    std::atomic<bool> given_up = false;
    parallel_pieces(std::ssize(far), kGrain, [&](std::int64_t begin, std::int64_t end) {
      std::int64_t looks = looks_each * (end - begin);
      double bound = kNowhere;
      for (std::int64_t i = begin; i < end && !given_up.load(std::memory_order_relaxed); ++i) {
        const std::size_t one = far[static_cast<std::size_t>(i)];
        if (i > begin) bound = bound_from(far[static_cast<std::size_t>(i - 1)], one);
        distances_[one] = std::sqrt(tree.nearest(requested_[one], bound, looks));
        if (looks < 0) given_up.store(true, std::memory_order_relaxed);
      }
    });
    return !given_up.load(std::memory_order_relaxed);
  }

  /// mm² within which a site lies, as one lies at a known distance from another voxel.
  [[nodiscard]] double bound_from(std::size_t known, std::size_t other) const {
    constexpr double kRoom = 1 + 1e-9;
    double mm2 = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      const double mm = spacing_[a] * (requested_[known][a] - requested_[other][a]);
      mm2 += mm * mm;
    }
    const double mm = distances_[known] + std::sqrt(mm2);
    return mm * mm * kRoom;
  }

  void spread_to(const std::vector<std::size_t>& far, const VoxelSet& surface) {
    const auto voxels = static_cast<std::size_t>(box_.voxels());
    std::vector<double> map(voxels, kNowhere);
    std::vector<std::uint8_t> wanted(voxels, 0);
    const auto place = [&](const SiteTree::Place& p) {
      return static_cast<std::size_t>((std::int64_t{p[2]} * size_[1] + p[1]) * size_[0] + p[0]);
    };
    for_each_run(surface, [&](const BoxRun& run) {
      std::fill_n(map.begin() + run.row * size_[0] + run.x, run.length, 0.0);
    });
    for (const std::size_t one : far) wanted[place(requested_[one])] = 1;
    spread_squared_distances(size_, spacing_, map, wanted);
    for (const std::size_t one : far) distances_[one] = std::sqrt(map[place(requested_[one])]);
  }

  const Grid& grid_;
  std::array<double, 3> spacing_;
  Box box_;
  std::array<std::int32_t, 3> size_;
  SiteRows sites_;                          ///< of the surface
  BitRows queried_;                         ///< the voxels of all sets
  std::vector<std::size_t> words_;          ///< of it that are not 0
  std::vector<std::size_t> first_of_word_;  ///< the place of its first voxel in what is requested
  std::vector<SiteTree::Place> requested_;  ///< in raster order
  std::vector<double> distances_;           ///< of each, in mm; less than 0 where it is not found yet
};

/// Hands out what `distances_of(set)` finds from each set that makes a pair with the target.
template <class F>
void take_all(std::span<const SetPair> pairs, std::size_t target, const TakeDistances& take, F distances_of) {
  parallel_for(std::ssize(pairs), [&](std::int64_t i) {
    const auto p = static_cast<std::size_t>(i);
    const auto& [a, b] = pairs[p];
    if (b == target) take(p, Direction::there, distances_of(a));
    if (a == target) take(p, Direction::back, distances_of(b));
  });
}

std::vector<std::array<std::int32_t, 3>> places_of(const Grid& grid, const VoxelSet& set) {
  std::vector<std::array<std::int32_t, 3>> places;
  places.reserve(static_cast<std::size_t>(set.voxels));
  for (const Run& run : set.runs) {
    const auto p = grid.point(run.first);
    for (std::int32_t i = 0; i < run.length; ++i) places.push_back({p[0] + i, p[1], p[2]});
  }
  return places;
}

std::vector<double> distances_in(const SiteTree& tree, const Grid& grid, const VoxelSet& set) {
  std::vector<double> distances;
  distances.reserve(static_cast<std::size_t>(set.voxels));
  for (const auto& place : places_of(grid, set)) distances.push_back(std::sqrt(tree.nearest(place)));
  return distances;
}

/// Whether a map of the box is worth its voxels, and allowed.
bool map_pays(const Box& box, std::span<const VoxelSet> surfaces, const MemoryAccount* memory) {
  constexpr std::int64_t kMaxBoxPerVoxel = 200, kMapVoxel = sizeof(double) + 1, kRequested = 32;
  std::int64_t requested = 0;
  for (const VoxelSet& surface : surfaces) requested += surface.voxels;
  const std::int64_t voxels = box.voxels();
  if (voxels > kMaxBoxPerVoxel * std::max<std::int64_t>(requested, 1)) return false;
  return memory == nullptr || memory->allows(voxels * kMapVoxel + std::min(requested, voxels) * kRequested);
}

}  // namespace

void directed_distances(const Grid& grid, const std::array<double, 3>& spacing,
                        std::span<const VoxelSet> surfaces, std::span<const SetPair> pairs,
                        const MemoryAccount* memory, const TakeDistances& take) {
  Box box;
  for (const VoxelSet& surface : surfaces) extend(box, grid, surface);
  std::optional<DistanceMap> map;  // one at a time: it is as large as the box, its loops are parallel
  if (map_pays(box, surfaces, memory)) map.emplace(grid, spacing, box).ask_for(surfaces);
  for (std::size_t target = 0; target < surfaces.size(); ++target) {
    const auto involved = [&](const SetPair& p) { return p.first == target || p.second == target; };
    if (surfaces[target].voxels == 0 || std::none_of(pairs.begin(), pairs.end(), involved)) continue;
    if (map) {
      map->spread_from(surfaces[target]);
      take_all(pairs, target, take, [&](std::size_t set) { return map->at(surfaces[set]); });
    } else {
      const SiteTree tree(places_of(grid, surfaces[target]), spacing);
      take_all(pairs, target, take, [&](std::size_t set) { return distances_in(tree, grid, surfaces[set]); });
    }
  }
}

}  // namespace crema
