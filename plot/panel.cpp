// SPDX-License-Identifier: Apache-2.0
#include "plot/panel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "plot/contour.h"
#include "plot/palette.h"

namespace crema::plot {
namespace {

/// One panel on its way onto the paper.
class Painter {
 public:
  Painter(const Panel& panel, const Style& style, double scale)
      : panel_(panel),
        style_(style),
        drawing_{.origin = {},
                 .cell_width = panel.view.spacing[0] * scale,
                 .cell_height = panel.view.spacing[1] * scale},
        width_(panel.view.columns() * drawing_.cell_width),
        height_(panel.view.rows() * drawing_.cell_height),
        cell_(std::min(drawing_.cell_width, drawing_.cell_height)) {}

  std::string draw() {
    std::string parts = svg::area(frame_data(), kWhite);
    if (!panel_.backdrop.empty()) parts += svg::embedded({0, 0}, width_, height_, panel_.backdrop);
    parts += paint();
    if (style_.show == Show::contours) parts += rater_contours();
    if (!panel_.consensus.empty()) parts += consensus_contour();
    if (style_.show == Show::subcrowns && cell_ >= 12) parts += distances();
    parts += notes() + letters();
    return parts + svg::path(frame_data(), {kFaint, 1});
  }

 private:
  [[nodiscard]] const Subcrown* row_of(const Cell& cell) const {
    if (cell.component < 0) return nullptr;
    return &style_.reduction->crowns[static_cast<std::size_t>(cell.component)].tally.rows[cell.row];
  }
  [[nodiscard]] std::string frame_data() const {
    return fmt::format("M0 0H{}V{}H0z", svg::number(width_), svg::number(height_));
  }

  /// How dark each cell is; below 0: not painted.
  [[nodiscard]] Plane<double> darkness() const {
    Plane<double> dark = mapped(panel_.cells, [&](const Cell& cell) {
      const Subcrown* row = row_of(cell);
      if (row == nullptr) return -1.0;
      if (style_.show == Show::subcrowns) return distance_shade(row->distance, style_.largest_distance);
      return vote_shade(std::popcount(row->raters), style_.reduction->raters, style_.show);
    });
    if (style_.show != Show::levels) return dark;
    for (std::size_t i = 0; i < dark.values.size(); ++i) {
      const double level = panel_.consensus.values[i];
      // 255 steps are more than the eye can tell apart.
      const double step = std::round(level * 255) / 255;
      dark.values[i] = step > 0 ? step : -1;
    }
    return dark;
  }

  /// Areas lie upon each other, the dark ones above, so that no seams are seen between them.
  [[nodiscard]] std::string paint() const {
    if (style_.show == Show::contours && !panel_.backdrop.empty()) return "";
    const Plane<double> dark = darkness();
    const std::set<double> steps(dark.values.begin(), dark.values.end());
    std::string parts;
    for (const double step : steps) {
      if (step < 0) continue;
      const auto loops = trace_contours(
          mapped(dark, [&](double d) { return static_cast<std::uint8_t>(d >= step ? 1 : 0); }));
      parts += svg::area(path_data(loops, drawing_), shade(step));
    }
    if (style_.show == Show::subcrowns) parts += borders();
    if (style_.show == Show::levels) parts += union_contour();
    svg::Marks marks{{"class", "paint"}};
    if (!panel_.backdrop.empty()) marks.emplace_back("opacity", svg::number(kVeil));
    return svg::group(marks, parts);
  }

  /// Where one subcrown ends and another begins.
  [[nodiscard]] std::string borders() const {
    std::string data;
    const auto& cells = panel_.cells;
    const auto apart = [&](const Cell& a, const Cell& b) {
      return a.component >= 0 && b.component >= 0 && !(a == b);
    };
    for (int y = 0; y < cells.height; ++y)
      for (int x = 0; x < cells.width; ++x) {
        const double left = x * drawing_.cell_width, top = y * drawing_.cell_height;
        if (x > 0 && apart(cells.at(x - 1, y), cells.at(x, y)))
          data += fmt::format("M{} {}v{}", svg::number(left), svg::number(top),
                              svg::number(drawing_.cell_height));
        if (y > 0 && apart(cells.at(x, y - 1), cells.at(x, y)))
          data +=
              fmt::format("M{} {}h{}", svg::number(left), svg::number(top), svg::number(drawing_.cell_width));
      }
    return svg::path(data, {kWhite, std::clamp(cell_ / 12, 0.4, 1.4)}, {{"class", "borders"}});
  }

