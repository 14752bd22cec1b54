// SPDX-License-Identifier: Apache-2.0
#include "crema/levels/shells/shells.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "crema/base/parallel.h"
#include "crema/image/canvas.h"
#include "crema/spatial/adjacency.h"

namespace crema {
namespace {

/// Calls f(run) for the part of each run on each image row.
template <class F>
void for_each_on_row(std::span<const Run> runs, std::int64_t row, F f) {
  for (const Run& run : runs)
    for (std::int64_t first = run.first, end = run.first + run.length; first < end;) {
      const std::int64_t stop = std::min(end, (first / row + 1) * row);
      f(Run{first, static_cast<std::int32_t>(stop - first)});
      first = stop;
    }
}

/// Adds the stretches of a run in which `claims` are 0.
template <class Claim>
void add_unclaimed(const Run& run, const Claim* claims, std::vector<Run>& left) {
  for (std::int32_t i = 0; i < run.length;) {
    const std::int32_t from = i;
    while (i < run.length && claims[i] == 0) ++i;
    if (i > from) left.push_back({run.first + from, i - from});
    while (i < run.length && claims[i] != 0) ++i;
  }
}

/// The levels that raters have in cores.
class CoreLevels {
 public:
  CoreLevels(std::span<const SparseLevels> maps, const Components& components)
      : maps_(maps), components_(components) {
    for (const SparseLevels& map : maps) {
      std::vector<std::size_t>& places = places_.emplace_back();
      std::size_t place = 0;
      for (const Run& run : map.runs()) {
        places.push_back(place);
        place += static_cast<std::size_t>(run.length);
      }
    }
  }

  /// Those of all raters that are not below the floor, the highest first.
  [[nodiscard]] std::vector<float> of(std::uint32_t component) const {
    std::vector<float> levels;
    for (std::size_t k = 0; k < maps_.size(); ++k)
      for (const Run& run : components_.runs_of(components_.list[component])) add(k, run, levels);
    std::sort(levels.begin(), levels.end(), std::greater());
    return levels;
  }

 private:
  void add(std::size_t k, const Run& core, std::vector<float>& levels) const {
    const std::span<const Run> runs = maps_[k].runs();
    const std::int64_t end = core.first + core.length;
    auto run = std::partition_point(runs.begin(), runs.end(),
                                    [&](const Run& own) { return own.first + own.length <= core.first; });
    for (; run != runs.end() && run->first < end; ++run) {
      const std::int64_t from = std::max(run->first, core.first);
      const auto count = static_cast<std::size_t>(std::min(run->first + run->length, end) - from);
      const std::size_t place = places_[k][static_cast<std::size_t>(run - runs.begin())] +
                                static_cast<std::size_t>(from - run->first);
      const auto own = maps_[k].values().subspan(place, count);
      levels.insert(levels.end(), own.begin(), own.end());
    }
  }

  std::span<const SparseLevels> maps_;
  const Components& components_;
  std::vector<std::vector<std::size_t>> places_;  ///< per map, where the levels of each of its runs begin
};

/// Components by how little they claim: the largest first, those of one size by their levels.
std::vector<std::uint32_t> order_claims(std::span<const SparseLevels> maps, const Components& components) {
  const auto voxels = [&](std::uint32_t c) { return components.list[c].voxels; };
  std::vector<std::uint32_t> order(components.list.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(-voxels(a), b) < std::pair(-voxels(b), a);
  });
  const CoreLevels levels(maps, components);
  for (auto first = order.begin(), last = first; first != order.end(); first = last) {
    last = std::find_if(first, order.end(), [&](std::uint32_t c) { return voxels(c) != voxels(*first); });
    if (last - first < 2) continue;
    std::vector<std::pair<std::vector<float>, std::uint32_t>> alike;
    for (auto c = first; c != last; ++c) alike.emplace_back(levels.of(*c), *c);
    std::stable_sort(alike.begin(), alike.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::transform(alike.begin(), alike.end(), first, [](const auto& one) { return one.second; });
  }
  return order;
}

/// The claim of a component on a voxel is a number from 1 on: the fewer voxels its core has, the higher. So
/// the highest claim among the neighbours of a voxel is the one that it joins.
template <class Claim>
class Claims {
 public:
  Claims(const Grid& grid, const Components& components, std::vector<std::uint32_t> order)
      : row_(grid.size[0]), claims_(static_cast<std::size_t>(grid.voxels())), component_(std::move(order)) {
    for (std::size_t i = 0; i < component_.size(); ++i)
      for (const Run& run : components.runs_of(components.list[component_[i]])) {
        const auto own = painted(run);
        std::fill(own.begin(), own.end(), static_cast<Claim>(i + 1));
      }
  }

