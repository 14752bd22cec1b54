// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

/// Estimates below each other, each with its interval.
namespace crema::plot {

struct ForestRow {
  std::string name;
  double value = 0;
  std::optional<double> low = {}, high = {};  ///< of its interval; none: it is not known
  std::string words = {};                     ///< the same in numbers, at the right
};

struct Forest {
  std::string title, x_name;
  std::vector<ForestRow> rows;
  double reference = 0;  ///< pointed out by a line: no effect
};

/// A picture on its own paper: a mark and a bar for each row. At least one row.
std::string draw_forest(const Forest& requested);

}  // namespace crema::plot
