// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "crema/agreement/warnings/moved_set.h"

namespace crema {

/// A mask that overlaps with the others, but far less than they do with each other.
struct Misplaced {
  enum class Kind : std::uint8_t { unlike, flipped, shifted };

  int rater = 0;
  Kind kind = Kind::unlike;  ///< unlike: nothing that was tried brings it closer
  std::array<bool, 3> flipped{};
  Point shift{};
  double dice = 0;    ///< with all others together
  double others = 0;  ///< of the others with each other; 1 where there is but one
  double better = 0;  ///< once it is flipped or shifted
};

/// Raters whose Dice with all others, pooled over the pairs, is below that of the others with each other by
/// far, and what would fix it: a mirrored axis that raises it by a quarter or more, or a shift of a mask
/// that then is nearly the others'. One that hardly overlaps with others who agree, or a quarter as well as
/// they do, is unlike them. Who shares no voxel with anybody is not among them. Costs a step per rater group
/// unless somebody is far off.
std::vector<Misplaced> find_misplaced(const Reduction& reduction, const MemoryAccount* memory = nullptr);

}  // namespace crema
