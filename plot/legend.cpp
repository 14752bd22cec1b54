// SPDX-License-Identifier: Apache-2.0
#include "plot/legend.h"

#include <algorithm>

#include <fmt/format.h>

#include "plot/palette.h"

namespace crema::plot {
namespace {

constexpr double kLetters = 13, kItemGap = 26, kLine = 24;

std::string box(double left, double width, const std::string& colour, double opacity) {
  return svg::area(
      fmt::format("M{} -12h{}v16h-{}z", svg::number(left), svg::number(width), svg::number(width)), colour,
      opacity);
}

LegendItem boxes(const ColourBar& bar) {
  constexpr double wide = 22;
  LegendItem item;
  for (std::size_t i = 0; i < bar.shades.size(); ++i) {
    item.parts += box(item.width, wide, shade(bar.shades[i]), bar.opacity);
    item.parts += svg::text({item.width + wide / 2, 0}, bar.numbers[i],
                            {11, bar.opacity < 1 ? kInk : ink_on_shade(bar.shades[i]), svg::Anchor::middle});
    item.width += wide;
  }
  return item;
}

/// Each shade reaches to the end, so that no seams are seen.
LegendItem band(const ColourBar& bar) {
  constexpr double wide = 150;
  LegendItem item;
  item.width = svg::text_width(bar.numbers.front(), 12) + 5;
  item.parts = svg::text({0, 0}, bar.numbers.front(), {12, kInk});
  const double step = wide / static_cast<double>(bar.shades.size());
  std::string parts;
  for (std::size_t i = 0; i < bar.shades.size(); ++i) {
    const double left = step * static_cast<double>(i);
    parts += box(item.width + left, wide - left, shade(bar.shades[i]), 1);
  }
  item.parts += svg::group({{"opacity", svg::number(bar.opacity)}}, parts);
  item.parts += svg::path(
      fmt::format("M{} -12h{}v16h-{}z", svg::number(item.width), svg::number(wide), svg::number(wide)),
      {kFaint, 0.8});
  item.parts += svg::text({item.width + wide + 5, 0}, bar.numbers.back(), {12, kInk});
  item.width += wide + 5 + svg::text_width(bar.numbers.back(), 12);
  return item;
}

}  // namespace

LegendItem line_item(const svg::Stroke& stroke, const std::string& words, const svg::Marks& marks) {
  constexpr double long_enough = 34;
  svg::Marks all{{"class", "legend"}};
  all.insert(all.end(), marks.begin(), marks.end());
  return {long_enough + 7 + svg::text_width(words, kLetters),
          svg::path(fmt::format("M0 -4h{}", long_enough), stroke, all) +
              svg::text({long_enough + 7, 0}, words, {kLetters, kInk})};
}

LegendItem patch_item(const std::string& colour, const std::string& words) {
  constexpr double wide = 22;
  return {wide + 7 + svg::text_width(words, kLetters),
          box(0, wide, colour, 1) + svg::text({wide + 7, 0}, words, {kLetters, kInk})};
}

double width_of(const std::vector<LegendItem>& items) {
  double width = 0;
  for (const LegendItem& item : items) width = std::max(width, item.width);
  return width;
}

LegendItem bar_item(const ColourBar& bar) {
  LegendItem item = bar.shades.size() == bar.numbers.size() ? boxes(bar) : band(bar);
  item.parts += svg::text({item.width + 8, 0}, bar.words, {kLetters, kInk});
  item.width += 8 + svg::text_width(bar.words, kLetters);
  item.parts = svg::group({{"class", "colour-bar"}}, item.parts);
  return item;
}

Legend lay_out(const std::vector<LegendItem>& items, double width) {
  Legend legend;
  double x = 0, y = 14;
  for (const LegendItem& item : items) {
    if (x > 0 && x + item.width > width) x = 0, y += kLine;
    legend.parts += svg::group(
        {{"transform", fmt::format("translate({} {})", svg::number(x), svg::number(y))}}, item.parts);
    x += item.width + kItemGap;
  }
  legend.height = items.empty() ? 0 : y + 8;
  return legend;
}

}  // namespace crema::plot
