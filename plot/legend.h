// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "plot/svg.h"

namespace crema::plot {

/// A thing that a legend explains: drawn from the origin on, `width` wide, around the height of letters that
/// stand on y = 0.
struct LegendItem {
  double width = 0;
  std::string parts;
};

/// A line and what it stands for.
LegendItem line_item(const svg::Stroke& stroke, const std::string& words, const svg::Marks& marks = {});

/// A patch of colour and what it stands for.
LegendItem patch_item(const std::string& colour, const std::string& words);

/// Shades and what they stand for. With few values each has its box and its number; with many it is one band
/// with numbers at its ends.
struct ColourBar {
  std::vector<double> shades;        ///< as in shade(), from left to right
  std::vector<std::string> numbers;  ///< one per shade, or two for the ends of a band
  std::string words;
  double opacity = 1;
};

LegendItem bar_item(const ColourBar& bar);

/// Items side by side, in as many lines as they need.
struct Legend {
  double height = 0;
  std::string parts;
};

/// As much as the widest item needs.
double width_of(const std::vector<LegendItem>& items);

Legend lay_out(const std::vector<LegendItem>& items, double width);

}  // namespace crema::plot
