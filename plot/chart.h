// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plot/svg.h"

/// Line charts whose lines carry their names.
namespace crema::plot::chart {

/// A range of values, and where its ends lie on the paper.
struct Scale {
  double low = 0, high = 1;
  double from = 0, to = 1;
};

double place(const Scale& scale, double value);

/// Round values inside [low, high], 1, 2 or 5 times a power of ten apart, about `wanted` of them.
std::vector<double> round_values(double low, double high, int wanted);

/// Positions as near to the wanted ones as a least distance and the range allow, in their order.
std::vector<double> spread(const std::vector<double>& wanted, double apart, double low, double high);

/// 1234567 as "1 234 567", with narrow blanks that do not break.
std::string grouped(double whole);

struct Series {
  std::string name;
  std::vector<double> values;  ///< one for each x of the panel
  svg::Stroke stroke;
  bool named = true;  ///< its name stands beside it
};

/// A place on the horizontal axis that is pointed out.
struct Mark {
  double x = 0;
  std::string name;
};

struct Frame {
  double left = 0, top = 0, width = 0, height = 0;
};

struct Panel {
  std::string title, x_name;
  Frame frame;            ///< of the axes alone; names and numbers stand around it
  std::vector<double> x;  ///< above 0 and rising, drawn on a logarithmic axis
  std::vector<Series> series;
  std::vector<Mark> marks;        ///< from left to right
  std::optional<double> ceiling;  ///< lines leave the frame above it; an arrow after their names says so
};

/// The part of a line below a height, ending where it crosses it for the first time.
std::vector<svg::Point> below(const std::vector<svg::Point>& points, double top);

std::string draw(const Panel& panel);

}  // namespace crema::plot::chart
