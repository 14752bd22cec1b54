// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace crema {

/// The value that a share of the sorted values lies below, interpolated linearly between the two nearest; the
/// values must be finite and not none.
inline double percentile(std::vector<double> values, double share) {
  const double place = share * static_cast<double>(values.size() - 1);
  const double below = std::floor(place);
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(values.begin(), at, values.end());
  if (at + 1 == values.end() || place == below) return *at;
  const double next = *std::min_element(at + 1, values.end());
  return *at + (place - below) * (next - *at);
}

}  // namespace crema
