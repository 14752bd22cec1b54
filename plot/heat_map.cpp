// SPDX-License-Identifier: Apache-2.0
#include "plot/heat_map.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "plot/chart.h"
#include "plot/palette.h"

namespace crema::plot {
namespace {

constexpr double kMapWidth = 1160, kMapTop = 70, kBandGap = 26, kNarrowest = 8, kWidest = 60;
constexpr std::size_t kShades = 16, kNameLetters = 20;

struct Layout {
  double left = 0, cell = 0, row = 0;
  std::size_t in_band = 1, bands = 1;

  [[nodiscard]] double band(std::size_t rows) const { return row * static_cast<double>(rows) + kBandGap; }
};

Layout lay_out(const HeatMap& map) {
  Layout layout;
  double names = 40;
  for (const std::string& name : map.rows)
    names = std::max(names, svg::text_width(svg::shortened(name, kNameLetters), 12));
  layout.left = names + 26;
  const double room = kMapWidth - layout.left - 16;
  const auto columns = static_cast<double>(std::max<std::size_t>(1, map.columns.size()));
  layout.cell = std::clamp(std::floor(room / columns), kNarrowest, kWidest);
  layout.in_band = std::max<std::size_t>(1, static_cast<std::size_t>(room / layout.cell));
  layout.bands = (map.columns.size() + layout.in_band - 1) / layout.in_band;
  layout.row = map.rows.size() > 16 ? 12 : map.columns.size() > 400 ? 14 : 18;
  return layout;
}

/// From 0, almost white, to 1; the palest is a little darker than paper, so that it is seen to be there.
double darkness(const HeatMap& map, double value) {
  const double range = map.darkest - map.palest;
  const double share = range == 0 ? 0 : std::clamp((value - map.palest) / range, 0.0, 1.0);
  return 0.12 + 0.88 * std::round(share * (kShades - 1)) / (kShades - 1);
}

std::string box(double x, double y, double width, double height) {
  return fmt::format("M{} {}h{}v{}h-{}z", svg::number(x), svg::number(y), svg::number(width),
                     svg::number(height), svg::number(width));
}

/// All cells of a colour are one path, which keeps thousands of them small.
std::string draw_cells(const HeatMap& map, const Layout& layout) {
  std::array<std::string, kShades> data;
  std::string nothing;
  for (std::size_t c = 0; c < map.columns.size(); ++c) {
    const double x = layout.left + layout.cell * static_cast<double>(c % layout.in_band);
    const std::size_t band = c / layout.in_band;
    const double top = kMapTop + layout.band(map.rows.size()) * static_cast<double>(band);
    for (std::size_t r = 0; r < map.rows.size(); ++r) {
      const double y = top + layout.row * static_cast<double>(r), value = map.columns[c].cells[r];
      if (std::isnan(value))
        nothing += box(x + layout.cell / 2 - 1, y + layout.row / 2 - 1, 2, 2);
      else
        data[static_cast<std::size_t>(std::lround((darkness(map, value) - 0.12) / 0.88 * (kShades - 1)))] +=
            box(x, y, layout.cell - 1, layout.row - 1);
    }
  }
  std::string parts;
  for (std::size_t s = 0; s < kShades; ++s)
    if (!data[s].empty())
      parts += svg::area(data[s], shade(0.12 + 0.88 * static_cast<double>(s) / (kShades - 1)));
  return svg::group({{"class", "cells"}}, parts) + (nothing.empty() ? "" : svg::area(nothing, kSoft));
}

std::string draw_bands(const HeatMap& map, const Layout& layout) {
  std::string parts;
  for (std::size_t b = 0; b < layout.bands; ++b) {
    const double top = kMapTop + layout.band(map.rows.size()) * static_cast<double>(b);
    for (std::size_t r = 0; r < map.rows.size(); ++r)
      parts += svg::text({layout.left - 8, top + layout.row * (static_cast<double>(r) + 0.5) + 4},
                         svg::shortened(map.rows[r], kNameLetters),
                         {layout.row < 14 ? 10.0 : 12.0, kInk, svg::Anchor::end});
  }
  return parts;
}

/// A tooltip describes each column, also where no script runs.
std::string draw_columns(const HeatMap& map, const Layout& layout) {
  std::string parts;
  for (std::size_t c = 0; c < map.columns.size(); ++c) {
    const double x = layout.left + layout.cell * static_cast<double>(c % layout.in_band);
    const std::size_t band = c / layout.in_band;
    const double top = kMapTop + layout.band(map.rows.size()) * static_cast<double>(band);
    parts += fmt::format("<g class=\"column\" data-key=\"{}\"><title>{}</title>",
                         svg::escaped(map.columns[c].key), svg::escaped(map.columns[c].name));
    parts += svg::area(box(x, top, layout.cell - 1, layout.row * static_cast<double>(map.rows.size()) - 1),
                       "transparent") +
             "</g>";
  }
  return parts;
}

std::string draw_key(const HeatMap& map) {
  const double left = 14, step = 13;
  std::string parts;
  const std::string first = fmt::format("{:.2f}", map.palest), last = fmt::format("{:.2f}", map.darkest);
  double x = left + svg::text_width(map.measure, 12) + 12;
  parts += svg::text({left, 50}, map.measure, {12, kSoft}) + svg::text({x, 50}, first, {12, kInk});
  x += svg::text_width(first, 12) + 6;
  std::string shades;
  for (std::size_t s = 0; s < kShades; ++s)
    shades += svg::area(box(x + step * static_cast<double>(s), 39, step, 13),
                        shade(0.12 + 0.88 * static_cast<double>(s) / (kShades - 1)));
  parts += svg::group({{"class", "cells"}}, shades);
  x += step * kShades + 6;
  parts += svg::text({x, 50}, last, {12, kInk});
  return parts + svg::text({x + svg::text_width(last, 12) + 22, 50}, "· no mask", {12, kSoft});
}

}  // namespace

std::string draw_heat_map(const HeatMap& map) {
  const Layout layout = lay_out(map);
  const double height =
      kMapTop + layout.band(map.rows.size()) * static_cast<double>(layout.bands) - kBandGap + 16;
  return svg::picture(kMapWidth, height, map.title,
                      svg::text({14, 25}, map.title, {15, kInk, svg::Anchor::start, "600"}) + draw_key(map) +
                          draw_cells(map, layout) + draw_bands(map, layout) + draw_columns(map, layout));
}

}  // namespace crema::plot
