// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

/// A table of numbers as colours: many columns in bands below each other, so that each stays wide enough to
/// be pointed at.
namespace crema::plot {

struct HeatColumn {
  std::string name;           ///< shown to whoever points at it, with what stands in it
  std::string key;            ///< for programs, as data-key
  std::vector<double> cells;  ///< one for each row; NaN: there is none
};

struct HeatMap {
  std::string title;
  std::string measure;             ///< what the colours are
  double palest = 1, darkest = 0;  ///< its values at both ends of the colours
  std::vector<std::string> rows;
  std::vector<HeatColumn> columns;
};

std::string draw_heat_map(const HeatMap& map);

}  // namespace crema::plot
