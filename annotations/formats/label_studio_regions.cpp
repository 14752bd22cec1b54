// SPDX-License-Identifier: Apache-2.0
#include "annotations/formats/label_studio_regions.h"

#include <algorithm>
#include <array>
#include <initializer_list>

#include <fmt/format.h>

#include "annotations/formats/fields.h"
#include "annotations/shapes/rle.h"
#include "crema/base/error.h"

namespace crema::annotations {
namespace {

bool has_all(const Json& value, std::initializer_list<std::string_view> names) {
  return std::none_of(names.begin(), names.end(), [&](std::string_view name) {
    return std::holds_alternative<std::nullptr_t>(member(value, name).value());
  });
}

bool is_box(const Json& value) { return has_all(value, {"x", "y", "width", "height"}); }
bool is_ellipse(const Json& value) { return has_all(value, {"x", "y", "radiusX", "radiusY"}); }

bool is_region(const Json& value) {
  return !list_in(member(value, "rle")).empty() || !list_in(member(value, "points")).empty() ||
         is_box(value) || is_ellipse(value);
}

/// A polygon that was left open is a line.
bool is_open(const Json& value) { return has_all(value, {"closed"}) && !is_true(value, "closed"); }

bool is_other(std::string_view type) {
  constexpr std::array<std::string_view, 3> kinds{"keypoint", "vector", "bitmask"};
  return std::any_of(kinds.begin(), kinds.end(),
                     [&](std::string_view kind) { return type.starts_with(kind); });
}

double degrees_of(const Json& value) {
  return has_all(value, {"rotation"}) ? coordinate(member(value, "rotation")) : 0;
}

/// Percent of the picture's width and height, as pixels.
Point percent_point(const Json& x, const Json& y, Extent picture) {
  return {coordinate(x) / 100 * picture.width, coordinate(y) / 100 * picture.height};
}

/// Turned about its upper left corner.
Shape percent_box(const Json& value, Extent picture) {
  const Point corner = percent_point(member(value, "x"), member(value, "y"), picture);
  const Point size = percent_point(member(value, "width"), member(value, "height"), picture);
  return turned_box(corner, {corner.x + size.x, corner.y + size.y}, degrees_of(value), corner);
}

Shape percent_ellipse(const Json& value, Extent picture) {
  const Point radii = percent_point(member(value, "radiusX"), member(value, "radiusY"), picture);
  return Ellipse{percent_point(member(value, "x"), member(value, "y"), picture), radii.x, radii.y,
                 degrees_of(value)};
}

Shape percent_polygon(const Json& value, Extent picture) {
  std::vector<Point> ring;
  for (const Json& point : list(value, "points")) {
    const Json::Array& pair = list_in(point);
    if (pair.size() != 2) throw InputError("a point is not a pair of numbers.");
    ring.push_back(percent_point(pair[0], pair[1], picture));
  }
  if (ring.size() < 3)
    throw InputError(fmt::format("a polygon has {} points; at least three are expected.", ring.size()));
  return Polygons{{std::move(ring)}};
}

}  // namespace

Drawn drawn_in(const Json& result) {
  const Json& value = member(result, "value");
  if (is_open(value) || is_other(text_in(member(result, "type")))) return Drawn::other;
  return is_region(value) ? Drawn::area : Drawn::nothing;
}

Shape region_shape(const Json& value, Extent picture) {
  const Json::Array& packed = list_in(member(value, "rle"));
  if (!packed.empty()) return unpack_brush(wholes<std::uint8_t>(packed, 255), picture);
  if (is_box(value)) return percent_box(value, picture);
  if (is_ellipse(value)) return percent_ellipse(value, picture);
  return percent_polygon(value, picture);
}

}  // namespace crema::annotations
