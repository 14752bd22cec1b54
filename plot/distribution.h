// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

/// How a measure lies over many cases, one row for each method.
namespace crema::plot {

/// A value that leads somewhere.
struct LinkedValue {
  double value = 0;
  std::string name, link;  ///< both empty: a plain dot
};

struct Sample {
  std::string name;
  std::vector<double> values;
  std::string note = {};                 ///< a few words below the name
  std::vector<LinkedValue> linked = {};  ///< drawn as dots that lead to what they name
};

struct Distribution {
  std::string title, x_name;
  std::vector<Sample> samples;
  bool logarithmic = false;              ///< all values are above 0
  std::optional<double> reference = {};  ///< a value that is pointed out by a line
};

/// The value below which this share of sorted values lies, between neighbours in proportion.
double quantile(const std::vector<double>& sorted, double share);

/// A picture on its own paper: the shape of each sample, a line from its lowest to its highest value, a bar
/// for its middle half, and the median as a mark and a number. A few values are drawn as dots.
std::string draw_distribution(const Distribution& requested);

}  // namespace crema::plot
