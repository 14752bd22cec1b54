// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/surfaces/surfaces.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "crema/agreement/surfaces/distance_counts.h"
#include "crema/agreement/surfaces/surface_map.h"
#include "crema/agreement/surfaces/surfels.h"
#include "crema/base/error.h"
#include "crema/base/parallel.h"
#include "crema/spatial/euclidean.h"
#include "crema/voxels/links.h"

namespace crema {
namespace {

/// Distances are sums and roots of rounded numbers: three steps of 0.1 mm lie within 0.3 mm.
constexpr double kRounding = 1e-9;

constexpr double kShare = 0.95;  ///< of a surface that a robust Hausdorff distance looks at

/// Voxels [begin, end) of an image row.
struct Stretch {
  std::int64_t begin, end;
};

/// What lies both in the stretches and in the runs when those are moved by `shift` voxels.
void find_common(const std::vector<Stretch>& stretches, std::span<const Run> runs, std::int64_t shift,
                 std::vector<Stretch>& result) {
  result.clear();
  auto s = stretches.begin();
  auto r = runs.begin();
  while (s != stretches.end() && r != runs.end()) {
    const std::int64_t begin = r->first + shift, end = begin + r->length;
    const Stretch both{std::max(s->begin, begin), std::min(s->end, end)};
    if (both.begin < both.end) result.push_back(both);
    if (s->end < end)
      ++s;
    else
      ++r;
  }
}

/// The image rows beside each row in one direction, looked up from the first row to the last.
class Neighbours {
 public:
  Neighbours(const Grid& grid, const VoxelSet& set, const std::vector<Row>& rows, std::int32_t dy,
             std::int32_t dz)
      : grid_(grid), set_(set), rows_(rows), dy_(dy), offset_(dy + dz * std::int64_t{grid.size[1]}) {}

  /// How far the runs of the neighbour must be moved to lie on the row.
  [[nodiscard]] std::int64_t shift() const { return -offset_ * grid_.size[0]; }

  /// Numbers must not fall from call to call. Nothing where the neighbour has no run or is no row of the
  /// grid.
  std::span<const Run> of(std::int64_t number) {
    const std::int64_t y = number % grid_.size[1] + dy_, wanted = number + offset_;
    if (y < 0 || y >= grid_.size[1]) return {};
    while (at_ + 1 < rows_.size() && rows_[at_].number < wanted) ++at_;
    if (at_ + 1 == rows_.size() || rows_[at_].number != wanted) return {};
    return std::span(set_.runs).subspan(rows_[at_].first_run,
                                        rows_[at_ + 1].first_run - rows_[at_].first_run);
  }

