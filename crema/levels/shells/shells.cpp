// SPDX-License-Identifier: Apache-2.0
#include "crema/levels/shells/shells.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "crema/base/parallel.h"
#include "crema/image/canvas.h"
#include "crema/spatial/adjacency.h"
#include "crema/voxels/links.h"

namespace crema {
namespace {

/// A piece of the support with several cores.
constexpr std::uint32_t kShared = kNoComponent - 1;

/// The part of each run on each image row.
std::vector<Run> cut_rows(std::span<const Run> runs, std::int64_t row) {
  std::vector<Run> cut;
  cut.reserve(runs.size());
  for (const Run& run : runs)
    for (std::int64_t first = run.first, end = run.first + run.length; first < end;) {
      const std::int64_t stop = std::min(end, (first / row + 1) * row);
      cut.push_back({first, static_cast<std::int32_t>(stop - first)});
      first = stop;
    }
  return cut;
}

/// For each run of the support, on one image row, the component whose core is the only one in its connected
/// piece; kNoComponent where the piece has none, kShared where it has several.
std::vector<std::uint32_t> owners_of(const RunTable& table, const Grid& grid, const Components& components,
                                     const Neighbourhood& neighbourhood) {
  // Where x is closed a run is not one piece.
  if (!neighbourhood.open[0]) return std::vector<std::uint32_t>(table.runs.size(), kShared);
  Forest forest = link_runs(table, grid, neighbourhood);
  std::vector<std::uint32_t> owner(table.runs.size(), kNoComponent);
  for (std::uint32_t c = 0; c < components.list.size(); ++c) {
    const std::int64_t first = components.runs_of(components.list[c]).front().first;
    const auto run = std::partition_point(table.runs.begin(), table.runs.end(),
                                          [&](const Run& own) { return own.first + own.length <= first; });
    std::uint32_t& piece = owner[forest.find(static_cast<std::uint32_t>(run - table.runs.begin()))];
    piece = piece == kNoComponent ? c : kShared;
  }
  // The root of a piece is its first run.
  for (std::uint32_t r = 0; r < owner.size(); ++r) owner[r] = owner[forest.find(r)];
  return owner;
}

/// The components that nobody shares a piece with are left out.
std::vector<std::uint32_t> sharing(const std::vector<std::uint32_t>& owner, const Components& components) {
  std::vector<bool> alone(components.list.size(), false);
  for (const std::uint32_t c : owner)
    if (c < kShared) alone[c] = true;
  std::vector<std::uint32_t> list;
  for (std::uint32_t c = 0; c < alone.size(); ++c)
    if (!alone[c]) list.push_back(c);
  return list;
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
std::vector<std::uint32_t> order_claims(std::vector<std::uint32_t> order, std::span<const SparseLevels> maps,
                                        const Components& components) {
  const auto voxels = [&](std::uint32_t c) { return components.list[c].voxels; };
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
      : claims_(static_cast<std::size_t>(grid.voxels())), component_(std::move(order)) {
    for (std::size_t i = 0; i < component_.size(); ++i)
      for (const Run& run : components.runs_of(components.list[component_[i]])) {
        const auto own = painted(run);
        std::fill(own.begin(), own.end(), static_cast<Claim>(i + 1));
      }
  }

  /// Shares out these runs of the support, each on one image row.
  void join_shells(std::span<const Run> runs, const Adjacency& adjacency) {
    std::vector<Run> pending;
    for (const Run& run : runs) add_unclaimed(run, at(run.first), pending);
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

  void add_stretches(const Run& run, std::vector<Stretch>& list) const {
    const Claim* const claims = at(run.first);
    for (std::int32_t i = 0; i < run.length;) {
      const std::int32_t from = i;
      while (i < run.length && claims[i] == claims[from]) ++i;
      list.push_back({run.first + from, i - from,
                      claims[from] == 0 ? kNoComponent : component_[std::size_t{claims[from]} - 1]});
    }
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

  Canvas<Claim> claims_;                  ///< per voxel of the image; 0 is nobody's
  std::vector<std::uint32_t> component_;  ///< by its claim
};

template <class Claim>
std::vector<Stretch> share(const Grid& grid, const std::vector<Run>& runs,
                           const std::vector<std::uint32_t>& owner, std::vector<std::uint32_t> order,
                           const Components& components, const Adjacency& adjacency) {
  Claims<Claim> claims(grid, components, std::move(order));
  std::vector<Run> shared;
  for (std::size_t r = 0; r < runs.size(); ++r)
    if (owner[r] == kShared) shared.push_back(runs[r]);
  claims.join_shells(shared, adjacency);
  std::vector<Stretch> list;
  list.reserve(runs.size());
  for (std::size_t r = 0; r < runs.size(); ++r)
    if (owner[r] == kShared)
      claims.add_stretches(runs[r], list);
    else
      list.push_back({runs[r].first, runs[r].length, owner[r]});
  return list;
}

}  // namespace

/// Steps are counted where cores share a piece of the support; one that is alone has the whole of it.
std::vector<Stretch> share_support(const Grid& grid, std::span<const Run> support,
                                   std::span<const SparseLevels> maps, const Components& components,
                                   const Neighbourhood& neighbourhood) {
  RunTable table{.runs = cut_rows(support, grid.size[0])};
  table.rows = rows_of(grid, table.runs);
  const auto owner = owners_of(table, grid, components, neighbourhood);
  auto order = order_claims(sharing(owner, components), maps, components);
  const Adjacency adjacency(grid, neighbourhood);
  return order.size() < std::numeric_limits<std::uint16_t>::max()
             ? share<std::uint16_t>(grid, table.runs, owner, std::move(order), components, adjacency)
             : share<std::uint32_t>(grid, table.runs, owner, std::move(order), components, adjacency);
}

}  // namespace crema
