// SPDX-License-Identifier: Apache-2.0
#include "plot/figure.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "plot/contour.h"
#include "plot/legend.h"
#include "plot/palette.h"

namespace crema::plot {
namespace {

constexpr double kMargin = 24, kBetween = 26, kHead = 26, kLargestCell = 44;

struct Room {
  double width, height;
};

/// What there is for one panel, by how many stand side by side.
Room room_for(std::size_t panels) {
  constexpr std::array<Room, kPanelsPerRow> rooms{{{660, 620}, {460, 460}, {340, 360}, {270, 300}}};
  return rooms[std::min(panels, kPanelsPerRow) - 1];
}

double scale_of(const View& view, const Room& room) {
  const double cell = std::min(view.spacing[0], view.spacing[1]);
  return std::min({room.width / (view.columns() * view.spacing[0]),
                   room.height / (view.rows() * view.spacing[1]), kLargestCell / cell});
}

ColourBar vote_bar(int raters, Show show) {
  ColourBar bar{.shades = {}, .numbers = {}, .words = raters == 1 ? "rater marked it" : "raters marked it"};
  for (int n = 1; n <= raters; ++n) bar.shades.push_back(vote_shade(n, raters, show));
  for (int n = 1; n <= raters; ++n) bar.numbers.push_back(std::to_string(n));
  if (raters > 12) bar.numbers = {"1", std::to_string(raters)};
  return bar;
}

ColourBar distance_bar(int largest) {
  ColourBar bar{.shades = {}, .numbers = {}, .words = "total distance to the raters, in steps"};
  for (int d = 0; d <= largest; ++d) bar.shades.push_back(distance_shade(d, largest));
  for (int d = 0; d <= largest; ++d) bar.numbers.push_back(std::to_string(d));
  if (largest > 11) bar.numbers = {"0", std::to_string(largest)};
  return bar;
}

ColourBar level_bar() {
  ColourBar bar{.shades = {}, .numbers = {"0", "1"}, .words = "level of the consensus"};
  for (int n = 0; n <= 60; ++n) bar.shades.push_back(n / 60.0);
  return bar;
}

std::vector<LegendItem> legend_of(const Figure& figure) {
  const Show show = figure.style.show;
  const bool beneath = !figure.panels.front().backdrop.empty();
  std::vector<LegendItem> items;
  ColourBar bar = show == Show::levels      ? level_bar()
                  : show == Show::subcrowns ? distance_bar(figure.style.largest_distance)
                                            : vote_bar(figure.style.reduction->raters, show);
  bar.opacity = beneath ? kVeil : 1;
  if (show != Show::contours || !beneath) items.push_back(bar_item(bar));
  if (show == Show::contours)
    for (std::size_t k = 0; k < figure.raters.size(); ++k)
      items.push_back(line_item(rater_stroke(static_cast<int>(k), 2.2), svg::shortened(figure.raters[k], 40),
                                {{"data-rater", std::to_string(k + 1)}}));
  if (show == Show::subcrowns) items.push_back(line_item({kFaint, 1.4}, "between subcrowns"));
  if (show == Show::levels) items.push_back(line_item({kSoft, 1.2, "3 2"}, "what any rater drew"));
  if (!figure.panels.front().consensus.empty())
    items.push_back(line_item({kInk, 3.2}, show == Show::levels ? "level one half" : figure.consensus));
  return items;
}

/// Panels that share a row, as tall as the tallest.
struct Row {
  double height = 0;
  std::string parts;
};

Row draw_row(std::span<const Panel> panels, const Style& style, const Room& room, double slot) {
  Row row;
  for (std::size_t n = 0; n < panels.size(); ++n) {
    const Panel& panel = panels[n];
    const double scale = scale_of(panel.view, room);
    const double head = panel.title.empty() ? 0 : kHead;
    const std::string title = panel.title.empty() ? ""
                                                  : svg::text({0, 13}, svg::shortened(panel.title, 44),
                                                              {14, kInk, svg::Anchor::start, "600"});
    const std::string body = svg::group({{"transform", fmt::format("translate(0 {})", svg::number(head))},
                                         {"class", "picture"},
                                         {"data-scale", fmt::format("{:.9g}", scale)}},
                                        draw_panel(panel, style, scale));
    const double left = kMargin + static_cast<double>(n) * (slot + kBetween);
    row.parts += svg::group(
        {{"class", "panel"}, {"transform", fmt::format("translate({} 0)", svg::number(left))}}, title + body);
    row.height = std::max(row.height, head + panel.view.rows() * panel.view.spacing[1] * scale + kFootHeight);
  }
  return row;
}

}  // namespace

std::string draw_figure(Figure figure) {
  for (const Panel& panel : figure.panels)
    figure.style.largest_distance =
        std::max(figure.style.largest_distance, largest_distance(*figure.style.reduction, panel));
  const std::size_t across = std::min(figure.panels.size(), kPanelsPerRow);
  const Room room = room_for(across);
  double slot = across == 1 ? 420 : 200;
  for (const Panel& panel : figure.panels)
    slot = std::max(slot, panel.view.columns() * panel.view.spacing[0] * scale_of(panel.view, room));
  const double width = 2 * kMargin + static_cast<double>(across) * (slot + kBetween) - kBetween;
  double y = kMargin;
  std::string parts;
  for (std::size_t first = 0; first < figure.panels.size(); first += across) {
    const auto panels =
        std::span(figure.panels).subspan(first, std::min(across, figure.panels.size() - first));
    const Row row = draw_row(panels, figure.style, room, slot);
    parts += svg::group({{"transform", fmt::format("translate(0 {})", svg::number(y))}}, row.parts);
    y += row.height + 12;
  }
  const Legend legend = lay_out(legend_of(figure), width - 2 * kMargin);
  parts += svg::group({{"transform", fmt::format("translate({} {})", svg::number(kMargin), svg::number(y))}},
                      legend.parts);
  return svg::picture(width, y + legend.height + kMargin - 8, figure.title, parts, {kWhite, 0});
}

}  // namespace crema::plot
