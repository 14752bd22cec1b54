// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "crema/fuse.h"
#include "crema/levels/methods.h"

namespace crema {

/// What a method makes of a reduction that has levels: the image is painted, the criterion is in the levels.
/// Throws UsageError where the method takes masks only.
Solution solve_levels(const Reduction& reduction, const Method& method, const Options& options);

/// One component of a reduction that has levels.
LevelComponent level_component(const Reduction& reduction, std::size_t c);

/// What a painted map holds of a component of levels: rows are those of its core, sums and voxels above ½
/// those of the whole part.
Decision measure_map(const Reduction& reduction, std::size_t component, const Image& image,
                     const Distance& distance, const std::vector<double>& weights);

/// The criterion of a painted map in a component of levels. A distance between masks sees what lies above ½.
double criterion_of_map(const Reduction& reduction, std::size_t component, const Image& image,
                        const Distance& distance, const std::vector<double>& weights);

/// A map in one component, and a bound of what any map or mask can reach there, or the least that is known.
struct CertifiedPart {
  Decision decision;         ///< without levels of rows
  std::int64_t touched = 0;  ///< voxels above 0
  double best_known = 0;     ///< the criterion of the map, or a lower one; of distances with squares
};

/// The distance is Jaccard, Dice, Soergel or 1SD, or with squares, where the bound is 0: none is known.
CertifiedPart certify_part(const Reduction& reduction, std::size_t component, std::span<const float> map,
                           const Distance& distance, const SolveOptions& options);

}  // namespace crema
