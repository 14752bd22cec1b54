// SPDX-License-Identifier: Apache-2.0
#include "files/dicom/outlines/polygons.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace crema::files::dicom {
namespace {

/// The first whole number that is not below, kept within 0 to `most`.
std::int32_t first_from(double value, std::int32_t most) {
  return static_cast<std::int32_t>(std::ceil(std::clamp(value, 0.0, static_cast<double>(most))));
}

/// Where edges cross each row of centres, from left to right.
std::vector<std::vector<double>> crossings_of(const Polygon& polygon, std::int32_t height) {
  std::vector<std::vector<double>> rows(static_cast<std::size_t>(height));
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    Point low = polygon[i], high = polygon[(i + 1) % polygon.size()];
    // From above, so that an edge that is walked both ways crosses in one place.
    if (low.y > high.y) std::swap(low, high);
    const std::int32_t end = first_from(high.y, height);
    for (std::int32_t y = first_from(low.y, height); y < end; ++y)
      // Divided last: a crossing in a centre is exactly there.
      rows[static_cast<std::size_t>(y)].push_back(low.x + (y - low.y) * (high.x - low.x) / (high.y - low.y));
  }
  for (std::vector<double>& row : rows) std::sort(row.begin(), row.end());
  return rows;
}

}  // namespace

void invert_inside(const Polygon& polygon, std::int32_t width, std::int32_t height,
                   std::span<std::uint8_t> slice) {
  const auto rows = crossings_of(polygon, height);
  for (std::size_t y = 0; y < rows.size(); ++y)
    for (std::size_t c = 0; c + 1 < rows[y].size(); c += 2) {
      const std::int32_t end = first_from(rows[y][c + 1], width);
      for (std::int32_t x = first_from(rows[y][c], width); x < end; ++x)
        slice[y * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)] ^= 1;
    }
}

}  // namespace crema::files::dicom
