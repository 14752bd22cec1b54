// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "plot/panel.h"

namespace crema::plot {

/// Panels in rows, with one legend.
struct Figure {
  std::string title;                ///< for those who cannot see it
  std::vector<std::string> raters;  ///< what the legend calls them
  std::string consensus;            ///< what the legend calls its line
  Style style;                      ///< its largest distance is filled in here
  std::vector<Panel> panels;
};

/// All of it as SVG, to scale: each panel of the same view has the same scale.
std::string draw_figure(Figure figure);

/// Panels that stand side by side before a new row begins.
inline constexpr std::size_t kPanelsPerRow = 4;

}  // namespace crema::plot
