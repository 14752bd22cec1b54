// SPDX-License-Identifier: Apache-2.0
// Which pixels of a slice lie inside outlines.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace crema::files::dicom {

/// In pixels: the centre of the first pixel is (0, 0).
struct Point {
  double x = 0, y = 0;
};

using Polygon = std::vector<Point>;

/// Inverts every pixel whose centre lies inside the closed polygon, even-odd. Of centres on an edge, those on
/// a left or upper side are inside, so that polygons that share an edge share no pixel. What lies beyond the
/// slice is cut off.
void invert_inside(const Polygon& polygon, std::int32_t width, std::int32_t height,
                   std::span<std::uint8_t> slice);

}  // namespace crema::files::dicom
