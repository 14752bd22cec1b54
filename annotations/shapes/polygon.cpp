// SPDX-License-Identifier: Apache-2.0
#include "annotations/shapes/polygon.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "crema/base/error.h"

namespace crema::annotations {
namespace {

/// A side that crosses the centres of the rows from `first` to before `end`.
struct Side {
  Point from, to;
  std::int32_t first = 0, end = 0;

  /// The same number for both neighbours of an edge, whichever way it runs.
  [[nodiscard]] double at(double y) const {
    return from.x + (y - from.y) * ((to.x - from.x) / (to.y - from.y));
  }
};

/// The first pixel whose centre lies at or behind a place.
std::int32_t first_behind(double place, std::int32_t low, std::int32_t high) {
  return static_cast<std::int32_t>(
      std::clamp(std::ceil(place - 0.5), static_cast<double>(low), static_cast<double>(high)));
}

std::vector<Side> sides_of(const std::vector<Point>& ring, const Patch& patch) {
  constexpr std::int64_t kMaxCrossings = std::int64_t{1} << 30;
  std::vector<Side> sides;
  std::int64_t crossings = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    Point a = ring[i], b = ring[(i + 1) % ring.size()];
    if (a.y > b.y) std::swap(a, b);
    Side side{a, b, first_behind(a.y, patch.top, patch.top + patch.box.height),
              first_behind(b.y, patch.top, patch.top + patch.box.height)};
    if (side.first >= side.end) continue;
    crossings += side.end - side.first;
    sides.push_back(side);
  }
  if (crossings > kMaxCrossings)
    throw InputError(
        fmt::format("a polygon of {} points crosses the rows {} times, more than {}; simplify it.",
                    ring.size(), crossings, kMaxCrossings));
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) { return a.first < b.first; });
  return sides;
}

void fill_row(std::vector<double>& crossings, std::int32_t y, Patch& patch) {
  std::sort(crossings.begin(), crossings.end());
  std::uint8_t* const row = patch.pixels.data() + std::int64_t{y - patch.top} * patch.box.width;
  for (std::size_t c = 0; c + 1 < crossings.size(); c += 2) {
    const std::int32_t end = patch.left + patch.box.width;
    const std::int32_t from = first_behind(crossings[c], patch.left, end);
    const std::int32_t to = first_behind(crossings[c + 1], patch.left, end);
    if (from < to) std::fill(row + (from - patch.left), row + (to - patch.left), std::uint8_t{1});
  }
}

}  // namespace

void fill(const std::vector<Point>& ring, Patch& patch) {
  const std::vector<Side> sides = sides_of(ring, patch);
  std::vector<Side> active;
  std::vector<double> crossings;
  auto next = sides.begin();
  for (std::int32_t y = sides.empty() ? 0 : sides.front().first; next != sides.end() || !active.empty();
       ++y) {
    std::erase_if(active, [y](const Side& side) { return side.end <= y; });
    for (; next != sides.end() && next->first <= y; ++next) active.push_back(*next);
    crossings.clear();
    for (const Side& side : active) crossings.push_back(side.at(y + 0.5));
    fill_row(crossings, y, patch);
  }
}

}  // namespace crema::annotations
