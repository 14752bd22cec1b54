// SPDX-License-Identifier: Apache-2.0
#include "annotations/shapes/outline.h"

#include <algorithm>

namespace crema::annotations {
namespace {

enum Step : std::uint8_t { right = 1, down = 2, left = 4, up = 8 };

/// The corners of all pixels, each with the steps along edges that start there.
class Corners {
 public:
  explicit Corners(const Patch& mask)
      : mask_(mask),
        width_(mask.box.width + 1),
        steps_(static_cast<std::size_t>(std::int64_t{width_} * (mask.box.height + 1))) {
    for (std::int32_t y = 0; y < mask.box.height; ++y)
      for (std::int32_t x = 0; x < mask.box.width; ++x)
        if (is_inside(x, y)) add_edges(x, y);
    join_holes();
  }

  [[nodiscard]] std::vector<std::vector<Point>> rings() && {
    std::vector<std::vector<Point>> all;
    for (std::size_t start = 0; start < steps_.size(); ++start)
      if (steps_[start] != 0) all.push_back(ring_from(start));
    return all;
  }

 private:
  [[nodiscard]] bool is_inside(std::int32_t x, std::int32_t y) const {
    return x >= 0 && y >= 0 && x < mask_.box.width && y < mask_.box.height && mask_.row(y)[x] != 0;
  }

  void add(std::size_t corner, Step step) {
    steps_[corner] = static_cast<std::uint8_t>(steps_[corner] | step);
  }

  [[nodiscard]] std::size_t corner(std::int32_t x, std::int32_t y) const {
    return static_cast<std::size_t>(std::int64_t{y} * width_ + x);
  }

  /// Edges to what is outside, with the pixel on their right.
  void add_edges(std::int32_t x, std::int32_t y) {
    if (!is_inside(x, y - 1)) add(corner(x, y), right);
    if (!is_inside(x + 1, y)) add(corner(x + 1, y), down);
    if (!is_inside(x, y + 1)) add(corner(x + 1, y + 1), left);
    if (!is_inside(x - 1, y)) add(corner(x, y + 1), up);
  }

  [[nodiscard]] std::size_t next(std::size_t at, Step step) const {
    const auto width = static_cast<std::size_t>(width_);
    return step == right ? at + 1 : step == left ? at - 1 : step == down ? at + width : at - width;
  }

  /// The first corner of a closed line in raster order has a pixel inside above it where the line is a hole.
  void join_holes() {
    std::vector<bool> seen(steps_.size(), false);
    for (std::size_t first = 0; first < steps_.size(); ++first) {
      if (seen[first] || steps_[first] == 0) continue;
      see_all(first, seen);
      const auto width = static_cast<std::size_t>(width_);
      if (is_inside(static_cast<std::int32_t>(first % width), static_cast<std::int32_t>(first / width) - 1))
        join_above(first);
    }
  }

  void see_all(std::size_t first, std::vector<bool>& seen) const {
    std::vector<std::size_t> open{first};
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      if (seen[at]) continue;
      seen[at] = true;
      for (const Step step : {right, down, left, up})
        if ((steps_[at] & step) != 0) open.push_back(next(at, step));
    }
  }

  void join_above(std::size_t at) {
    for (bool there = false; !there;) {
      const std::size_t above = next(at, up);
      there = steps_[above] != 0;
      add(at, up);
      add(above, down);
      at = above;
    }
  }

  /// Goes every step that can be reached once. Ends where it starts, since as many steps lead to a corner as
  /// away from it.
  std::vector<Point> ring_from(std::size_t start) {
    std::vector<std::size_t> open{start}, walk;
    while (!open.empty()) {
      const std::size_t at = open.back();
      const auto step = static_cast<Step>(steps_[at] & -steps_[at]);
      if (steps_[at] == 0) {
        walk.push_back(at);
        open.pop_back();
      } else {
        steps_[at] = static_cast<std::uint8_t>(steps_[at] & ~step);
        open.push_back(next(at, step));
      }
    }
    walk.pop_back();
    return turns_of(walk);
  }

  /// The corners at which a walk turns.
  [[nodiscard]] std::vector<Point> turns_of(const std::vector<std::size_t>& walk) const {
    std::vector<Point> ring;
    const auto width = static_cast<std::size_t>(width_);
    for (std::size_t i = 0; i < walk.size(); ++i) {
      const std::size_t before = walk[(i + walk.size() - 1) % walk.size()],
                        after = walk[(i + 1) % walk.size()];
      const std::size_t column = walk[i] % width, row = walk[i] / width;
      if (walk[i] - before != after - walk[i])
        ring.push_back({mask_.left + static_cast<double>(column), mask_.top + static_cast<double>(row)});
    }
    return ring;
  }

  const Patch& mask_;
  std::int32_t width_;
  std::vector<std::uint8_t> steps_;
};

}  // namespace

std::vector<std::vector<Point>> outlines_of(const Patch& mask) { return Corners(mask).rings(); }

}  // namespace crema::annotations
