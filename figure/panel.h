// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "figure/slice.h"
#include "plot/palette.h"
#include "plot/svg.h"

namespace crema::plot {

/// What a panel shows: every rater's contour, how many raters marked each voxel, the levels of a consensus,
/// what each voxel's total distance is and where subcrowns end, how far each voxel is from one rater, each
/// subcrown in a colour of its own, or a subcrown that is tried.
enum class Show : std::uint8_t { contours, votes, levels, subcrowns, distance, colours, step };

/// A consensus that a panel draws.
struct Outline {
  std::string name;  ///< of the method
  std::string colour = std::string(kInk);
  Plane<float> levels = {};
};

/// What a search holds of a cell: nothing of it, the cell, or the block that is tried, and what came of it.
enum class State : std::uint8_t { out, in, removed, kept };

/// Part of a slice, with what is drawn on it. It holds all it needs.
struct Panel {
  std::string title;
  View view;
  Show show = Show::contours;
  int raters = 0;
  std::string place = {};                          ///< of the slice, in words
  bool rater_lines = false;                        ///< raters' contours lie on top
  int rater = -1;                                  ///< whose distances are shown, and whose line alone
  Plane<Cell> cells = {};                          ///< of the view
  Plane<std::int32_t> steps = {};                  ///< to that rater; below 0: none
  Plane<State> states = {};                        ///< of a step
  std::vector<Outline> consensus = {};             ///< the first one's levels are those shown
  std::map<std::int32_t, std::string> notes = {};  ///< what to write beside a component
  std::string backdrop = {};  ///< a grey PNG of the view, to be seen beneath; empty: none
};

/// What all panels of a figure have in common.
struct Style {
  std::string unit = "mm";   ///< of the spacing: "px" where the files do not say how large voxels are
  int largest_distance = 0;  ///< of all panels: what the colour bar ends with
  int most_steps = 0;        ///< to one rater
};

/// How much of the raters' paint is seen over a backdrop.
inline constexpr double kVeil = 0.55;

/// The largest total distance that a panel shows, and the most steps to a rater.
int largest_distance(const Panel& panel);
int most_steps(const Panel& panel);

/// Whether raters' contours are drawn.
bool draws_raters(const Panel& panel);

/// A round length, 1, 2 or 5 times a power of ten, that makes a good scale bar under so much.
double bar_length(double extent);

/// One panel without its title: `scale` is units of the paper per unit of length. Its upper left corner is
/// at the origin; the scale bar and the place of the slice stand below it.
std::string draw_panel(const Panel& panel, const Style& style, double scale);

/// What is needed below a panel for the scale bar and the place.
inline constexpr double kFootHeight = 38;

}  // namespace crema::plot
