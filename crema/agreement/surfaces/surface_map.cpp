// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/surfaces/surface_map.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

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

/// The distances to some surfaces at a time, in a box that holds all of them.
class DistanceMap {
 public:
  /// Only voxels of these surfaces are looked at.
  DistanceMap(const Grid& grid, const std::array<double, 3>& spacing, const Box& box,
              std::span<const VoxelSet> surfaces)
      : grid_(grid),
        surfaces_(surfaces),
        spacing_(spacing),
        box_(box),
        size_(box.size()),
        sites_(size_, spacing),
        queried_(sites_.none<1>()),
        requested_(sites_.none<kSurfacesAtOnce>()) {
    for (const VoxelSet& surface : surfaces) add_to(queried_, 0, surface);
    number_voxels();
    for (auto& distances : distances_) distances.resize(places_.size());
  }

  /// Finds the ways to these surfaces; at most kSurfacesAtOnce.
  void spread_from(std::span<const std::size_t> targets, std::span<const Way> ways) {
    constexpr std::int64_t kGrain = 1 << 7;
    sites_.clear();
    requested_.clear();
    for (std::size_t t = 0; t < targets.size(); ++t) {
      add_to(sites_, t, surfaces_[targets[t]]);
      request(t, sets_leading_to(targets[t], ways));
    }
    parallel_pieces(std::ssize(words_), kGrain, [&](std::int64_t begin, std::int64_t end) {
      SiteRows::Found found;  // NOLINT: look_from() fills those that are looked for
      for (std::int64_t i = begin; i < end; ++i)
        look_from(static_cast<std::size_t>(i), targets.size(), found);
    });
    for (std::size_t t = 0; t < targets.size(); ++t) find_far(surfaces_[targets[t]], distances_[t]);
  }

  /// In millimetres, for every voxel of a set, in raster order; of the target at this place among them.
  [[nodiscard]] std::vector<double> at(std::size_t set, std::size_t target) const {
    std::vector<double> distances;
    distances.reserve(static_cast<std::size_t>(surfaces_[set].voxels));
    for (std::size_t r = 0; r < surfaces_[set].runs.size(); ++r)
      for (std::int32_t i = 0; i < surfaces_[set].runs[r].length; ++i)
        distances.push_back(distances_[target][numbers_[set][r] + static_cast<std::size_t>(i)]);
    return distances;
  }

 private:
  struct Word {
    std::size_t at, first;  ///< among all words, and the number of its first voxel that is looked at
  };

  /// Of a target, at this place among them, the voxels of these surfaces; its own are found at once.
  void request(std::size_t target, const std::set<std::size_t>& from) {
    if (from.size() + 1 >= surfaces_.size())
      for (const Word& word : words_)
        requested_.words[word.at * kSurfacesAtOnce + target] = *queried_.at(word.at);
    else
      for (const std::size_t set : from) add_to(requested_, target, surfaces_[set]);
  }

  static std::set<std::size_t> sets_leading_to(std::size_t target, std::span<const Way> ways) {
    std::set<std::size_t> sets;
    for (const Way& way : ways)
      if (way.to == target) sets.insert(way.from);
    return sets;
  }

  [[nodiscard]] SiteRun in_box(const Run& run) const {
    SiteRun voxels{grid_.point(run.first), run.length};
    for (std::size_t a = 0; a < 3; ++a) voxels.first[a] -= box_.low[a];
    return voxels;
  }

  template <class Rows>
  void add_to(Rows& rows, std::size_t set, const VoxelSet& surface) const {
    for (const Run& run : surface.runs) {
      const SiteRun voxels = in_box(run);
      rows.add(set, queried_.word_of(voxels.first), voxels.first[0] % 64, voxels.length);
    }
  }

