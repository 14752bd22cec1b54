// SPDX-License-Identifier: Apache-2.0
#include "crema/levels/reduce_levels.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include <fmt/format.h>

#include "crema/base/memory.h"
#include "crema/base/parallel.h"
#include "crema/levels/level_maps.h"
#include "crema/spatial/adjacency.h"
#include "crema/stop.h"
#include "crema/voxels/votes/votes.h"

namespace crema {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFF;

/// The voxels of the support, numbered in raster order, and the component of each.
class Support {
 public:
  Support(const Grid& grid, std::vector<Run> runs) : runs_(std::move(runs)), number_(count(grid)) {
    for (const Run& run : runs_) {
      start_.push_back(size_);
      for (std::int32_t i = 0; i < run.length; ++i)
        number_[static_cast<std::size_t>(run.first + i)] = static_cast<std::uint32_t>(++size_);
    }
    component_.assign(size_, kNone);
  }

  void mark_cores(const Components& components) {
    for (std::size_t c = 0; c < components.list.size(); ++c)
      for (const Run& run : components.runs_of(components.list[c]))
        std::fill_n(component_.begin() + static_cast<std::ptrdiff_t>(at(run.first)), run.length,
                    static_cast<std::uint32_t>(c));
  }

  /// Voxels outside the cores join them step by step; those that no core reaches stay alone.
  void join_shells(const Grid& grid, const Components& components, const Neighbourhood& neighbourhood) {
    const std::vector<std::uint32_t> rank = ranks(components);
    const Adjacency adjacency(grid, neighbourhood);
    std::vector<Pending> pending = outside_cores();
    while (!pending.empty()) {
      parallel_pieces(std::ssize(pending), 1 << 12, [&](std::int64_t begin, std::int64_t end) {
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
          pending[i].joins = nearest(adjacency, pending[i].voxel, rank);
      });
      const std::size_t before = pending.size();
      for (const Pending& one : pending)
        if (one.joins != kNone) component_[at(one.voxel)] = one.joins;
      std::erase_if(pending, [](const Pending& one) { return one.joins != kNone; });
      if (pending.size() == before) return;
    }
  }

