// SPDX-License-Identifier: Apache-2.0
#include "plot/cases/forest.h"

#include <algorithm>

#include "plot/chart.h"
#include "plot/palette.h"

namespace crema::plot {
namespace {

constexpr double kForestWidth = 640, kForestTop = 44, kForestRow = 24, kBetween = 14;
constexpr std::size_t kForestLetters = 22;

struct ForestLayout {
  chart::Scale x;
  double bottom = 0;
};

ForestLayout lay_out_forest(const Forest& requested) {
  double names = 40, words = 20, low = requested.reference, high = requested.reference;
  for (const ForestRow& row : requested.rows) {
    names = std::max(names, svg::text_width(svg::shortened(row.name, kForestLetters), 13));
    words = std::max(words, svg::text_width(row.words, 12));
    low = std::min({low, row.value, row.low.value_or(row.value)});
    high = std::max({high, row.value, row.high.value_or(row.value)});
  }
  const double room = high > low ? 0.04 * (high - low) : 1;
  return {{low - room, high + room, kBetween + names + kBetween, kForestWidth - kBetween - words - kBetween},
          kForestTop + kForestRow * static_cast<double>(requested.rows.size()) + 6};
}

std::string draw_forest_axis(const Forest& requested, const ForestLayout& layout) {
  std::string parts;
  for (const double value : chart::round_values(layout.x.low, layout.x.high, 5)) {
    const double x = chart::place(layout.x, value);
    parts += svg::line({x, kForestTop}, {x, layout.bottom}, {kFaint, 1});
    parts += svg::text({x, layout.bottom + 17}, svg::number(value), {12, kSoft, svg::Anchor::middle});
  }
  const double x = chart::place(layout.x, requested.reference);
  parts += svg::line({x, kForestTop}, {x, layout.bottom}, {kSoft, 1.4, "3 3"});
  return parts + svg::text({(layout.x.from + layout.x.to) / 2, layout.bottom + 36}, requested.x_name,
                           {12, kSoft, svg::Anchor::middle});
}

std::string draw_forest_row(const ForestRow& row, const ForestLayout& layout, double y) {
  std::string parts = svg::text({kBetween, y + 4}, svg::shortened(row.name, kForestLetters), {13, kInk});
  if (row.low && row.high)
    parts += svg::line({chart::place(layout.x, *row.low), y}, {chart::place(layout.x, *row.high), y},
                       {"#8a4b12", 3});
  parts += svg::dot({chart::place(layout.x, row.value), y}, 5, kInk);
  return parts + svg::text({kForestWidth - kBetween, y + 4}, row.words, {12, kInk, svg::Anchor::end});
}

}  // namespace

std::string draw_forest(const Forest& requested) {
  const ForestLayout layout = lay_out_forest(requested);
  std::string parts = svg::text({kBetween, 25}, requested.title, {15, kInk, svg::Anchor::start, "600"});
  parts += draw_forest_axis(requested, layout);
  for (std::size_t r = 0; r < requested.rows.size(); ++r)
    parts +=
        draw_forest_row(requested.rows[r], layout, kForestTop + kForestRow * (static_cast<double>(r) + 0.5));
  return svg::picture(kForestWidth, layout.bottom + 46, requested.title, parts);
}

}  // namespace crema::plot