  void number_voxels() {
    std::size_t count = 0;
    for (const std::uint64_t word : queried_.words) count += static_cast<std::size_t>(std::popcount(word));
    places_.reserve(count);
    for (std::int32_t z = 0; z < size_[2]; ++z)
      for (std::int32_t y = 0; y < size_[1]; ++y)
        for (std::int32_t x = 0; x < size_[0]; x += 64) {
          const std::size_t at = queried_.word_of({x, y, z});
          std::uint64_t left = *queried_.at(at);
          if (left == 0) continue;
          words_.push_back({at, places_.size()});
          for (; left != 0; left &= left - 1) places_.push_back({x + std::countr_zero(left), y, z});
        }
    numbers_.resize(surfaces_.size());
    parallel_for(std::ssize(surfaces_), [&](std::int64_t i) {
      const auto s = static_cast<std::size_t>(i);
      auto word = words_.begin();
      numbers_[s].reserve(surfaces_[s].runs.size());
      for (const Run& run : surfaces_[s].runs) {
        const SiteRun voxels = in_box(run);
        const std::size_t at = queried_.word_of(voxels.first);
        while (word->at < at) ++word;
        const std::uint64_t before = (std::uint64_t{1} << (voxels.first[0] % 64)) - 1;
        numbers_[s].push_back(static_cast<std::uint32_t>(
            word->first + static_cast<std::size_t>(std::popcount(*queried_.at(at) & before))));
      }
    });
  }

  void look_from(std::size_t i, std::size_t targets, SiteRows::Found& found) {
    const Word& word = words_[i];
    sites_.look_from(requested_, word.at, found);
    for (std::size_t t = 0; t < targets; ++t) {
      double* to = distances_[t].data() + word.first;
      const std::uint64_t requested = requested_.at(word.at)[t];
      for (std::uint64_t left = *queried_.at(word.at); left != 0; left &= left - 1, ++to) {
        const auto bit = static_cast<std::size_t>(std::countr_zero(left));
        if ((requested >> bit & 1) != 0) *to = found[t][bit];
      }
    }
  }

  /// Finds those that are not near. A tree finds single voxels fast, unless many sites are as
  /// far from them as the nearest; spreading takes what the box takes, and a tree may not take more.
  void find_far(const VoxelSet& surface, std::vector<double>& distances) const {
    std::vector<std::size_t> far;
    for (std::size_t i = 0; i < distances.size(); ++i)
      if (distances[i] < 0) far.push_back(i);
    if (far.empty()) return;
    if (!search_for(far, surface, distances)) spread_to(far, surface, distances);
  }

  /// False where it takes too long; then some are not found.
  bool search_for(const std::vector<std::size_t>& far, const VoxelSet& surface,
                  std::vector<double>& distances) const {
    constexpr std::int64_t kGrain = 256, kMaxLooksEach = 300, kMinLooksEach = 8, kBoxVoxelsPerLook = 2;
    const std::int64_t looks_each =
        std::min(kMaxLooksEach, box_.voxels() / kBoxVoxelsPerLook / std::ssize(far));
    if (looks_each < kMinLooksEach) return false;
    std::vector<SiteRun> runs;
    runs.reserve(surface.runs.size());
    for (const Run& run : surface.runs) runs.push_back(in_box(run));
    const SiteTree tree(runs, spacing_);
    std::atomic<bool> given_up = false;
    parallel_pieces(std::ssize(far), kGrain, [&](std::int64_t begin, std::int64_t end) {
      SiteTree::Walk walk(tree);
      for (std::int64_t i = begin; i < end && !given_up.load(std::memory_order_relaxed); ++i) {
        const std::size_t one = far[static_cast<std::size_t>(i)];
        distances[one] = std::sqrt(walk.nearest(places_[one]));
        if (walk.looks() > looks_each * (end - begin)) given_up.store(true, std::memory_order_relaxed);
      }
    });
    return !given_up.load(std::memory_order_relaxed);
  }

  void spread_to(const std::vector<std::size_t>& far, const VoxelSet& surface,
                 std::vector<double>& distances) const {
    const auto voxels = static_cast<std::size_t>(box_.voxels());
    std::vector<double> map(voxels, kNowhere);
    std::vector<std::uint8_t> wanted(voxels, 0);
    const auto place = [&](const SiteTree::Place& p) {
      return static_cast<std::size_t>((std::int64_t{p[2]} * size_[1] + p[1]) * size_[0] + p[0]);
    };
    for (const Run& run : surface.runs)
      std::fill_n(map.begin() + static_cast<std::ptrdiff_t>(place(in_box(run).first)), run.length, 0.0);
    for (const std::size_t one : far) wanted[place(places_[one])] = 1;
    spread_squared_distances(size_, spacing_, map, wanted);
    for (const std::size_t one : far) distances[one] = std::sqrt(map[place(places_[one])]);
  }

