// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "crema/counts/discrepancy.h"
#include "crema/fuse.h"

namespace crema {

/// Shannon entropy of a voxel with that level, in nats.
double entropy(double level);

/// How many voxels of a row lie above 0.5 in the painted image: a soft one holds float32 levels, a hard one
/// takes a share of the row.
std::int64_t voxels_inside(const Subcrown& row, double level, Kind kind);

/// What a map, constant on rows or not, holds in one component.
struct Measures {
  Sums sums;
  Levels mean;                       ///< per row of the tally
  std::vector<std::int64_t> inside;  ///< per row: voxels above 0.5
  std::int64_t voxels = 0;           ///< above 0.5
  std::int64_t touched = 0;          ///< above 0
};

Measures measure_component(const Reduction& reduction, std::size_t component, std::span<const float> map);
Measures measure_component(const Reduction& reduction, std::size_t component,
                           std::span<const std::uint8_t> mask);

/// The same as a decision.
Decision measure_component(const Reduction& reduction, std::size_t component, const Image& image,
                           Distance distance, const std::vector<double>& weights);

/// What a map holds altogether.
struct Totals {
  std::int64_t inside = 0;  ///< above 0.5
  double sum = 0;
  double entropy = 0;  ///< in nats
};

Totals measure_image(const Image& image);

}  // namespace crema
