// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

/// Outlines and runs as annotation tools store them, and the pixels they stand for.
namespace crema::annotations {

struct Extent {
  std::int32_t width = 0, height = 0;

  [[nodiscard]] std::int64_t pixels() const { return std::int64_t{width} * height; }
  bool operator==(const Extent&) const = default;
};

/// In pixels; the pixel in the corner reaches from (0, 0) to (1, 1).
struct Point {
  double x = 0, y = 0;
};

/// Rings that are filled one by one, each even-odd, and united.
struct Polygons {
  std::vector<std::vector<Point>> rings;
};

struct Ellipse {
  Point centre;
  double across = 0, down = 0;  ///< its radii
  double degrees = 0;           ///< turned about its centre, clockwise
};

/// Lengths of runs in a box, background first, along rows or along columns.
struct Runs {
  enum class Order : std::uint8_t { rows, columns };
  Order order = Order::rows;
  std::int32_t left = 0, top = 0;
  Extent box;
  std::vector<std::uint32_t> counts;
};

using Shape = std::variant<Polygons, Ellipse, Runs>;

/// The box between two corners, turned clockwise about a point.
Polygons turned_box(Point low, Point high, double degrees, Point about);

/// The pixels of an object in a box of its image, row by row, each 0 or 1.
struct Patch {
  std::int32_t left = 0, top = 0;
  Extent box;
  std::vector<std::uint8_t> pixels;

  [[nodiscard]] bool empty() const { return pixels.empty(); }
  [[nodiscard]] const std::uint8_t* row(std::int32_t y) const {
    return pixels.data() + std::int64_t{y} * box.width;
  }
};

/// The box that patches span.
struct Window {
  std::int32_t left = INT32_MAX, top = INT32_MAX, right = 0, bottom = 0;

  void add(const Patch& patch);
  [[nodiscard]] bool empty() const { return right <= left; }
  [[nodiscard]] Extent size() const { return {right - left, bottom - top}; }
};

/// The pixels of a shape inside an image of that size; parts that lie outside are cut off. A pixel belongs to
/// a ring or an ellipse when its centre does; on an edge, a ring's left and upper sides belong to it, and all
/// of an ellipse. Runs must fit their box, and the box its image. Throws InputError for a ring that crosses
/// rows too often.
Patch rasterise(const Shape& shape, Extent image);

/// What the patch of a shape takes at most, in bytes.
std::int64_t patch_bytes(const Shape& shape, Extent image);

/// Whether parts of a shape lie outside of the image, or all of it does.
enum class Inside : std::uint8_t { whole, partly, outside };
Inside inside(const Shape& shape, Extent image);

/// Runs of a mask of that size along its rows or columns, background first.
Runs runs_of(const Patch& mask, Runs::Order order);

/// The part of a mask that its pixels span; an empty patch where there are none.
Patch cropped(const Patch& mask);

/// How many pixels are set.
std::int64_t area_of(const Patch& mask);

}  // namespace crema::annotations
