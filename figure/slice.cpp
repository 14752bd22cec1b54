// SPDX-License-Identifier: Apache-2.0
#include "figure/slice.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <tuple>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/text.h"
#include "crema/levels/level_maps.h"

namespace crema::plot {
namespace {

constexpr std::array<char, 3> kAxisNames{'x', 'y', 'z'};
/// Where each axis of the world points, and where it comes from.
constexpr std::array<char, 3> kAhead{'R', 'A', 'S'}, kBehind{'L', 'P', 'I'};

std::size_t index_of(Axis axis) { return static_cast<std::size_t>(axis); }

/// Calls f(component, run, place of its first voxel, index of its first voxel in the component).
template <class F>
void for_each_run(const Reduction& reduction, std::optional<std::size_t> only, F f) {
  const auto& list = reduction.components.list;
  for (std::size_t c = only.value_or(0); c < (only ? *only + 1 : list.size()); ++c) {
    std::size_t first = 0;
    for (const Run& run : reduction.components.runs_of(list[c])) {
      f(c, run, reduction.grid.point(run.first), first);
      first += static_cast<std::size_t>(run.length);
    }
  }
}

/// Calls f(run, place of its first voxel) for what is to be seen: around cores of levels, these too.
template <class F>
void for_each_shown_run(const Reduction& reduction, std::optional<std::size_t> only, F f) {
  if (!reduction.levels)
    return for_each_run(reduction, only,
                        [&](std::size_t, const Run& run, auto place, std::size_t) { f(run, place); });
  const auto& parts = reduction.levels->parts;
  for (std::size_t c = only.value_or(0); c < (only ? *only + 1 : parts.size()); ++c)
    for (const Run& run : parts[c].runs) f(run, reduction.grid.point(run.first));
}

/// Pairs that disagree about a voxel that these raters drew.
std::int64_t pairs(Raters drawn, int raters) {
  const std::int64_t n = std::popcount(drawn);
  return n * (raters - n);
}

/// The axis of the world that a grid's axis follows most closely, and whether it goes the same way.
struct Heading {
  std::size_t world = 0;
  bool ahead = true;
};

std::array<Heading, 3> headings(const Grid& grid) {
  // Each axis of the world is taken once, the clearest first.
  std::array<Heading, 3> found{};
  std::array<bool, 3> taken{}, known{};
  for (int n = 0; n < 3; ++n) {
    std::size_t axis = 0, world = 0;
    double most = -1;
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t w = 0; w < 3; ++w)
        if (!known[a] && !taken[w] && std::abs(grid.direction[3 * w + a]) > most) {
          most = std::abs(grid.direction[3 * w + a]);
          axis = a;
          world = w;
        }
    known[axis] = taken[world] = true;
    found[axis] = {world, grid.direction[3 * world + axis] >= 0};
  }
  return found;
}

/// Columns run to the patient's left, or to the back where they cannot; rows run to the back or downwards.
void stand_up(View& view, const Grid& grid) {
  const auto heading = headings(grid);
  const auto of = [&](int axis) { return heading[static_cast<std::size_t>(axis)]; };
  if (of(view.axis[0]).world > of(view.axis[1]).world) std::swap(view.axis[0], view.axis[1]);
  view.letters.resize(4);
  for (std::size_t n = 0; n < 2; ++n) {
    // Right is on the left of the paper, anterior on the left or above, superior above.
    const Heading& to = of(view.axis[n]);
    view.backwards[n] = to.ahead;
    view.letters[2 * n] = kAhead[to.world];
    view.letters[2 * n + 1] = kBehind[to.world];
  }
}

/// Grows a range by a margin, within the image.
void widen(View& view, const Grid& grid) {
  const double wide = std::max((view.high[0] - view.low[0]) * view.spacing[0],
                               (view.high[1] - view.low[1]) * view.spacing[1]);
  for (std::size_t n = 0; n < 2; ++n) {
    const double most = std::max(1.0, std::round(0.06 * wide / view.spacing[n]));
    const auto margin = static_cast<std::int32_t>(std::clamp(most, 1.0, 1000.0));
    view.low[n] = std::max(0, view.low[n] - margin);
    view.high[n] = std::min(grid.size[static_cast<std::size_t>(view.axis[n])], view.high[n] + margin);
  }
}

}  // namespace

