// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <mutex>

#include "crema/voxels/votes/votes.h"

namespace crema {

/// Votes to which several threads add raters at the same time, part by part, as each part is read.
class SharedVotes {
 public:
  SharedVotes(std::int64_t voxels, int raters) : votes_(voxels, raters) {}

  /// Adds what one rater marked from voxel `first` on. Throws InputError when that lies outside the grid.
  void fold(int rater, std::int64_t first, Mask part);

  [[nodiscard]] Votes take() && { return std::move(votes_); }

 private:
  /// Consecutive voxels under one lock; a whole number of blocks, as these share a flag.
  static constexpr std::int64_t kStripe = Votes::kBlock;

  Votes votes_;
  std::array<std::mutex, 64> locks_;
};

}  // namespace crema
