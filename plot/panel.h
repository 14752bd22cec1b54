// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "crema/reduction.h"
#include "plot/slice.h"
#include "plot/svg.h"

namespace crema::plot {

/// What a panel shows: every rater's contour, how many raters marked each voxel, the levels of a consensus,
/// or what each voxel's total distance is and where subcrowns end.
enum class Show : std::uint8_t { contours, votes, levels, subcrowns };

/// Part of a slice, with what is drawn on it.
struct Panel {
  std::string title;
  View view;
  Plane<Cell> cells = {};                          ///< of the view
  Plane<float> consensus = {};                     ///< levels; empty: none
  std::map<std::int32_t, std::string> notes = {};  ///< what to write beside a component
  std::string backdrop = {};  ///< a grey PNG of the view, to be seen beneath; empty: none
};

/// What all panels of a figure have in common.
struct Style {
  Show show = Show::contours;
  const Reduction* reduction = nullptr;
  std::string unit = "mm";   ///< of the spacing: "px" where the files do not say how large voxels are
  int largest_distance = 0;  ///< of all panels: what the colour bar ends with
};

/// How much of the raters' paint is seen over a backdrop.
inline constexpr double kVeil = 0.55;

/// The largest total distance that a panel shows.
int largest_distance(const Reduction& reduction, const Panel& panel);

/// How dark a voxel is that so many raters marked, or that lies so far from them; for shade(). Under contours
/// it is lighter, so that these are seen.
double vote_shade(int votes, int raters, Show show);
double distance_shade(int distance, int largest);

/// A round length, 1, 2 or 5 times a power of ten, that makes a good scale bar under so much.
double bar_length(double extent);

/// One panel without its title: `scale` is units of the paper per unit of length. Its upper left corner is
/// at the origin; the scale bar and the place of the slice stand below it.
std::string draw_panel(const Panel& panel, const Style& style, double scale);

/// What is needed below a panel for the scale bar and the place.
inline constexpr double kFootHeight = 38;

}  // namespace crema::plot
