// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "figure/plane.h"
#include "plot/svg.h"

/// Contours of masks along the edges of their cells.
namespace crema::plot {

/// A corner of cells: (0,0) is the upper left one of the plane.
struct Corner {
  int x = 0, y = 0;

  friend bool operator==(const Corner&, const Corner&) = default;
};

/// A closed way along edges, without its first corner again; corners are where it turns. What is inside lies
/// to the right of the way, so that outer loops go clockwise and holes counter-clockwise.
using Loop = std::vector<Corner>;

/// All loops around the cells that are not zero. Cells that touch at a corner alone have loops of their own.
std::vector<Loop> trace_contours(const Plane<std::uint8_t>& mask);

/// How a loop comes onto the paper: the size of a cell, and how far it is moved inwards.
struct Drawing {
  svg::Point origin = {};
  double cell_width = 1, cell_height = 1;
  double inset = 0;  ///< in units of the paper; below 0 outwards
};

std::vector<svg::Point> drawn(const Loop& loop, const Drawing& drawing);

/// All loops as the data of one path.
std::string path_data(const std::vector<Loop>& loops, const Drawing& drawing);

/// How contours that coincide are set side by side.
struct Lanes {
  double rater_width = 1.4, consensus_width = 3;
  std::vector<double> insets;  ///< one per rater; the consensus has none
};

/// Lanes for as many raters beside one line that stays where it is: all inside it where there is room, else
/// on both sides; never more than 0.45 of a cell away, so that no loop crosses itself.
Lanes lanes_for(int raters, double cell);

}  // namespace crema::plot