Axis widest_axis(const Grid& grid) {
  if (grid.flat()) return Axis::z;
  std::size_t widest = 2;
  for (const std::size_t axis : {std::size_t{1}, std::size_t{0}})
    if (grid.spacing[axis] > grid.spacing[widest] * (1 + 1e-6)) widest = axis;
  return static_cast<Axis>(widest);
}

std::vector<Slice> parse_slices(const std::string& text, const Grid& grid) {
  const auto axis = text.size() > 2 && text[1] == '='
                        ? std::find(kAxisNames.begin(), kAxisNames.end(), text[0]) - kAxisNames.begin()
                        : 3;
  if (axis == 3)
    throw UsageError(fmt::format(
        "'{}' is not a valid slice; write auto, all-components, x=N, y=N, z=N or z=N,N.", printable(text)));
  const std::int32_t size = grid.size[static_cast<std::size_t>(axis)];
  std::vector<Slice> slices;
  for (const std::string& number : split(text.substr(2), ',')) {
    const bool whole =
        !number.empty() && number.size() < 10 && number.find_first_not_of("0123456789") == std::string::npos;
    if (!whole || std::stoi(number) >= size)
      throw UsageError(fmt::format("'{}' is not a slice of this image; {} goes from 0 to {}.",
                                   printable(text), kAxisNames[static_cast<std::size_t>(axis)], size - 1));
    slices.push_back({static_cast<Axis>(axis), std::stoi(number)});
  }
  return slices;
}

std::optional<Slice> choose_slice(const Reduction& reduction, std::optional<std::size_t> component,
                                  std::span<const std::uint8_t> among) {
  if (reduction.components.list.empty()) return {};
  const Axis axis = widest_axis(reduction.grid);
  const std::size_t a = index_of(axis);
  struct Weight {
    std::int64_t pairs = 0, voxels = 0;
  };
  std::vector<Weight> weights(static_cast<std::size_t>(reduction.grid.size[a]));
  for_each_run(reduction, component, [&](std::size_t c, const Run& run, auto place, std::size_t first) {
    const Crowns& crowns = reduction.crowns[c];
    for (std::int32_t i = 0; i < run.length; ++i) {
      const auto at = static_cast<std::size_t>(std::int64_t{place[a]} + (a == 0 ? i : 0));
      const std::uint32_t row = crowns.row_of_voxel[first + static_cast<std::size_t>(i)];
      weights[at].pairs += pairs(crowns.tally.rows[row].raters, reduction.raters);
      ++weights[at].voxels;
    }
  });
  for (std::size_t i = 0; i < among.size(); ++i)
    if (among[i] == 0) weights[i] = {-1, -1};
  const auto best = std::max_element(weights.begin(), weights.end(), [](const Weight& x, const Weight& y) {
    return std::tie(x.pairs, x.voxels) < std::tie(y.pairs, y.voxels);
  });
  return Slice{axis, static_cast<std::int32_t>(best - weights.begin())};
}

std::int64_t disagreement(const Tally& tally) {
  std::int64_t sum = 0;
  for (const Subcrown& row : tally.rows) sum += row.voxels * pairs(row.raters, tally.raters);
  return sum;
}

std::int64_t View::voxel(const Grid& grid, int column, int row) const {
  std::array<std::int64_t, 3> place{};
  place[index_of(slice.axis)] = slice.index;
  const std::array<int, 2> at{column, row};
  for (std::size_t n = 0; n < 2; ++n)
    place[static_cast<std::size_t>(axis[n])] = backwards[n] ? high[n] - 1 - at[n] : low[n] + at[n];
  return (place[2] * grid.size[1] + place[1]) * grid.size[0] + place[0];
}

View whole(const Grid& grid, const Slice& slice, Posture posture) {
  View view{.slice = slice};
  view.axis = {slice.axis == Axis::x ? 1 : 0, slice.axis == Axis::z ? 1 : 2};
  if (posture == Posture::anatomical) stand_up(view, grid);
  for (std::size_t n = 0; n < 2; ++n) {
    view.high[n] = grid.size[static_cast<std::size_t>(view.axis[n])];
    view.spacing[n] = grid.spacing[static_cast<std::size_t>(view.axis[n])];
  }
  return view;
}

