// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/surfaces.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "crema/agreement/percentile.h"
#include "crema/agreement/surface_map.h"
#include "crema/agreement/surfels.h"
#include "crema/error.h"
#include "crema/parallel.h"
#include "crema/spatial/euclidean.h"

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
std::vector<Stretch> common(const std::vector<Stretch>& stretches, std::span<const Run> runs,
                            std::int64_t shift) {
  std::vector<Stretch> result;
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
  return result;
}

/// The image rows beside each row in one direction, looked up from the first row to the last.
class Neighbours {
 public:
  Neighbours(const Grid& grid, const VoxelSet& set, const std::vector<SetRow>& rows, std::int32_t dy,
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
  const std::vector<SetRow>& rows_;
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

double sum(const std::vector<double>& values) {
  double total = 0;
  for (const double value : values) total += value;
  return total;
}

double share_within(const std::vector<double>& there, const std::vector<double>& back, double tolerance) {
  const auto close = [&](double distance) { return distance <= tolerance * (1 + kRounding); };
  const auto n =
      std::count_if(there.begin(), there.end(), close) + std::count_if(back.begin(), back.end(), close);
  return static_cast<double>(n) / static_cast<double>(there.size() + back.size());
}

/// `there` runs from the first surface to the second, `back` the other way; neither is empty.
SurfaceDistances measure(const std::vector<double>& there, const std::vector<double>& back,
                         double tolerance) {
  std::vector<double> both = there;
  both.insert(both.end(), back.begin(), back.end());
  const auto n = static_cast<double>(there.size()), m = static_cast<double>(back.size());
  const double one = sum(there), other = sum(back);
  SurfaceDistances found;
  found.hausdorff = *std::max_element(both.begin(), both.end());
  found.hd95 = std::max(percentile(there, kShare), percentile(back, kShare));
  found.hd95_pooled = percentile(std::move(both), kShare);
  found.assd = (one + other) / (n + m);
  found.masd = (one / n + other / m) / 2;
  found.nsd = share_within(there, back, tolerance);
  return found;
}

SurfaceDistances undefined(Undefined reason) { return {reason, reason, reason, reason, reason, reason}; }

/// As the library surface-distance has it: surfaces are the cells between voxels, and count by their area.
std::vector<double> hd95_by_area(const Grid& grid, const std::array<double, 3>& spacing,
                                 std::span<const VoxelSet> sets, std::span<const SetPair> pairs) {
  std::vector<Surfels> surfels(sets.size());
  parallel_for(std::ssize(sets), [&](std::int64_t i) {
    surfels[static_cast<std::size_t>(i)] = find_surfels(grid, spacing, sets[static_cast<std::size_t>(i)]);
  });
  std::vector<VoxelSet> cells;
  for (const Surfels& one : surfels) cells.push_back(one.cells);
  const auto directed = directed_distances(cell_grid(grid), spacing, cells, pairs);
  std::vector<double> found(pairs.size(), 0);
  parallel_for(std::ssize(pairs), [&](std::int64_t i) {
    const auto p = static_cast<std::size_t>(i);
    found[p] = std::max(percentile_by_area(directed[p].there, surfels[pairs[p].first].areas, kShare),
                        percentile_by_area(directed[p].back, surfels[pairs[p].second].areas, kShare));
  });
  return found;
}

std::optional<Undefined> why_undefined(const VoxelSet& a, const VoxelSet& b, bool oblique) {
  if (a.voxels == 0 && b.voxels == 0) return Undefined::both_empty;
  if (a.voxels == 0) return Undefined::first_empty;
  if (b.voxels == 0) return Undefined::second_empty;
  if (oblique) return Undefined::oblique;
  return std::nullopt;
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
  for (std::size_t row = 0; row + 1 < rows.size(); ++row) {
    const auto runs =
        std::span(set.runs).subspan(rows[row].first_run, rows[row + 1].first_run - rows[row].first_run);
    std::vector<Stretch> inner;
    for (const Run& run : runs)
      if (run.length > 2) inner.push_back({run.first + 1, run.first + run.length - 1});
    for (Neighbours& side : sides) inner = common(inner, side.of(rows[row].number), side.shift());
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

std::vector<SurfaceDistances> compare_surfaces(const Grid& grid, std::span<const VoxelSet> sets,
                                               std::span<const SetPair> pairs,
                                               const SurfaceOptions& options) {
  if (!(options.tolerance >= 0 && std::isfinite(options.tolerance)))
    throw UsageError(fmt::format("the tolerance of surface distances is {} mm; give a number of at least 0",
                                 options.tolerance));
  const auto spacing = spacing_of(grid);
  std::vector<VoxelSet> surfaces(sets.size());
  parallel_for(std::ssize(sets), [&](std::int64_t i) {
    surfaces[static_cast<std::size_t>(i)] = surface_of(grid, sets[static_cast<std::size_t>(i)]);
  });
  std::vector<Directed> directed(pairs.size());
  if (spacing) directed = directed_distances(grid, *spacing, surfaces, pairs);
  std::vector<double> by_area(pairs.size(), 0);
  if (spacing && options.area) by_area = hd95_by_area(grid, *spacing, sets, pairs);
  std::vector<SurfaceDistances> found(pairs.size());
  parallel_for(std::ssize(pairs), [&](std::int64_t i) {
    const auto p = static_cast<std::size_t>(i);
    const auto reason = why_undefined(sets[pairs[p].first], sets[pairs[p].second], !spacing);
    found[p] = reason ? undefined(*reason) : measure(directed[p].there, directed[p].back, options.tolerance);
    if (!reason && options.area) found[p].hd95_area = by_area[p];
  });
  return found;
}

}  // namespace crema
