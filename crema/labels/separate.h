// SPDX-License-Identifier: Apache-2.0
// Labels that may overlap, because raters drew them so: each is fused alone.
#pragma once

#include "crema/labels/settle/joint.h"

namespace crema {

/// Whether a method makes something of one label alone; the others need one label per voxel.
bool fuses_separately(const Method& method);

/// Runs a method for each label alone. `layers` of the result hold all labels in as few layers as possible.
LabelConsensus solve_separately(const LabelCounts& counts, const Method& method, const Options& options);

/// What becomes of the background's share.
enum class Rest : std::uint8_t { leave, first };

/// The levels of all labels, one whole map after the other, in the order of the counts, or of the channels of
/// the raters' maps; for soft methods.
/// With Rest::first the map of what is left to the background comes before them.
SoftImage level_maps(const LabelCounts& counts, const LabelConsensus& consensus, Rest rest);

}  // namespace crema
