// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <string>
#include <vector>

#include "crema/base/warning.h"
#include "crema/image/image.h"
#include "crema/voxels/votes/votes.h"

namespace crema::raters {

/// Which bytes occur in each rater's mask. Blocks are looked at as the votes are taken, while they are near.
class ByteCensus {
 public:
  ByteCensus(std::size_t raters, std::int64_t voxels);

  /// To be called for every block in which a rater marked anything.
  void look_at(std::size_t rater, Mask block, std::uint8_t bits);

  /// Checks a mask by the rules for files. Throws InputError when it holds several values; returns warnings.
  [[nodiscard]] Warnings check(std::size_t rater, Mask mask, const std::string& name, const Grid& grid) const;

 private:
  /// Bit v of the 256 is set when the value v occurs.
  struct Seen {
    std::array<std::atomic<std::uint64_t>, 4> values{};
    std::atomic<std::int64_t> blocks{0};
  };
  std::vector<Seen> seen_;
  std::int64_t blocks_;
};

}  // namespace crema::raters
