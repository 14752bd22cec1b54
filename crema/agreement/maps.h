// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "crema/agreement/measures.h"

namespace crema {

/// A map to be written beside the consensus: one number per voxel, 0 where nobody drew.
enum class MapKind : std::uint8_t { votes, vote_entropy, components, total_distance, subcrowns };

/// "votes", "vote_entropy" …
std::string_view to_string(MapKind kind);

/// How many raters drew a voxel; the entropy of their share in nats; the number of its component, from 1; its
/// total distance; its row of rows_table(). Painted from counts, the votes are not needed. Throws InputError
/// where the numbers are too large to be held exactly.
Image paint_map(const Reduction& reduction, MapKind kind, int threads = 0);

/// The entropy of a consensus in every voxel, in nats; 0 everywhere for a hard one.
Image paint_entropy(const Reduction& reduction, const Evaluated& evaluated);

}  // namespace crema
