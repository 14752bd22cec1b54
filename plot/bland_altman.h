// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace crema::plot {

/// One rater of one case: the mean of all raters, and the rater less that.
struct AgreementPoint {
  double mean = 0, difference = 0;
  std::size_t rater = 0;
};

struct AgreementPlot {
  std::string title, x_name, y_name;
  std::vector<AgreementPoint> points;
  double limit = 0;  ///< lines are drawn at 0 and at ± this
  std::vector<std::string> raters;
};

/// A picture on its own paper: every point, the limits of agreement, and the raters by their colours.
std::string draw_agreement(const AgreementPlot& requested);

}  // namespace crema::plot
