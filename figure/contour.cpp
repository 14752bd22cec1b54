// SPDX-License-Identifier: Apache-2.0
#include "figure/contour.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace crema::plot {
namespace {

/// Ways to go, each a turn to the right from the one before.
constexpr std::array<Corner, 4> kWays{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};

/// Which ways lead away from each corner: one bit each.
class Edges {
 public:
  explicit Edges(const Plane<std::uint8_t>& mask) : ways_(mask.width + 1, mask.height + 1) {
    const auto inside = [&](int x, int y) { return mask.holds(x, y) && mask.at(x, y) != 0; };
    for (int y = 0; y < mask.height; ++y)
      for (int x = 0; x < mask.width; ++x) {
        if (!inside(x, y)) continue;
        if (!inside(x, y - 1)) add({x, y}, 0);
        if (!inside(x + 1, y)) add({x + 1, y}, 1);
        if (!inside(x, y + 1)) add({x + 1, y + 1}, 2);
        if (!inside(x - 1, y)) add({x, y + 1}, 3);
      }
  }

  [[nodiscard]] bool leads(Corner from, unsigned way) const {
    return (ways_.at(from.x, from.y) >> way & 1U) != 0;
  }
  [[nodiscard]] int width() const { return ways_.width; }
  [[nodiscard]] int height() const { return ways_.height; }

  /// Takes the loop that begins with that edge. It may come by its start before it ends.
  Loop take(const Corner start, const unsigned first) {
    Loop loop;
    Corner here = start;
    unsigned way = first;
    do {
      here = {here.x + kWays[way].x, here.y + kWays[way].y};
      const unsigned next = turn(here, way);
      if (next != way) loop.push_back(here);
      way = next;
      ways_.at(here.x, here.y) = static_cast<std::uint8_t>(ways_.at(here.x, here.y) & ~(1U << way));
    } while (here != start || way != first);
    return loop;
  }

 private:
  void add(Corner from, unsigned way) {
    ways_.at(from.x, from.y) = static_cast<std::uint8_t>(ways_.at(from.x, from.y) | 1U << way);
  }

  /// Where two cells touch at a corner the way stays with its own cell: it turns right.
  [[nodiscard]] unsigned turn(Corner here, unsigned way) const {
    for (const unsigned next : {(way + 1) % 4, way})
      if (leads(here, next)) return next;
    return (way + 3) % 4;
  }

  Plane<std::uint8_t> ways_;
};

int sign(int value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }

/// The way from one corner to another one on the same row or column.
Corner way_between(const Corner& from, const Corner& to) {
  return {sign(to.x - from.x), sign(to.y - from.y)};
}

}  // namespace

std::vector<Loop> trace_contours(const Plane<std::uint8_t>& mask) {
  Edges edges(mask);
  std::vector<Loop> loops;
  // Every loop goes right somewhere; its first such edge begins at a turn.
  for (int y = 0; y < edges.height(); ++y)
    for (int x = 0; x < edges.width(); ++x)
      if (edges.leads({x, y}, 0)) loops.push_back(edges.take({x, y}, 0));
  return loops;
}

std::vector<svg::Point> drawn(const Loop& loop, const Drawing& drawing) {
  std::vector<svg::Point> points;
  for (std::size_t n = 0; n < loop.size(); ++n) {
    const Corner come = way_between(loop[(n + loop.size() - 1) % loop.size()], loop[n]);
    const Corner go = way_between(loop[n], loop[(n + 1) % loop.size()]);
    points.push_back({drawing.origin.x + loop[n].x * drawing.cell_width - drawing.inset * (come.y + go.y),
                      drawing.origin.y + loop[n].y * drawing.cell_height + drawing.inset * (come.x + go.x)});
  }
  return points;
}

std::string path_data(const std::vector<Loop>& loops, const Drawing& drawing) {
  std::string data;
  for (const Loop& loop : loops) {
    const std::vector<svg::Point> points = drawn(loop, drawing);
    data += fmt::format("M{} {}", svg::number(points[0].x), svg::number(points[0].y));
    for (std::size_t n = 1; n < points.size(); ++n)
      data += loop[n].y == loop[n - 1].y ? "H" + svg::number(points[n].x) : "V" + svg::number(points[n].y);
    data += 'z';
  }
  return data;
}

Lanes lanes_for(int raters, double cell) {
  constexpr double least = 1.2, most = 2;  // between the middles of two lines
  Lanes lanes;
  lanes.consensus_width = std::clamp(cell / 5, 1.8, 3.2);
  const double middle = lanes.consensus_width / 2;
  const double room = std::max(0.0, 0.45 * cell - middle);
  const bool inside = room / raters >= least;
  const int lines = inside ? raters : (raters + 1) / 2;
  const double apart = std::min(most, room / lines);
  lanes.rater_width = std::clamp(0.85 * apart, 0.9, 1.4);
  for (int k = 0; k < raters; ++k) {
    const int lane = inside || k < lines ? k : k - lines;
    const double away = middle + (lane + 0.5) * apart;
    lanes.insets.push_back(inside || k < lines ? away : -away);
  }
  return lanes;
}

}  // namespace crema::plot
