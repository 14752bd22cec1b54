// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crema/agreement/measured.h"
#include "crema/base/warning.h"
#include "crema/image/grid.h"

namespace crema {

class MemoryAccount;
struct Reduction;

/// Whether masks were drawn as they are, or cut from other values by a threshold.
enum class Origins : std::uint8_t { drawn, cut };

/// How far a rater lies from the others on average: 1 − Dice and 1 − Jaccard, pairs of empty masks left out.
struct RaterDistance {
  int rater = 0;
  Measured dice, jaccard;
  std::optional<int> farthest_from;  ///< the rater with the least Dice, the first on a tie
};

struct OutlierReport {
  std::vector<RaterDistance> raters;
  /// Who has the largest mean Dice distance; nobody where that is not one rater alone, as with two raters.
  std::optional<int> outlier;
};

OutlierReport find_outlier(const Reduction& reduction);

/// A mask that shares no voxel with any other, and what may have happened to it.
struct Suspicion {
  enum class Kind : std::uint8_t { apart, flipped, exchanged, shifted };

  int rater = 0;
  Kind kind = Kind::apart;              ///< apart: nothing that was tried makes it overlap
  std::array<bool, 3> flipped{};        ///< which axes of the image run the other way
  std::array<Axis, 2> exchanged{};      ///< axes that have changed places
  std::array<std::int32_t, 3> shift{};  ///< voxels by which it has to be moved
  int like = -1;                        ///< the rater it then resembles most
  double dice = 0;                      ///< and their Dice
};

/// Each rater who drew something, but no voxel that another rater drew, while others drew something too. Of
/// two raters that are apart the second one is reported. What brings the mask to a Dice of at least 0.3 with
/// somebody is looked for among mirrored axes, exchanged axes of the same size, and shifts that bring
/// bounding boxes or centres of mass together; a later one must be better by 0.2 to be reported instead.
std::vector<Suspicion> find_suspicions(const Reduction& reduction, const MemoryAccount* memory = nullptr);

/// "x", "x and y", "x, y and z".
std::string axes_in_words(const std::array<bool, 3>& axes);

/// One sentence for each suspicion, and for each mask that is misplaced. Names are one per rater.
Warnings warnings_about_outliers(const Reduction& reduction, std::span<const std::string> names,
                                 const MemoryAccount* memory = nullptr, Origins origins = Origins::drawn);

}  // namespace crema
