// SPDX-License-Identifier: Apache-2.0
#include "figure/shading.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

namespace crema::plot {
namespace {

/// How dark a cell is; below 0: not painted.
double darkness_of(const Panel& panel, const Style& style, std::size_t i) {
  const Cell& cell = panel.cells.values[i];
  if (panel.show == Show::distance) return number_in(panel, style, i).shade;
  if (panel.show == Show::levels) {
    // 255 steps are more than the eye can distinguish.
    const double step = std::round(static_cast<double>(panel.consensus.front().levels.values[i]) * 255) / 255;
    return step > 0 ? step : -1;
  }
  if (cell.component < 0) return -1;
  if (panel.show == Show::subcrowns) return distance_shade(cell.distance, style.largest_distance);
  return vote_shade(std::popcount(cell.raters), panel.raters, panel.show);
}

/// Areas lie upon each other, the dark ones above, so that no seams are seen between them.
std::string shades(const Panel& panel, const Style& style, const Drawing& drawing) {
  Plane<double> dark(panel.cells.width, panel.cells.height);
  for (std::size_t i = 0; i < dark.values.size(); ++i) dark.values[i] = darkness_of(panel, style, i);
  const std::set<double> steps(dark.values.begin(), dark.values.end());
  std::string parts;
  for (const double step : steps) {
    if (step < 0) continue;
    const auto loops =
        trace_contours(mapped(dark, [&](double d) { return static_cast<std::uint8_t>(d >= step ? 1 : 0); }));
    parts += svg::area(path_data(loops, drawing), shade(step));
  }
  return parts;
}

/// Each area in its colour; `kind_of` gives the number of a cell's area, below 0: none.
template <class KindOf, class ColourOf>
std::string patches(const Panel& panel, const Drawing& drawing, KindOf kind_of, ColourOf colour_of) {
  Plane<int> kinds(panel.cells.width, panel.cells.height);
  for (std::size_t i = 0; i < kinds.values.size(); ++i) kinds.values[i] = kind_of(i);
  const std::set<int> all(kinds.values.begin(), kinds.values.end());
  std::string parts;
  for (const int kind : all) {
    if (kind < 0) continue;
    const auto loops =
        trace_contours(mapped(kinds, [&](int k) { return static_cast<std::uint8_t>(k == kind ? 1 : 0); }));
    parts += svg::area(path_data(loops, drawing), colour_of(kind));
  }
  return parts;
}

/// One colour for each subcrown, in the order of distance.
std::string coloured(const Panel& panel, const Drawing& drawing) {
  std::map<std::pair<std::int32_t, std::uint32_t>, int> numbers;
  for (const Cell& cell : panel.cells.values)
    if (cell.component >= 0) numbers.emplace(std::pair{cell.component, cell.row}, 0);
  int next = 0;
  for (auto& entry : numbers) entry.second = next++;
  return patches(
      panel, drawing,
      [&](std::size_t i) {
        const Cell& cell = panel.cells.values[i];
        return cell.component < 0 ? -1 : numbers.at({cell.component, cell.row});
      },
      [](int n) { return category_colour(static_cast<std::size_t>(n)); });
}

std::string states_of(const Panel& panel, const Drawing& drawing) {
  return patches(
      panel, drawing,
      [&](std::size_t i) {
        return panel.cells.values[i].component < 0 ? -1 : static_cast<int>(panel.states.values[i]);
      },
      [](int state) { return state_colour(static_cast<State>(state)); });
}

/// Where one subcrown ends and another begins.
std::string borders(const Panel& panel, const Drawing& drawing) {
  std::string data;
  const auto& cells = panel.cells;
  const auto apart = [&](const Cell& a, const Cell& b) {
    return a.component >= 0 && b.component >= 0 && !(a == b);
  };
  for (int y = 0; y < cells.height; ++y)
    for (int x = 0; x < cells.width; ++x) {
      const double left = x * drawing.cell_width, top = y * drawing.cell_height;
      if (x > 0 && apart(cells.at(x - 1, y), cells.at(x, y)))
        data +=
            fmt::format("M{} {}v{}", svg::number(left), svg::number(top), svg::number(drawing.cell_height));
      if (y > 0 && apart(cells.at(x, y - 1), cells.at(x, y)))
        data +=
            fmt::format("M{} {}h{}", svg::number(left), svg::number(top), svg::number(drawing.cell_width));
    }
  const double cell = std::min(drawing.cell_width, drawing.cell_height);
  return svg::path(data, {kWhite, std::clamp(cell / 12, 0.4, 1.4)}, {{"class", "borders"}});
}

std::string union_contour(const Panel& panel, const Drawing& drawing) {
  const auto loops = trace_contours(mapped(
      panel.cells, [](const Cell& cell) { return static_cast<std::uint8_t>(cell.component >= 0 ? 1 : 0); }));
  return svg::path(path_data(loops, drawing), {kSoft, 0.9, "3 2"}, {{"class", "union"}});
}

}  // namespace

double vote_shade(int votes, int raters, Show show) {
  return 0.1 + (show == Show::contours ? 0.42 : 0.7) * votes / std::max(raters, 1);
}

double distance_shade(int distance, int largest) {
  return largest > 0 ? 0.78 - 0.68 * distance / largest : 0.78;
}

std::string state_colour(State state) {
  switch (state) {
    case State::out:
      return shade(0.06);
    case State::in:
      return shade(0.42);
    case State::removed:
      return "#d55e00";
    case State::kept:
      return "#0072b2";
  }
  return shade(0);
}

CellNumber number_in(const Panel& panel, const Style& style, std::size_t cell) {
  if (panel.show == Show::distance) {
    const int steps = panel.steps.values[cell];
    return {steps, steps < 0 ? -1.0 : distance_shade(steps, style.most_steps)};
  }
  const Cell& at = panel.cells.values[cell];
  if (panel.show != Show::subcrowns || at.component < 0) return {};
  return {at.distance, distance_shade(at.distance, style.largest_distance)};
}

std::string shading(const Panel& panel, const Style& style, const Drawing& drawing) {
  if (panel.show == Show::contours && !panel.backdrop.empty()) return "";
  std::string parts;
  if (panel.show == Show::colours)
    parts = coloured(panel, drawing);
  else if (panel.show == Show::step)
    parts = states_of(panel, drawing);
  else
    parts = shades(panel, style, drawing);
  if (panel.show == Show::subcrowns || panel.show == Show::step) parts += borders(panel, drawing);
  if (panel.show == Show::levels) parts += union_contour(panel, drawing);
  svg::Marks marks{{"class", "paint"}};
  if (!panel.backdrop.empty()) marks.emplace_back("opacity", svg::number(kVeil));
  return svg::group(marks, parts);
}

}  // namespace crema::plot