 private:
  const Grid& grid_;
  const VoxelSet& set_;
  const std::vector<Row>& rows_;
  std::int32_t dy_;
  std::int64_t offset_;
  std::size_t at_ = 0;
};

/// Adds what is left of the runs of a row without its stretches inside.
void add_rest(std::span<const Run> runs, const std::vector<Stretch>& inner, std::vector<Run>& rest) {
  auto hole = inner.begin();
  const auto add = [&](std::int64_t begin, std::int64_t end) {
    if (begin < end) rest.push_back({begin, static_cast<std::int32_t>(end - begin)});
  };
  for (const Run& run : runs) {
    std::int64_t begin = run.first;
    const std::int64_t end = run.first + run.length;
    for (; hole != inner.end() && hole->begin < end; ++hole) {
      add(begin, hole->begin);
      begin = hole->end;
    }
    add(begin, end);
  }
}

std::optional<std::array<double, 3>> spacing_of(const Grid& grid) {
  try {
    return right_angled_spacing(grid);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// `there` runs from the first surface to the second, `back` the other way; neither is empty.
SurfaceDistances measure(const DistanceCounts& there, const DistanceCounts& back, double tolerance) {
  const auto n = static_cast<double>(there.count), m = static_cast<double>(back.count);
  const double longest = tolerance * (1 + kRounding);
  SurfaceDistances found;
  found.hausdorff = std::max(there.distances.back().distance, back.distances.back().distance);
  found.hd95 = std::max(there.percentile(kShare), back.percentile(kShare));
  found.hd95_pooled = pooled_percentile(there, back, kShare);
  found.assd = (there.sum + back.sum) / (n + m);
  found.masd = (there.sum / n + back.sum / m) / 2;
  found.nsd = static_cast<double>(there.within(longest) + back.within(longest)) / (n + m);
  return found;
}

SurfaceDistances undefined(Undefined reason) { return {reason, reason, reason, reason, reason, reason}; }

/// There and back for each pair.
std::vector<Way> both_ways(std::span<const SetPair> pairs) {
  std::vector<Way> ways;
  for (const auto& [a, b] : pairs) {
    ways.push_back({a, b});
    ways.push_back({b, a});
  }
  return ways;
}

/// As the library surface-distance has it: surfaces are the cells between voxels, and count by their area.
std::vector<double> hd95_by_area(const Grid& grid, const std::array<double, 3>& spacing,
                                 std::span<const VoxelSet> sets, std::span<const SetPair> pairs,
                                 const MemoryAccount* memory) {
  std::vector<Surfels> surfels(sets.size());
  parallel_for(std::ssize(sets), [&](std::int64_t i) {
    surfels[static_cast<std::size_t>(i)] = find_surfels(grid, spacing, sets[static_cast<std::size_t>(i)]);
  });
  std::vector<VoxelSet> cells;
  for (const Surfels& one : surfels) cells.push_back(one.cells);
  const std::vector<Way> ways = both_ways(pairs);
  std::vector<double> found(ways.size());
  directed_distances(cell_grid(grid), spacing, cells, ways, memory,
                     [&](std::size_t w, const std::vector<double>& distances) {
                       found[w] = percentile_by_area(distances, surfels[ways[w].from].areas, kShare);
                     });
  std::vector<double> larger;
  for (std::size_t w = 0; w < found.size(); w += 2) larger.push_back(std::max(found[w], found[w + 1]));
  return larger;
}

std::optional<Undefined> why_undefined(const VoxelSet& a, const VoxelSet& b) {
  if (a.voxels == 0 && b.voxels == 0) return Undefined::both_empty;
  if (a.voxels == 0) return Undefined::first_empty;
  if (b.voxels == 0) return Undefined::second_empty;
  return std::nullopt;
}

/// Methods often agree with each other, or with a rater: equal sets are looked at once.
struct Distinct {
  std::vector<bool> is_first;      ///< per set: none before it is the same
  std::vector<SetPair> pairs;      ///< of first sets, each once
  std::vector<std::size_t> place;  ///< of each pair that was given, among them
};

Distinct find_distinct(std::span<const VoxelSet> sets, std::span<const SetPair> pairs) {
  Distinct distinct;
  std::vector<std::size_t> first;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const auto same = [&](std::size_t j) {
      return sets[j].voxels == sets[i].voxels && sets[j].runs.size() == sets[i].runs.size() &&
             sets[j] == sets[i];
    };
    std::size_t j = 0;
    while (j < i && !(distinct.is_first[j] && same(j))) ++j;
    first.push_back(j);
    distinct.is_first.push_back(j == i);
  }
  std::map<SetPair, std::size_t> known;
  for (const auto& [a, b] : pairs) {
    const auto [at, is_new] = known.try_emplace({first[a], first[b]}, distinct.pairs.size());
    if (is_new) distinct.pairs.push_back(at->first);
    distinct.place.push_back(at->second);
  }
  return distinct;
}

/// For each of the distinct pairs; anything where a set is empty.
std::vector<SurfaceDistances> compare_distinct(const Grid& grid, const std::array<double, 3>& spacing,
                                               std::span<const VoxelSet> sets, const Distinct& distinct,
                                               const SurfaceOptions& options) {
  const std::vector<SetPair>& pairs = distinct.pairs;
  std::vector<VoxelSet> surfaces(sets.size());
  parallel_for(std::ssize(sets), [&](std::int64_t i) {
    const auto s = static_cast<std::size_t>(i);
    if (distinct.is_first[s]) surfaces[s] = surface_of(grid, sets[s]);
  });
  const std::vector<Way> ways = both_ways(pairs);
  std::vector<DistanceCounts> counts(ways.size());
  HeldMemory held(options.memory);
  directed_distances(grid, spacing, surfaces, ways, options.memory,
                     [&](std::size_t w, const std::vector<double>& distances) {
                       counts[w] = count_distances(distances);
                       held.take("measuring the distances between surfaces", counts[w].bytes(),
                                 without_surfaces());
                     });
  std::vector<double> by_area(pairs.size(), 0);
  if (options.area) by_area = hd95_by_area(grid, spacing, sets, pairs, options.memory);
  std::vector<SurfaceDistances> found(pairs.size());
  parallel_for(std::ssize(pairs), [&](std::int64_t i) {
    const auto p = static_cast<std::size_t>(i);
    if (why_undefined(sets[pairs[p].first], sets[pairs[p].second])) return;
    found[p] = measure(counts[2 * p], counts[2 * p + 1], options.tolerance);
    if (options.area) found[p].hd95_area = by_area[p];
  });
  return found;
}

}  // namespace

VoxelSet surface_of(const Grid& grid, const VoxelSet& set) {
  const auto rows = rows_of(grid, set.runs);
  std::vector<Neighbours> sides{{grid, set, rows, -1, 0}, {grid, set, rows, 1, 0}};
  if (!grid.flat()) {
    sides.emplace_back(grid, set, rows, 0, -1);
    sides.emplace_back(grid, set, rows, 0, 1);
  }
  std::vector<Run> surface;
  std::vector<Stretch> inner, rest;
  for (std::size_t row = 0; row + 1 < rows.size(); ++row) {
    const auto runs =
        std::span(set.runs).subspan(rows[row].first_run, rows[row + 1].first_run - rows[row].first_run);
    inner.clear();
    for (const Run& run : runs)
      if (run.length > 2) inner.push_back({run.first + 1, run.first + run.length - 1});
    for (Neighbours& side : sides) {
      if (inner.empty()) break;
      find_common(inner, side.of(rows[row].number), side.shift(), rest);
      std::swap(inner, rest);
    }
    add_rest(runs, inner, surface);
  }
  return make_set(grid, std::move(surface));
}

std::vector<SetPair> all_pairs(std::size_t sets) {
  std::vector<SetPair> pairs;
  for (std::size_t a = 0; a < sets; ++a)
    for (std::size_t b = a + 1; b < sets; ++b) pairs.emplace_back(a, b);
  return pairs;
}

Sentence without_surfaces() {
  return "leave surface distances out with " + Sentence::setting("surfaces", "False");
}

std::vector<SurfaceDistances> compare_surfaces(const Grid& grid, std::span<const VoxelSet> sets,
                                               std::span<const SetPair> pairs,
                                               const SurfaceOptions& options) {
  if (!(options.tolerance >= 0 && std::isfinite(options.tolerance)))
    throw UsageError(fmt::format("the tolerance of surface distances is {} mm; give a number of at least 0",
                                 options.tolerance));
  const auto spacing = spacing_of(grid);
  const Distinct distinct = find_distinct(sets, pairs);
  std::vector<SurfaceDistances> found =
      spacing ? compare_distinct(grid, *spacing, sets, distinct, options)
              : std::vector<SurfaceDistances>(distinct.pairs.size(), undefined(Undefined::oblique));
  std::vector<SurfaceDistances> all;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const auto reason = why_undefined(sets[pairs[p].first], sets[pairs[p].second]);
    all.push_back(reason ? undefined(*reason) : found[distinct.place[p]]);
  }
  return all;
}

}  // namespace crema
