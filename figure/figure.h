// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "figure/panel.h"

namespace crema::plot {

/// A consensus in the legend.
struct ConsensusLine {
  std::string words;
  std::string colour = std::string(kInk);
};

/// Panels in rows, with one legend.
struct Figure {
  std::string title;                     ///< for those who cannot see it
  std::vector<std::string> raters;       ///< what the legend calls them
  std::vector<ConsensusLine> consensus;  ///< in each colour that panels have
  Style style;                           ///< its largest distances are filled in here
  std::vector<Panel> panels;
  std::size_t across = 1;  ///< panels that stand side by side, up to kPanelsPerRow
};

/// All of it as SVG, to scale: each panel of the same view has the same scale.
std::string draw_figure(Figure figure);

/// Panels that stand side by side before a new row begins.
inline constexpr std::size_t kPanelsPerRow = 4;

}  // namespace crema::plot
