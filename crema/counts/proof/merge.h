// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "crema/counts/tally.h"

namespace crema {

/// The rater groups of a component, whatever the distances of their voxels.
struct Merged {
  Tally groups;                             ///< rows at distance 0, in the order of the first row each holds
  std::vector<std::uint32_t> group_of_row;  ///< of the tally they were merged from
};

Merged merge_rows(const Tally& tally);

/// The mean level of each group: what a consensus is to a criterion that sees group sums alone.
Levels gather(const Tally& tally, const Merged& merged, const Levels& levels);

/// Levels of groups back on rows. Where whole voxels are wanted they are taken from a group's rows by
/// increasing distance.
Levels scatter(const Tally& tally, const Merged& merged, const Levels& of_group, bool whole_voxels);

}  // namespace crema
