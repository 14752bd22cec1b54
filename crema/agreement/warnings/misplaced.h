// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "crema/agreement/warnings/moved_set.h"
#include "crema/agreement/warnings/outlier.h"

namespace crema {

/// A mask that overlaps with the others, but far less than they do with each other, or that dwarfs them all.
struct Misplaced {
  enum class Kind : std::uint8_t { unlike, flipped, shifted, oversized };

  int rater = 0;
  Kind kind = Kind::unlike;  ///< unlike: nothing that was tried brings it closer
  std::array<bool, 3> flipped{};
  Point shift{};
  double dice = 0;         ///< with all others together
  double others = 0;       ///< of the others with each other; 1 where there is but one
  double better = 0;       ///< once it is flipped or shifted
  std::int64_t times = 0;  ///< as large as the largest of the others
};

/// Raters whose Dice with all others, pooled over the pairs, is below that of the others with each other by
/// far, and what would fix it: a mirrored axis that raises it by a quarter or more, or a shift after which it
/// overlaps with the others nearly as they do with each other. One that hardly overlaps with others who
/// agree, or a quarter as well as they do, is unlike them. One that is ten times as large as any other, which
/// a threshold makes of an image, is oversized, however the others agree; where all masks were drawn, readers
/// differ as much. Who shares no voxel with anybody is not among them. Costs a step per rater group unless
/// somebody is far off.
std::vector<Misplaced> find_misplaced(const Reduction& reduction, const MemoryAccount* memory = nullptr,
                                      Origins origins = Origins::drawn);

}  // namespace crema
