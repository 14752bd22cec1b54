// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "figure/contour.h"
#include "figure/panel.h"

/// What lies beneath the lines of a panel.
namespace crema::plot {

/// How dark a voxel is that so many raters marked, or that lies so far from them; for shade(). Under contours
/// it is lighter, so that these are seen.
double vote_shade(int votes, int raters, Show show);
double distance_shade(int distance, int largest);

/// The colours of what a step of a search tried, and of what it held.
std::string state_colour(State state);

/// The paint of a panel; nothing where contours lie on an image.
std::string shading(const Panel& panel, const Style& style, const Drawing& drawing);

/// The number that belongs into a cell, and the shade it stands on; below 0: none.
struct CellNumber {
  int value = -1;
  double shade = 0;
};

CellNumber number_in(const Panel& panel, const Style& style, std::size_t cell);

}  // namespace crema::plot
