// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "files/files.h"

namespace crema::files {

/// The size of a mask along the axes of another grid, and where its low corner lies there.
struct Footprint {
  std::array<std::int32_t, 3> low{}, size{};

  bool operator==(const Footprint&) const = default;
};

Footprint footprint(const Placement& placement, const Grid& other);

/// How another grid lies on the lattice of the reference, be it inside or not. Throws InputError when it lies
/// on another lattice.
Placement locate(const Header& reference, const Header& other);

/// Several masks on one grid.
struct Layout {
  Header reference;                   ///< in the orientation of the first mask
  std::vector<Placement> placements;  ///< one per mask; its warnings say what is done with it
};

/// The common grid is the bounding box of all masks on one lattice, whichever comes first; with `like` it is
/// that file's grid. Throws InputError on masks that lie on different lattices, reach beyond `like`, or are
/// of one size but shifted against each other: that is more often a wrong origin than a crop.
Layout lay_out(std::span<const Header> headers, const Header* like);

}  // namespace crema::files