  [[nodiscard]] std::string union_contour() const {
    const auto loops = trace_contours(mapped(panel_.cells, [](const Cell& cell) {
      return static_cast<std::uint8_t>(cell.component >= 0 ? 1 : 0);
    }));
    return svg::path(path_data(loops, drawing_), {kSoft, 0.9, "3 2"}, {{"class", "union"}});
  }

  [[nodiscard]] std::string rater_contours() {
    const Lanes lanes = lanes_for(style_.reduction->raters, cell_);
    std::string parts;
    for (int k = 0; k < style_.reduction->raters; ++k) {
      const auto loops = trace_contours(mapped(panel_.cells, [&](const Cell& cell) {
        const Subcrown* row = row_of(cell);
        return static_cast<std::uint8_t>(row != nullptr && (row->raters >> k & 1U) != 0 ? 1 : 0);
      }));
      drawing_.inset = lanes.insets[static_cast<std::size_t>(k)];
      parts += svg::path(path_data(loops, drawing_), rater_stroke(k, lanes.rater_width),
                         {{"class", "rater"},
                          {"data-rater", std::to_string(k + 1)},
                          {"data-inset", svg::number(drawing_.inset)}});
      drawing_.inset = 0;
    }
    return parts;
  }

  /// White around the line, so that it is seen on whatever lies beneath.
  [[nodiscard]] std::string consensus_contour() const {
    const auto loops = trace_contours(mapped(
        panel_.consensus, [](float level) { return static_cast<std::uint8_t>(level > 0.5F ? 1 : 0); }));
    const std::string data = path_data(loops, drawing_);
    const double width = lanes_for(style_.reduction->raters, cell_).consensus_width;
    std::string parts;
    if (!panel_.backdrop.empty() || style_.show != Show::contours)
      parts += svg::path(data, {kWhite, width + 1.6});
    return parts + svg::path(data, {kInk, width}, {{"class", "consensus"}});
  }

  [[nodiscard]] std::string distances() const {
    std::string parts;
    const auto& cells = panel_.cells;
    for (int y = 0; y < cells.height; ++y)
      for (int x = 0; x < cells.width; ++x)
        if (const Subcrown* row = row_of(cells.at(x, y)))
          parts +=
              svg::text({(x + 0.5) * drawing_.cell_width, (y + 0.5) * drawing_.cell_height + cell_ * 0.18},
                        std::to_string(row->distance),
                        {cell_ * 0.5, ink_on_shade(distance_shade(row->distance, style_.largest_distance)),
                         svg::Anchor::middle});
    return parts;
  }

  /// Below each component, or above it where there is no room below.
  [[nodiscard]] std::string notes() const {
    std::string parts;
    for (const auto& [component, words] : panel_.notes) {
      int left = panel_.cells.width, right = -1, top = panel_.cells.height, bottom = -1;
      for (int y = 0; y < panel_.cells.height; ++y)
        for (int x = 0; x < panel_.cells.width; ++x)
          if (panel_.cells.at(x, y).component == component) {
            left = std::min(left, x), right = std::max(right, x + 1);
            top = std::min(top, y), bottom = std::max(bottom, y + 1);
          }
      if (right < 0) continue;
      const double half = svg::text_width(words, 12) / 2 + 4;
      const double x =
          std::clamp((left + right) * drawing_.cell_width / 2, half, std::max(half, width_ - half));
      const double below = bottom * drawing_.cell_height + 14;
      const double y = below < height_ - 4 ? below : top * drawing_.cell_height - 6;
      parts += svg::text({x, y}, words, {12, kSoft, svg::Anchor::middle, "400", kWhite});
    }
    return parts;
  }

