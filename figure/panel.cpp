// SPDX-License-Identifier: Apache-2.0
#include "figure/panel.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "crema/counts/problem.h"
#include "figure/contour.h"
#include "figure/shading.h"
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
    parts += shading(panel_, style_, drawing_);
    if (draws_raters(panel_)) parts += rater_contours();
    for (const Layer layer : {Layer::halo, Layer::line})
      for (std::size_t n = 0; n < panel_.consensus.size(); ++n) parts += consensus_contour(n, layer);
    if (cell_ >= 12) parts += numbers();
    parts += notes() + letters();
    return parts + svg::path(frame_data(), {kFaint, 1});
  }

 private:
  [[nodiscard]] std::string frame_data() const {
    return fmt::format("M0 0H{}V{}H0z", svg::number(width_), svg::number(height_));
  }

  [[nodiscard]] std::string rater_contours() {
    const Lanes lanes = lanes_for(panel_.raters, cell_);
    std::string parts;
    for (int k = 0; k < panel_.raters; ++k) {
      if (panel_.rater >= 0 && panel_.rater != k) continue;
      const auto loops = trace_contours(mapped(panel_.cells, [&](const Cell& cell) {
        return static_cast<std::uint8_t>(cell.component >= 0 && (cell.raters >> k & 1U) != 0 ? 1 : 0);
      }));
      drawing_.inset = panel_.rater >= 0 ? 0 : lanes.insets[static_cast<std::size_t>(k)];
      const svg::Stroke stroke = rater_stroke(k, panel_.rater >= 0 ? 2.2 : lanes.rater_width);
      const std::string data = path_data(loops, drawing_);
      if (panel_.show != Show::contours) parts += svg::path(data, {kWhite, stroke.width + 1.2});
      parts += svg::path(data, stroke,
                         {{"class", "rater"},
                          {"data-rater", std::to_string(k + 1)},
                          {"data-inset", svg::number(drawing_.inset)}});
      drawing_.inset = 0;
    }
    return parts;
  }

  enum class Layer : std::uint8_t { halo, line };

  /// White around the line, so that it is seen on whatever lies beneath. Several lines lie side by side.
  [[nodiscard]] std::string consensus_contour(std::size_t n, Layer layer) const {
    const Outline& outline = panel_.consensus[n];
    const auto loops = trace_contours(
        mapped(outline.levels, [](float level) { return static_cast<std::uint8_t>(level > 0.5F ? 1 : 0); }));
    const auto count = static_cast<double>(panel_.consensus.size());
    const double most = lanes_for(panel_.raters, cell_).consensus_width;
    const double apart = std::min(2.8, 0.9 * cell_ / count);
    const double width = count > 1 ? std::clamp(apart - 0.4, 1.0, most) : most;
    Drawing moved = drawing_;
    moved.inset = apart * (static_cast<double>(n) - (count - 1) / 2);
    const std::string data = path_data(loops, moved);
    if (layer == Layer::line)
      return svg::path(data, {outline.colour, width},
                       {{"class", "consensus"}, {"data-inset", svg::number(moved.inset)}});
    std::string parts;
    if (!panel_.backdrop.empty() || panel_.show != Show::contours)
      parts += svg::path(data, {kWhite, width + (outline.colour == kInk || count > 1 ? 1.6 : 2.8)});
    // A label's colour may be as light as the paper.
    if (outline.colour != kInk && count == 1) parts += svg::path(data, {kInk, width + 1.2});
    return parts;
  }

  [[nodiscard]] std::string numbers() const {
    std::string parts;
    const auto& cells = panel_.cells;
    for (std::size_t i = 0; i < cells.values.size(); ++i) {
      const CellNumber number = number_in(panel_, style_, i);
      if (number.value < 0) continue;
      const auto at = static_cast<int>(i);
      const int x = at % cells.width, y = at / cells.width;
      parts += svg::text({(x + 0.5) * drawing_.cell_width, (y + 0.5) * drawing_.cell_height + cell_ * 0.18},
                         std::to_string(number.value),
                         {cell_ * 0.5, ink_on_shade(number.shade), svg::Anchor::middle});
    }
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
  // A narrow panel has a bar that can be seen, too.
  const double length = bar_length(std::max(width, 150.0) / scale);
  const double end = length * scale;
  std::string parts = svg::path(fmt::format("M0 {0}H{1}", svg::number(y), svg::number(end)), {kInk, 3},
                                {{"class", "scale-bar"}, {"data-length", fmt::format("{:g}", length)}});
  const std::string size = fmt::format("{:g} {}", length, style.unit);
  parts += svg::text({end + 7, y + 4}, size, {12, kInk});
  const std::string& place = panel.place;
  const double free = width - end - 7 - svg::text_width(size, 12) - 12;
  const bool fits = svg::text_width(place, 12) <= free;
  return parts + svg::text(fits ? svg::Point{width, y + 4} : svg::Point{0, y + 20}, place,
                           {12, kSoft, fits ? svg::Anchor::end : svg::Anchor::start});
}

}  // namespace

int largest_distance(const Panel& panel) {
  int largest = 0;
  if (panel.show != Show::subcrowns) return largest;
  for (const Cell& cell : panel.cells.values)
    if (cell.component >= 0) largest = std::max(largest, cell.distance);
  return largest;
}

int most_steps(const Panel& panel) {
  return panel.steps.values.empty() ? 0
                                    : *std::max_element(panel.steps.values.begin(), panel.steps.values.end());
}

bool draws_raters(const Panel& panel) {
  return panel.show == Show::contours || panel.rater_lines || panel.rater >= 0;
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