View around(const Reduction& reduction, View view, std::optional<std::size_t> component) {
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  std::array<std::int32_t, 2> low{most, most}, high{0, 0};
  const std::size_t across = index_of(view.slice.axis);
  for_each_shown_run(reduction, component, [&](const Run& run, auto place) {
    std::array<std::int32_t, 3> last = place;
    last[0] += run.length - 1;
    if (place[across] > view.slice.index || last[across] < view.slice.index) return;
    for (std::size_t n = 0; n < 2; ++n) {
      const auto a = static_cast<std::size_t>(view.axis[n]);
      low[n] = std::min(low[n], place[a]);
      high[n] = std::max(high[n], last[a] + 1);
    }
  });
  if (low[0] == most) return view;
  view.low = low;
  view.high = high;
  widen(view, reduction.grid);
  return view;
}

Plane<Cell> cells_of(const Reduction& reduction, const View& view) {
  Plane<Cell> cells(view.columns(), view.rows());
  const std::size_t across = index_of(view.slice.axis);
  for_each_run(reduction, {}, [&](std::size_t c, const Run& run, auto place, std::size_t first) {
    for (std::int32_t i = 0; i < run.length; ++i) {
      std::array<std::int32_t, 3> here = place;
      here[0] += i;
      if (here[across] != view.slice.index) continue;
      std::array<int, 2> at{};
      for (std::size_t n = 0; n < 2; ++n) {
        const std::int32_t p = here[static_cast<std::size_t>(view.axis[n])];
        at[n] = view.backwards[n] ? view.high[n] - 1 - p : p - view.low[n];
      }
      if (!cells.holds(at[0], at[1])) continue;
      const Crowns& crowns = reduction.crowns[c];
      const std::uint32_t r = crowns.row_of_voxel[first + static_cast<std::size_t>(i)];
      const Subcrown& row = crowns.tally.rows[r];
      cells.at(at[0], at[1]) = {static_cast<std::int32_t>(c), r, row.distance, row.raters};
    }
  });
  return cells;
}

Plane<float> levels_of(std::span<const float> values, const Grid& grid, const View& view) {
  Plane<float> levels(view.columns(), view.rows());
  for (int row = 0; row < levels.height; ++row)
    for (int column = 0; column < levels.width; ++column)
      levels.at(column, row) = values[static_cast<std::size_t>(view.voxel(grid, column, row))];
  return levels;
}

Plane<float> levels_of(const Image& image, const Grid& grid, const View& view) {
  Plane<float> levels(view.columns(), view.rows());
  std::visit(
      [&](const auto& voxels) {
        for (int row = 0; row < levels.height; ++row)
          for (int column = 0; column < levels.width; ++column)
            levels.at(column, row) =
                static_cast<float>(voxels[static_cast<std::size_t>(view.voxel(grid, column, row))]);
      },
      image);
  return levels;
}

std::string place_text(const Grid& grid, const View& view) {
  const std::size_t across = index_of(view.slice.axis);
  std::string text;
  if (!grid.flat() || across != 2)
    text = fmt::format("slice {} = {} (0–{})", kAxisNames[across], view.slice.index, grid.size[across] - 1);
  if (view.letters.empty()) return text;
  // In the middle of what is shown; oblique slices are elsewhere at their edges.
  std::array<double, 3> middle{};
  middle[across] = view.slice.index;
  for (std::size_t n = 0; n < 2; ++n)
    middle[static_cast<std::size_t>(view.axis[n])] = (view.low[n] + view.high[n] - 1) / 2.0;
  const std::size_t world = headings(grid)[across].world;
  double at = grid.origin[world];
  for (std::size_t a = 0; a < 3; ++a) at += grid.direction[3 * world + a] * grid.spacing[a] * middle[a];
  const double shown = std::round(std::abs(at) * 10) / 10;
  constexpr std::array<std::string_view, 3> kTowardsHigh{"right", "anterior", "superior"};
  constexpr std::array<std::string_view, 3> kTowardsLow{"left", "posterior", "inferior"};
  return fmt::format("{}{}{:g} mm {}", text, text.empty() ? "" : ", ", shown,
                     at < 0 ? kTowardsLow[world] : kTowardsHigh[world]);
}

}  // namespace crema::plot
