// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

/// How close consensuses of a few raters come to a consensus of others.
namespace crema::plot {

/// Panels of one size: the middle and the middle half of them.
struct PanelPoint {
  int raters = 0;
  double low = 0, median = 0, high = 0;
};

struct PanelLine {
  std::string name;
  std::vector<PanelPoint> points;  ///< of rising sizes
};

struct PanelCurve {
  std::string title, x_name, y_name;
  std::vector<PanelLine> lines;  ///< two at most
};

/// A picture on its own paper: medians joined by lines, with bars from quartile to quartile. At least one
/// point.
std::string draw_panel_curve(const PanelCurve& requested);

}  // namespace crema::plot
