// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "crema/base/memory.h"

namespace crema {

/// What is kept of a directed set of distances: on a grid few distances occur, each many times.
struct DistanceCounts {
  struct Times {
    double distance;
    std::int64_t times;
  };
  std::vector<Times> distances;  ///< rising
  std::int64_t count = 0;
  double sum = 0;  ///< in the order in which they came

  [[nodiscard]] std::int64_t bytes() const { return heap_block(std::ssize(distances) * 16); }
  /// So many are at most as long.
  [[nodiscard]] std::int64_t within(double longest) const;
  /// As numpy.percentile has it; of at least one.
  [[nodiscard]] double percentile(double share) const;
};

DistanceCounts count_distances(const std::vector<double>& distances);

/// The percentile of both together.
double pooled_percentile(const DistanceCounts& a, const DistanceCounts& b, double share);

}  // namespace crema