  const Grid& grid_;
  std::span<const VoxelSet> surfaces_;
  std::array<double, 3> spacing_;
  Box box_;
  std::array<std::int32_t, 3> size_;
  SiteRows sites_;                                   ///< of the targets
  BitRows<1> queried_;                               ///< the voxels of all surfaces
  SiteRows::Rows requested_;                         ///< of each target, those of surfaces that lead to it
  std::vector<Word> words_;                          ///< with voxels that are looked at, in raster order
  std::vector<SiteTree::Place> places_;              ///< of these voxels
  std::vector<std::vector<std::uint32_t>> numbers_;  ///< of the first voxel of each run of each surface
  std::array<std::vector<double>, kSurfacesAtOnce> distances_;  ///< in mm; less than 0 where not found yet
};

std::vector<SiteRun> runs_of(const Grid& grid, const VoxelSet& set) {
  std::vector<SiteRun> runs;
  runs.reserve(set.runs.size());
  for (const Run& run : set.runs) runs.push_back({grid.point(run.first), run.length});
  return runs;
}

std::vector<double> distances_in(const SiteTree& tree, const Grid& grid, const VoxelSet& set) {
  std::vector<double> distances;
  distances.reserve(static_cast<std::size_t>(set.voxels));
  SiteTree::Walk walk(tree);
  for (const SiteRun& run : runs_of(grid, set))
    for (std::int32_t i = 0; i < run.length; ++i)
      distances.push_back(std::sqrt(walk.nearest({run.first[0] + i, run.first[1], run.first[2]})));
  return distances;
}

/// The surfaces that some way leads to.
std::vector<std::size_t> find_targets(std::span<const VoxelSet> surfaces, std::span<const Way> ways) {
  std::vector<std::size_t> targets;
  for (std::size_t s = 0; s < surfaces.size(); ++s)
    if (surfaces[s].voxels > 0 &&
        std::any_of(ways.begin(), ways.end(), [s](const Way& way) { return way.to == s; }))
      targets.push_back(s);
  return targets;
}

/// Whether a map of the box is worth its voxels, and allowed.
bool map_pays(const Box& box, std::span<const VoxelSet> surfaces, const MemoryAccount* memory) {
  constexpr std::int64_t kMaxBoxPerVoxel = 200;
  std::int64_t queried = 0, runs = 0;
  for (const VoxelSet& surface : surfaces) {
    queried += surface.voxels;
    runs += std::ssize(surface.runs);
  }
  const std::int64_t voxels = box.voxels();
  if (voxels > kMaxBoxPerVoxel * std::max<std::int64_t>(queried, 1)) return false;
  if (queried > std::numeric_limits<std::uint32_t>::max()) return false;
  constexpr std::int64_t kMapVoxel = sizeof(double) + 3;  // spreading, and the bits with those around the box
  constexpr std::int64_t kQueried =
      sizeof(SiteTree::Place) + 2 * sizeof(std::size_t) + kSurfacesAtOnce * sizeof(double);
  return memory == nullptr || memory->allows(voxels * kMapVoxel + std::min(queried, voxels) * kQueried +
                                             runs * std::int64_t{sizeof(std::uint32_t)});
}

}  // namespace

void directed_distances(const Grid& grid, const std::array<double, 3>& spacing,
                        std::span<const VoxelSet> surfaces, std::span<const Way> ways,
                        const MemoryAccount* memory, const TakeDistances& take) {
  Box box;
  for (const VoxelSet& surface : surfaces) extend(box, grid, surface);
  const std::vector<std::size_t> all = find_targets(surfaces, ways);
  // A few targets at a time: a map is as large as the box, its loops are parallel.
  std::optional<DistanceMap> map;
  if (map_pays(box, surfaces, memory)) map.emplace(grid, spacing, box, surfaces);
  for (std::size_t begin = 0; begin < all.size(); begin += kSurfacesAtOnce) {
    const auto targets = std::span(all).subspan(begin, std::min(kSurfacesAtOnce, all.size() - begin));
    std::vector<SiteTree> trees;
    if (map)
      map->spread_from(targets, ways);
    else
      for (const std::size_t target : targets) trees.emplace_back(runs_of(grid, surfaces[target]), spacing);
    parallel_for(std::ssize(ways), [&](std::int64_t i) {
      const auto w = static_cast<std::size_t>(i);
      const auto at = std::find(targets.begin(), targets.end(), ways[w].to);
      if (at == targets.end()) return;
      const auto t = static_cast<std::size_t>(at - targets.begin());
      const VoxelSet& from = surfaces[ways[w].from];
      take(w, map ? map->at(ways[w].from, t) : distances_in(trees[t], grid, from));
    });
  }
}

}  // namespace crema
