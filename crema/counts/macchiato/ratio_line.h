// SPDX-License-Identifier: Apache-2.0
// Distances that are ratios, along a line: what a search for the best level of a block needs.
#pragma once

#include <array>
#include <cstddef>

#include "crema/counts/interval.h"
#include "crema/counts/macchiato/line.h"

namespace crema {

/// One number per rater of a panel, and for nobody up to a whole number of fours.
using PerRater = std::array<double, std::size_t{kMaxRaters}>;
static_assert(kMaxRaters % 4 == 0);

/// All raters' distances along the line, a list for each of their numbers so that several are worked on at
/// once: d = 1 − f a/c with a = a0 + m y and c as below. Sums go over the raters one after the other,
/// whatever the processor.
struct Strands {
  std::size_t count, fours;
  double factor;
  double c2;  ///< c = c0 + c1 y + c2 y²
  PerRater a0, m, c0, c1, weight;

  explicit Strands(const Line& line);
};

/// First and second derivative of the criterion.
template <class Number>
struct Derivatives {
  Number first{}, second{};
};

/// Bounds over all levels from 0 to 1 that need one look at each rater; rounding is far within them.
struct Glance {
  double slope = 0;      ///< of the criterion at level 0; where c2 is 0
  double most_bent = 0;  ///< above the size of its second derivative; where c2 is 0
  double bent = 0;       ///< below its second derivative; where c2 is not 0 and `convex`
  double terms = 0;      ///< above what differences are summed from, and slopes
  bool convex = false;   ///< slopes() of the whole stretch shows that it is
};

Glance glance_at(const Strands& strands);

/// At a level, or bounds over a stretch of levels.
Derivatives<double> slopes(const Strands& strands, double y);
Derivatives<Interval> slopes(const Strands& strands, Interval y);
double value_of(const Strands& strands, double y);
Difference difference_of(const Strands& strands, double y, double z);

}  // namespace crema