  /// Whether anybody drew within so many units of a place.
  [[nodiscard]] bool drawn_near(svg::Point place, double reach) const {
    const auto cells = [&](double from, double size, int most) {
      return std::clamp(static_cast<int>(std::floor(from / size)), 0, most - 1);
    };
    for (int y = cells(place.y - reach, drawing_.cell_height, panel_.cells.height);
         y <= cells(place.y + reach, drawing_.cell_height, panel_.cells.height); ++y)
      for (int x = cells(place.x - reach, drawing_.cell_width, panel_.cells.width);
           x <= cells(place.x + reach, drawing_.cell_width, panel_.cells.width); ++x)
        if (panel_.cells.at(x, y).component >= 0) return true;
    return false;
  }

  /// The middle of a letter that stands at an edge: halfway, or as near to that as nothing is drawn.
  [[nodiscard]] svg::Point letter_place(std::size_t edge) const {
    constexpr double inset = 10, reach = 8;
    const bool upright = edge < 2;  // the left and the right edge
    const double length = upright ? height_ : width_, across = upright ? width_ : height_;
    const double deep = edge % 2 == 0 ? inset : across - inset;
    const auto at = [&](double along) { return upright ? svg::Point{deep, along} : svg::Point{along, deep}; };
    for (int away = 0; away < length / 2 - 2 * inset; away += 4)
      for (const double along : {length / 2 - away, length / 2 + away})
        if (!drawn_near(at(along), reach)) return at(along);
    return at(length / 2);
  }

  [[nodiscard]] std::string letters() const {
    if (panel_.view.letters.empty() || width_ < 120 || height_ < 90) return "";
    std::string parts;
    for (std::size_t n = 0; n < 4; ++n) {
      const svg::Point middle = letter_place(n);
      parts += svg::text({middle.x, middle.y + 4}, panel_.view.letters.substr(n, 1),
                         {11, kSoft, svg::Anchor::middle, "600", kWhite});
    }
    return svg::group({{"class", "orientation"}}, parts);
  }

  const Panel& panel_;
  const Style& style_;
  Drawing drawing_;
  double width_, height_, cell_;
};

std::string foot(const Panel& panel, const Style& style, double scale) {
  const double width = panel.view.columns() * panel.view.spacing[0] * scale;
  const double y = panel.view.rows() * panel.view.spacing[1] * scale + 14;
  const double length = bar_length(width / scale);
  const double end = length * scale;
  std::string parts = svg::path(fmt::format("M0 {0}H{1}", svg::number(y), svg::number(end)), {kInk, 3},
                                {{"class", "scale-bar"}, {"data-length", fmt::format("{:g}", length)}});
  const std::string size = fmt::format("{:g} {}", length, style.unit);
  parts += svg::text({end + 7, y + 4}, size, {12, kInk});
  const std::string place = place_text(style.reduction->grid, panel.view);
  const double free = width - end - 7 - svg::text_width(size, 12) - 12;
  const bool fits = svg::text_width(place, 12) <= free;
  return parts + svg::text(fits ? svg::Point{width, y + 4} : svg::Point{0, y + 20}, place,
                           {12, kSoft, fits ? svg::Anchor::end : svg::Anchor::start});
}

}  // namespace

double vote_shade(int votes, int raters, Show show) {
  return 0.1 + (show == Show::contours ? 0.42 : 0.7) * votes / std::max(raters, 1);
}

double distance_shade(int distance, int largest) {
  return largest > 0 ? 0.78 - 0.68 * distance / largest : 0.78;
}

int largest_distance(const Reduction& reduction, const Panel& panel) {
  int largest = 0;
  for (const Cell& cell : panel.cells.values)
    if (cell.component >= 0)
      largest = std::max(
          largest, reduction.crowns[static_cast<std::size_t>(cell.component)].tally.rows[cell.row].distance);
  return largest;
}

double bar_length(double extent) {
  const double most = extent * 0.3;
  const double power = std::pow(10, std::floor(std::log10(most)));
  for (const double times : {5.0, 2.0})
    if (times * power <= most) return times * power;
  return power;
}

std::string draw_panel(const Panel& panel, const Style& style, double scale) {
  return Painter(panel, style, scale).draw() + foot(panel, style, scale);
}

}  // namespace crema::plot
