// SPDX-License-Identifier: Apache-2.0
#include "crema/voxels/votes/shared_votes.h"

#include <algorithm>

namespace crema {

void SharedVotes::fold(int rater, std::int64_t first, Mask part) {
  while (!part.empty()) {
    const std::int64_t stripe = first / kStripe;
    const auto count =
        std::min<std::size_t>(part.size(), static_cast<std::size_t>((stripe + 1) * kStripe - first));
    const Mask own = part.first(count);
    // Most of a mask is background, and that needs no lock.
    if (marks_anything(own)) {
      const std::scoped_lock lock(locks_[static_cast<std::size_t>(stripe) % locks_.size()]);
      votes_.fold_part(rater, first, own);
    }
    part = part.subspan(count);
    first += static_cast<std::int64_t>(count);
  }
}

}  // namespace crema