  void join_shells(std::span<const Run> support, const Adjacency& adjacency) {
    std::vector<Run> pending;
    for_each_on_row(support, row_, [&](const Run& run) { add_unclaimed(run, at(run.first), pending); });
    for (bool any = true; any;) {
      const std::vector<Claim> found = reach(pending, adjacency);
      any = std::any_of(found.begin(), found.end(), [](Claim claim) { return claim != 0; });
      std::vector<Run> left;
      const Claim* own = found.data();
      for (const Run& run : pending) {
        std::copy_n(own, run.length, painted(run).begin());
        add_unclaimed(run, own, left);
        own += run.length;
      }
      pending = std::move(left);
    }
  }

  [[nodiscard]] std::vector<Stretch> stretches(std::span<const Run> support) const {
    std::vector<Stretch> list;
    for_each_on_row(support, row_, [&](const Run& run) {
      const Claim* const claims = at(run.first);
      for (std::int32_t i = 0; i < run.length;) {
        const std::int32_t from = i;
        while (i < run.length && claims[i] == claims[from]) ++i;
        list.push_back({run.first + from, i - from,
                        claims[from] == 0 ? kNoComponent : component_[std::size_t{claims[from]} - 1]});
      }
    });
    return list;
  }

 private:
  [[nodiscard]] const Claim* at(std::int64_t voxel) const { return claims_.data() + voxel; }
  [[nodiscard]] std::span<Claim> painted(const Run& run) {
    return claims_.paint(static_cast<std::size_t>(run.first), static_cast<std::size_t>(run.length));
  }

  /// For each voxel of the runs, the highest claim among its neighbours.
  [[nodiscard]] std::vector<Claim> reach(const std::vector<Run>& runs, const Adjacency& adjacency) const {
    std::vector<std::int64_t> start(runs.size() + 1, 0);
    for (std::size_t r = 0; r < runs.size(); ++r) start[r + 1] = start[r] + runs[r].length;
    std::vector<Claim> found(static_cast<std::size_t>(start.back()), 0);
    parallel_pieces(std::ssize(runs), 1 << 10, [&](std::int64_t begin, std::int64_t end) {
      for (auto r = static_cast<std::size_t>(begin); r < static_cast<std::size_t>(end); ++r)
        adjacency.visit_run(runs[r].first, runs[r].length,
                            [&](std::int32_t from, std::int32_t to, std::int64_t offset) {
                              const Claim* const other = at(runs[r].first + offset);
                              Claim* const own = found.data() + start[r];
                              for (std::int32_t i = from; i < to; ++i) own[i] = std::max(own[i], other[i]);
                            });
    });
    return found;
  }

  std::int64_t row_;
  Canvas<Claim> claims_;                  ///< per voxel of the image; 0 is nobody's
  std::vector<std::uint32_t> component_;  ///< by its claim
};

template <class Claim>
std::vector<Stretch> share(const Grid& grid, std::span<const Run> support, std::span<const SparseLevels> maps,
                           const Components& components, const Neighbourhood& neighbourhood) {
  Claims<Claim> claims(grid, components, order_claims(maps, components));
  claims.join_shells(support, Adjacency(grid, neighbourhood));
  return claims.stretches(support);
}

}  // namespace

std::vector<Stretch> share_support(const Grid& grid, std::span<const Run> support,
                                   std::span<const SparseLevels> maps, const Components& components,
                                   const Neighbourhood& neighbourhood) {
  return components.list.size() < std::numeric_limits<std::uint16_t>::max()
             ? share<std::uint16_t>(grid, support, maps, components, neighbourhood)
             : share<std::uint32_t>(grid, support, maps, components, neighbourhood);
}

}  // namespace crema
