// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "crema/counts/tally.h"
#include "crema/image/image.h"

namespace crema {

/// For every voxel the set of raters who marked it, in the narrowest of 8, 16, 32 and 64 bits.
class Votes {
 public:
  /// No rater has voted yet. Throws InputError unless 1 ≤ raters ≤ kMaxRaters and voxels ≥ 0.
  Votes(std::int64_t voxels, int raters);

  /// Adds one rater's mask. A rater may be folded once; two raters must not be folded at the same time.
  void fold(int rater, Mask mask);

  [[nodiscard]] int raters() const { return raters_; }
  [[nodiscard]] std::int64_t voxels() const { return voxels_; }

  /// Calls f with a pointer to the sets, typed as they are stored.
  template <class F>
  decltype(auto) visit(F&& f) const {
    return std::visit([&](const auto& sets) -> decltype(auto) { return f(sets.data()); }, sets_);
  }

 private:
  int raters_;
  std::int64_t voxels_;
  std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>,
               std::vector<std::uint64_t>>
      sets_;
};

/// All raters at once, the masks read side by side.
Votes take_votes(std::int64_t voxels, std::span<const Mask> masks);

}  // namespace crema
