// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "crema/agreement/surfaces/voxel_set.h"
#include "crema/fuse.h"

namespace crema {

/// The set of so many raters.
Raters everyone(int raters);

/// The consensus of some raters as if the others had drawn nothing, components and crowns included. Throws
/// InputError when that is nobody.
VoxelSet consensus_of(const Reduction& reduction, Raters panel, const Method& method, const Options& options);

/// The consensus of a panel of some of the raters.
struct PanelResult {
  int raters = 0;           ///< how many
  double against_rest = 1;  ///< Dice with the consensus of those who are not in it; two empty masks agree
  double against_all = 1;   ///< and with that of all raters
};

inline constexpr int kMaxPanels = 200;

/// Panels of 1 to K−1 raters: every one of a size, or 200 of them drawn where there are more, each with the
/// disjoint rest. The same seed draws the same panels everywhere.
std::vector<PanelResult> compare_panels(const Reduction& reduction, const Method& method,
                                        const Options& options, std::uint64_t seed);

/// Sets of `size` out of `raters`: all of them in rising order, or kMaxPanels that differ.
std::vector<Raters> panels_of(int raters, int size, std::uint64_t seed);

}  // namespace crema
