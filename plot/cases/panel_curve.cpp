// SPDX-License-Identifier: Apache-2.0
#include "plot/cases/panel_curve.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "plot/chart.h"
#include "plot/palette.h"

namespace crema::plot {
namespace {

constexpr double kCurveWidth = 480, kCurveLeft = 56, kCurveRight = 464, kCurveTop = 56, kCurveBottom = 250;
/// Lines differ in colour, in their dashes and by a little to the side.
constexpr std::array<svg::Stroke, 2> kCurveStrokes{svg::Stroke{"#8a4b12", 2.4},
                                                   svg::Stroke{"#0072b2", 2.4, "6 4"}};

struct CurveScales {
  chart::Scale x, y;
  int first = 1, last = 1;  ///< sizes
};

CurveScales scales_of(const PanelCurve& requested) {
  double low = 1, high = 0;
  int first = 1 << 30, last = 0;
  for (const PanelLine& line : requested.lines)
    for (const PanelPoint& point : line.points) {
      low = std::min(low, point.low);
      high = std::max(high, point.high);
      first = std::min(first, point.raters);
      last = std::max(last, point.raters);
    }
  const double room = std::max(0.01, 0.08 * (high - low));
  return {{first - 0.5, last + 0.5, kCurveLeft, kCurveRight},
          {std::max(0.0, low - room), std::min(1.0, high + room), kCurveBottom, kCurveTop},
          first,
          last};
}

std::string draw_curve_axes(const PanelCurve& requested, const CurveScales& scales) {
  std::string parts;
  for (const double value : chart::round_values(scales.y.low, scales.y.high, 5)) {
    const double y = chart::place(scales.y, value);
    parts += svg::line({kCurveLeft, y}, {kCurveRight, y}, {kFaint, 1});
    parts += svg::text({kCurveLeft - 6, y + 4}, svg::number(value), {12, kSoft, svg::Anchor::end});
  }
  const int step = std::max(1, (scales.last - scales.first + 12) / 12);
  for (int size = scales.first; size <= scales.last; size += step)
    parts += svg::text({chart::place(scales.x, size), kCurveBottom + 17}, std::to_string(size),
                       {12, kSoft, svg::Anchor::middle});
  parts += svg::text({(kCurveLeft + kCurveRight) / 2, kCurveBottom + 36}, requested.x_name,
                     {12, kSoft, svg::Anchor::middle});
  return parts + svg::text({kCurveLeft - 6, kCurveTop - 10}, requested.y_name, {12, kSoft, svg::Anchor::end});
}

std::string draw_panel_line(const PanelLine& line, const CurveScales& scales, std::size_t number) {
  const svg::Stroke& stroke = kCurveStrokes[number % kCurveStrokes.size()];
  const double aside = number == 0 ? -3 : 3;
  std::vector<svg::Point> points;
  std::string parts;
  for (const PanelPoint& point : line.points) {
    const double x = chart::place(scales.x, point.raters) + aside;
    points.push_back({x, chart::place(scales.y, point.median)});
    parts += svg::line({x, chart::place(scales.y, point.low)}, {x, chart::place(scales.y, point.high)},
                       {stroke.colour, 1.4});
    parts += svg::dot(points.back(), 3.6, stroke.colour);
  }
  return parts + (points.size() > 1 ? svg::polyline(points, stroke) : "");
}

std::string draw_curve_key(const PanelCurve& requested) {
  std::string parts;
  double x = kCurveLeft;
  for (std::size_t l = 0; l < requested.lines.size(); ++l) {
    parts += svg::line({x, kCurveBottom + 58}, {x + 24, kCurveBottom + 58},
                       kCurveStrokes[l % kCurveStrokes.size()]);
    parts += svg::text({x + 30, kCurveBottom + 62}, requested.lines[l].name, {12, kInk});
    x += 54 + svg::text_width(requested.lines[l].name, 12);
  }
  return parts;
}

}  // namespace

std::string draw_panel_curve(const PanelCurve& requested) {
  const CurveScales scales = scales_of(requested);
  std::string parts = svg::text({14, 25}, requested.title, {15, kInk, svg::Anchor::start, "600"});
  parts += draw_curve_axes(requested, scales);
  for (std::size_t l = 0; l < requested.lines.size(); ++l)
    parts += draw_panel_line(requested.lines[l], scales, l);
  return svg::picture(kCurveWidth, kCurveBottom + 76, requested.title, parts + draw_curve_key(requested));
}

}  // namespace crema::plot