  [[nodiscard]] std::uint32_t at(std::int64_t voxel) const {
    return number_[static_cast<std::size_t>(voxel)] - 1;
  }
  [[nodiscard]] std::span<const Run> runs() const { return runs_; }
  [[nodiscard]] std::uint32_t component(std::size_t i) const { return component_[i]; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct Pending {
    std::int64_t voxel;
    std::uint32_t joins;
  };

  static std::size_t count(const Grid& grid) { return static_cast<std::size_t>(grid.voxels()); }

  /// The place of each component among all, the one with the fewest voxels first.
  static std::vector<std::uint32_t> ranks(const Components& components) {
    std::vector<std::uint32_t> order(components.list.size()), rank(order.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return components.list[a].voxels < components.list[b].voxels;
    });
    for (std::uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
    return rank;
  }

  [[nodiscard]] std::vector<Pending> outside_cores() const {
    std::vector<Pending> pending;
    for (std::size_t r = 0; r < runs_.size(); ++r)
      for (std::int32_t i = 0; i < runs_[r].length; ++i)
        if (component_[start_[r] + static_cast<std::size_t>(i)] == kNone)
          pending.push_back({runs_[r].first + i, kNone});
    return pending;
  }

  [[nodiscard]] std::uint32_t nearest(const Adjacency& adjacency, std::int64_t voxel,
                                      const std::vector<std::uint32_t>& rank) const {
    std::uint32_t best = kNone;
    adjacency.visit(voxel, [&](std::size_t, std::int64_t neighbour) {
      const std::uint32_t number = number_[static_cast<std::size_t>(neighbour)];
      if (number == 0) return;
      const std::uint32_t c = component_[number - 1];
      if (c != kNone && (best == kNone || rank[c] < rank[best])) best = c;
    });
    return best;
  }

  std::vector<Run> runs_;
  std::vector<std::size_t> start_;  ///< number of each run's first voxel
  Canvas<std::uint32_t> number_;    ///< per voxel of the image, from 1 on; 0 is outside the support
  std::vector<std::uint32_t> component_;
  std::size_t size_ = 0;
};

Votes votes_of(const Grid& grid, const std::vector<SparseLevels>& maps) {
  Votes votes(grid.voxels(), static_cast<int>(maps.size()));
  std::vector<std::uint8_t> part;
  for (std::size_t k = 0; k < maps.size(); ++k) {
    const float* level = maps[k].values().data();
    for (const Run& run : maps[k].runs()) {
      part.assign(static_cast<std::size_t>(run.length), 0);
      bool any = false;
      for (std::uint8_t& mark : part) {
        mark = *level++ >= kCoreLevel ? 1 : 0;
        any |= mark != 0;
      }
      if (any) votes.fold_part(static_cast<int>(k), run.first, part);
    }
  }
  return votes;
}

/// Cuts the support into parts, each with its runs, which end with an image row, and tells where each voxel
/// lies in its part.
std::vector<std::uint32_t> cut_parts(const Grid& grid, const Support& support, LevelMaps& maps) {
  std::vector<std::uint32_t> place(support.size());
  std::size_t i = 0;
  for (const Run& run : support.runs())
    for (std::int32_t d = 0; d < run.length; ++d, ++i) {
      const std::uint32_t c = support.component(i);
      LevelPart& part = c == kNone ? maps.rest : maps.parts[c];
      place[i] = static_cast<std::uint32_t>(part.voxels++);
      const std::int64_t voxel = run.first + d;
      const bool goes_on = !part.runs.empty() && part.runs.back().first + part.runs.back().length == voxel;
      if (goes_on && d > 0 && voxel % grid.size[0] != 0)
        ++part.runs.back().length;
      else
        part.runs.push_back({voxel, 1});
    }
  return place;
}

void place_levels(const Support& support, const std::vector<std::uint32_t>& place,
                  std::vector<SparseLevels>& sources, LevelMaps& maps) {
  const auto reserve = [&](LevelPart& part) {
    part.values.assign(static_cast<std::size_t>(part.voxels) * sources.size(), 0);
  };
  for (LevelPart& part : maps.parts) reserve(part);
  reserve(maps.rest);
  parallel_for(std::ssize(sources), [&](std::int64_t k) {
    const SparseLevels source = std::move(sources[static_cast<std::size_t>(k)]);
    const float* level = source.values().data();
    for (const Run& run : source.runs()) {
      std::size_t i = support.at(run.first);
      for (std::int32_t d = 0; d < run.length; ++d, ++i) {
        const std::uint32_t c = support.component(i);
        LevelPart& part = c == kNone ? maps.rest : maps.parts[c];
        part.values[static_cast<std::size_t>(k * part.voxels) + place[i]] = *level++;
      }
    }
  });
}

/// What placing takes: the levels once more, and three numbers for a voxel of the support.
void require_support(const std::vector<Run>& runs, std::size_t raters, const Options& options) {
  if (!options.memory) return;
  std::int64_t voxels = 0;
  for (const Run& run : runs) voxels += run.length;
  constexpr std::int64_t kNumbers = 3 * sizeof(std::uint32_t);
  options.memory->require(fmt::format("the levels of {} voxels and {} raters", voxels, raters),
                          voxels * (kNumbers + static_cast<std::int64_t>(raters * sizeof(float))),
                          "crop the images, raise " + Sentence::setting("floor"));
}

}  // namespace

Reduction reduce_levels(const Grid& grid, std::vector<SparseLevels> maps, double floor, Needs needs,
                        const Options& options) {
  std::vector<Run> runs;
  Reduction result;
  with_threads(options.threads, [&] {
    runs = unite(maps);
    require_support(runs, maps.size(), options);
    result = reduce(grid, votes_of(grid, maps), needs, options);
    auto levels = std::make_shared<LevelMaps>();
    levels->raters = static_cast<int>(maps.size());
    levels->floor = floor;
    levels->parts.resize(result.components.list.size());
    Support support(grid, std::move(runs));
    support.mark_cores(result.components);
    support.join_shells(grid, result.components, result.neighbourhood);
    throw_if_stopped(options);
    const std::vector<std::uint32_t> place = cut_parts(grid, support, *levels);
    place_levels(support, place, maps, *levels);
    for (std::size_t c = 0; c < levels->parts.size(); ++c)
      for (const Subcrown& row : result.crowns[c].tally.rows) levels->parts[c].present |= row.raters;
    result.levels = std::move(levels);
  });
  if (options.memory) options.memory->hold(result.levels->bytes());
  return result;
}

}  // namespace crema
