// SPDX-License-Identifier: Apache-2.0
#include "figure/figure.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "crema/counts/problem.h"
#include "figure/contour.h"
#include "figure/shading.h"
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

ColourBar step_bar(int most) {
  ColourBar bar = distance_bar(most);
  bar.words = "distance to the rater, in steps";
  return bar;
}

bool any_shows(const Figure& figure, Show show) {
  return std::any_of(figure.panels.begin(), figure.panels.end(),
                     [&](const Panel& panel) { return panel.show == show; });
}

void add_bars(const Figure& figure, std::vector<LegendItem>& items) {
  const bool beneath = !figure.panels.front().backdrop.empty();
  const auto add = [&](Show show, ColourBar bar) {
    if (!any_shows(figure, show) || (show == Show::contours && beneath)) return;
    bar.opacity = beneath ? kVeil : 1;
    items.push_back(bar_item(bar));
  };
  const int raters = figure.panels.front().raters;
  add(Show::contours, vote_bar(raters, Show::contours));
  add(Show::votes, vote_bar(raters, Show::votes));
  add(Show::levels, level_bar());
  add(Show::distance, step_bar(figure.style.most_steps));
  add(Show::subcrowns, distance_bar(figure.style.largest_distance));
}

/// Those who drew nothing on what is shown are marked.
void add_raters(const Figure& figure, std::vector<LegendItem>& items) {
  if (std::none_of(figure.panels.begin(), figure.panels.end(), draws_raters)) return;
  Raters present = 0;
  std::vector<std::string> places;
  for (const Panel& panel : figure.panels) {
    for (const Cell& cell : panel.cells.values)
      if (cell.component >= 0) present |= cell.raters;
    if (std::find(places.begin(), places.end(), panel.place) == places.end()) places.push_back(panel.place);
  }
  const std::string_view absent = places.size() > 1        ? " (not on these slices)"
                                  : places.front().empty() ? " (drew nothing here)"
                                                           : " (not on this slice)";
  for (std::size_t k = 0; k < figure.raters.size(); ++k) {
    const bool here = (present >> k & 1U) != 0;
    items.push_back(line_item(rater_stroke(static_cast<int>(k), 2.2),
                              svg::shortened(figure.raters[k], 40) + std::string(here ? "" : absent),
                              {{"data-rater", std::to_string(k + 1)}}));
  }
}

std::vector<LegendItem> legend_of(const Figure& figure) {
  std::vector<LegendItem> items;
  add_bars(figure, items);
  if (any_shows(figure, Show::step)) {
    items.push_back(patch_item(state_colour(State::in), "in the consensus"));
    items.push_back(patch_item(state_colour(State::removed), "tried: removed"));
    items.push_back(patch_item(state_colour(State::kept), "tried: kept"));
    items.push_back(patch_item(state_colour(State::out), "removed before"));
  }
  add_raters(figure, items);
  if (any_shows(figure, Show::subcrowns)) items.push_back(line_item({kFaint, 1.4}, "between subcrowns"));
  if (any_shows(figure, Show::levels))
    items.push_back(line_item({kSoft, 1.2, "3 2"}, "what any rater marked"));
  for (const ConsensusLine& line : figure.consensus)
    items.push_back(line_item({line.colour, 3.2}, svg::shortened(line.words, 40)));
  return items;
}

/// As much of a title as fits.
std::string fitted(const std::string& title, double width) {
  std::string text = title;
  for (std::size_t letters = title.size(); letters > 8 && svg::text_width(text, 14) > width; --letters)
    text = svg::shortened(title, letters);
  return text;
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
                                                  : svg::text({0, 13}, fitted(panel.title, slot),
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

/// As wide as the widest panel and what stands above and below it need.
double slot_of(const Figure& figure, const Room& room, std::size_t across) {
  double slot = across == 1 ? 420 : 200;
  for (const Panel& panel : figure.panels) {
    slot = std::max(slot, panel.view.columns() * panel.view.spacing[0] * scale_of(panel.view, room));
    if (across > 1) slot = std::max(slot, svg::text_width(panel.place, 12));
    if (across > 1) slot = std::max(slot, std::min(svg::text_width(panel.title, 14), room.width + 60));
  }
  return slot;
}

}  // namespace

std::string draw_figure(Figure figure) {
  for (const Panel& panel : figure.panels) {
    figure.style.largest_distance = std::max(figure.style.largest_distance, largest_distance(panel));
    figure.style.most_steps = std::max(figure.style.most_steps, most_steps(panel));
  }
  const std::size_t across = std::clamp<std::size_t>(figure.across, 1, kPanelsPerRow);
  const Room room = room_for(across);
  const double slot = slot_of(figure, room, across);
  const std::vector<LegendItem> items = legend_of(figure);
  const double width =
      2 * kMargin + std::max(static_cast<double>(across) * (slot + kBetween) - kBetween, width_of(items));
  double y = kMargin;
  std::string parts;
  for (std::size_t first = 0; first < figure.panels.size(); first += across) {
    const auto panels =
        std::span(figure.panels).subspan(first, std::min(across, figure.panels.size() - first));
    const Row row = draw_row(panels, figure.style, room, slot);
    parts += svg::group({{"transform", fmt::format("translate(0 {})", svg::number(y))}}, row.parts);
    y += row.height + 12;
  }
  const Legend legend = lay_out(items, width - 2 * kMargin);
  parts += svg::group({{"transform", fmt::format("translate({} {})", svg::number(kMargin), svg::number(y))}},
                      legend.parts);
  return svg::picture(width, y + legend.height + kMargin - 8, figure.title, parts, {kWhite, 0});
}

}  // namespace crema::plot
