// SPDX-License-Identifier: Apache-2.0
#include "annotations/shapes/shape.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "annotations/shapes/polygon.h"

namespace crema::annotations {
namespace {

/// Low and high corner of all points.
struct Bounds {
  double left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;
};

Bounds bounds_of(const Polygons& shape) {
  Bounds bounds;
  for (const std::vector<Point>& ring : shape.rings)
    for (const Point& point : ring)
      bounds = {std::min(bounds.left, point.x), std::min(bounds.top, point.y),
                std::max(bounds.right, point.x), std::max(bounds.bottom, point.y)};
  return bounds;
}

/// Quarter turns are exact.
struct Turn {
  double cosine = 1, sine = 0;

  explicit Turn(double degrees) {
    const double rest = std::fmod(degrees, 360);
    const double quarters = rest / 90;
    if (quarters == std::trunc(quarters)) {
      constexpr double kCosines[4] = {1, 0, -1, 0};
      const auto quarter = static_cast<std::size_t>(quarters + 4) % 4;
      cosine = kCosines[quarter];
      sine = kCosines[(quarter + 3) % 4];
      return;
    }
    cosine = std::cos(rest * std::numbers::pi / 180);
    sine = std::sin(rest * std::numbers::pi / 180);
  }
};

Bounds bounds_of(const Ellipse& shape) {
  const Turn turn(shape.degrees);
  const double across = std::hypot(shape.across * turn.cosine, shape.down * turn.sine, 0);
  const double down = std::hypot(shape.across * turn.sine, shape.down * turn.cosine, 0);
  return {shape.centre.x - across, shape.centre.y - down, shape.centre.x + across, shape.centre.y + down};
}

std::int32_t pixel(double place, std::int32_t high) {
  return static_cast<std::int32_t>(std::clamp(place, 0.0, static_cast<double>(high)));
}

/// An empty patch for all pixels that a shape may have.
template <class Outline>
Patch patch_for(const Outline& shape, Extent image) {
  const Bounds bounds = bounds_of(shape);
  Patch patch{
      pixel(std::floor(bounds.left), image.width), pixel(std::floor(bounds.top), image.height), {}, {}};
  patch.box = {std::max(0, pixel(std::ceil(bounds.right), image.width) - patch.left),
               std::max(0, pixel(std::ceil(bounds.bottom), image.height) - patch.top)};
  return patch;
}

/// Columns that runs along columns touch, or rows for runs along rows.
Patch patch_for(const Runs& runs, Extent) {
  const bool rows = runs.order == Runs::Order::rows;
  const std::int64_t line = rows ? runs.box.width : runs.box.height;
  std::int64_t at = 0, first = -1, last = -1;
  for (std::size_t i = 0; i < runs.counts.size(); ++i) {
    if (i % 2 == 1 && runs.counts[i] > 0) {
      if (first < 0) first = at;
      last = at + runs.counts[i] - 1;
    }
    at += runs.counts[i];
  }
  if (first < 0) return {runs.left, runs.top, {}, {}};
  const auto low = static_cast<std::int32_t>(first / line), high = static_cast<std::int32_t>(last / line) + 1;
  if (rows) return {runs.left, runs.top + low, {runs.box.width, high - low}, {}};
  return {runs.left + low, runs.top, {high - low, runs.box.height}, {}};
}

void paint(const Polygons& shape, Patch& patch) {
  for (const std::vector<Point>& ring : shape.rings) fill(ring, patch);
}

void paint(const Ellipse& shape, Patch& patch) {
  const Turn turn(shape.degrees);
  for (std::int32_t y = 0; y < patch.box.height; ++y)
    for (std::int32_t x = 0; x < patch.box.width; ++x) {
      const double right = patch.left + x + 0.5 - shape.centre.x,
                   below = patch.top + y + 0.5 - shape.centre.y;
      const double along = (right * turn.cosine + below * turn.sine) / shape.across;
      const double beside = (below * turn.cosine - right * turn.sine) / shape.down;
      if (along * along + beside * beside <= 1)
        patch.pixels[static_cast<std::size_t>(std::int64_t{y} * patch.box.width + x)] = 1;
    }
}

/// A run in a line after the other, where lines are the columns.
void paint_columns(const Runs& runs, Patch& patch, std::int64_t at, std::int64_t length) {
  const std::int64_t skipped = std::int64_t{patch.left - runs.left} * runs.box.height;
  for (std::int64_t place = at - skipped; place < at - skipped + length; ++place)
    patch.pixels[static_cast<std::size_t>(place % runs.box.height * patch.box.width +
                                          place / runs.box.height)] = 1;
}

void paint(const Runs& runs, Patch& patch) {
  std::int64_t at = 0;
  for (std::size_t i = 0; i < runs.counts.size(); at += runs.counts[i++]) {
    if (i % 2 == 0 || runs.counts[i] == 0) continue;
    if (runs.order == Runs::Order::columns) {
      paint_columns(runs, patch, at, runs.counts[i]);
      continue;
    }
    const std::int64_t skipped = std::int64_t{patch.top - runs.top} * runs.box.width;
    std::memset(patch.pixels.data() + (at - skipped), 1, runs.counts[i]);
  }
}

std::uint8_t pixel_at(const Patch& mask, std::int64_t place, Runs::Order order) {
  if (order == Runs::Order::rows) return mask.pixels[static_cast<std::size_t>(place)];
  return mask
      .pixels[static_cast<std::size_t>(place % mask.box.height * mask.box.width + place / mask.box.height)];
}

}  // namespace

void Window::add(const Patch& patch) {
  left = std::min(left, patch.left);
  top = std::min(top, patch.top);
  right = std::max(right, patch.left + patch.box.width);
  bottom = std::max(bottom, patch.top + patch.box.height);
}

Polygons turned_box(Point low, Point high, double degrees, Point about) {
  std::vector<Point> ring{low, {high.x, low.y}, high, {low.x, high.y}};
  if (degrees == 0) return {{std::move(ring)}};
  const Turn turn(degrees);
  for (Point& corner : ring) {
    const Point from{corner.x - about.x, corner.y - about.y};
    corner = {about.x + from.x * turn.cosine - from.y * turn.sine,
              about.y + from.x * turn.sine + from.y * turn.cosine};
  }
  return {{std::move(ring)}};
}

Patch rasterise(const Shape& shape, Extent image) {
  return std::visit(
      [&](const auto& kind) {
        Patch patch = patch_for(kind, image);
        patch.pixels.assign(static_cast<std::size_t>(patch.box.pixels()), 0);
        if (!patch.empty()) paint(kind, patch);
        return patch;
      },
      shape);
}

std::int64_t patch_bytes(const Shape& shape, Extent image) {
  return std::visit([&](const auto& kind) { return patch_for(kind, image).box.pixels(); }, shape);
}

Inside inside(const Shape& shape, Extent image) {
  if (std::holds_alternative<Runs>(shape)) return Inside::whole;
  const auto* const ellipse = std::get_if<Ellipse>(&shape);
  const Bounds bounds = ellipse != nullptr ? bounds_of(*ellipse) : bounds_of(std::get<Polygons>(shape));
  if (bounds.left >= 0 && bounds.top >= 0 && bounds.right <= image.width && bounds.bottom <= image.height)
    return Inside::whole;
  return bounds.left >= image.width || bounds.top >= image.height || bounds.right <= 0 || bounds.bottom <= 0
             ? Inside::outside
             : Inside::partly;
}

Runs runs_of(const Patch& mask, Runs::Order order) {
  Runs runs{order, mask.left, mask.top, mask.box, {}};
  std::uint8_t value = 0;
  std::uint32_t length = 0;
  for (std::int64_t place = 0; place < mask.box.pixels(); ++place) {
    const std::uint8_t here = pixel_at(mask, place, order);
    if (here != value) {
      runs.counts.push_back(length);
      length = 0;
      value = here;
    }
    ++length;
  }
  if (length > 0) runs.counts.push_back(length);
  return runs;
}

Patch cropped(const Patch& mask) {
  std::int32_t left = mask.box.width, right = -1, top = mask.box.height, bottom = -1;
  for (std::int32_t y = 0; y < mask.box.height; ++y) {
    const std::uint8_t* const row = mask.row(y);
    const auto* const first =
        static_cast<const std::uint8_t*>(std::memchr(row, 1, static_cast<std::size_t>(mask.box.width)));
    if (first == nullptr) continue;
    std::int32_t last = mask.box.width - 1;
    while (row[last] == 0) --last;
    left = std::min(left, static_cast<std::int32_t>(first - row));
    right = std::max(right, last);
    top = std::min(top, y);
    bottom = y;
  }
  if (right < 0) return {};
  Patch part{mask.left + left, mask.top + top, {right - left + 1, bottom - top + 1}, {}};
  for (std::int32_t y = top; y <= bottom; ++y)
    part.pixels.insert(part.pixels.end(), mask.row(y) + left, mask.row(y) + right + 1);
  return part;
}

std::int64_t area_of(const Patch& mask) { return std::count(mask.pixels.begin(), mask.pixels.end(), 1); }

}  // namespace crema::annotations
