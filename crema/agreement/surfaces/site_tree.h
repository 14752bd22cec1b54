// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace crema {

/// Neighbours along x.
struct SiteRun {
  std::array<std::int32_t, 3> first;
  std::int32_t length;
};

/// Voxels by place, to find the nearest one: takes room for their runs alone, however far apart they lie.
class SiteTree {
 public:
  using Place = std::array<std::int32_t, 3>;

  /// At least one run.
  SiteTree(std::span<const SiteRun> sites, const std::array<double, 3>& spacing);

  /// One place after the other, which is faster the closer they lie together.
  class Walk {
   public:
    explicit Walk(const SiteTree& tree) : tree_(tree) {}
    /// The squared distance to the nearest site, to the bit what spread_squared_distances() gives.
    double nearest(const Place& place);
    /// So many blocks of boxes were looked at.
    [[nodiscard]] std::int64_t looks() const { return looks_; }

   private:
    void search(std::size_t level, std::size_t block);
    const SiteTree& tree_;
    Place place_{};
    double best_ = 0;
    std::size_t last_ = 0;  ///< the run that was the nearest last
    std::int64_t looks_ = 0;
  };

  /// Boxes side by side, so that all of them are measured at once.
  struct Block {
    static constexpr std::size_t kBoxes = 8;
    std::array<std::array<std::int32_t, kBoxes>, 3> low, high;
  };

 private:
  struct Level {
    std::vector<Block> blocks;  ///< the last one is filled up with its last box
    std::size_t boxes = 0;
    void add(const Place& from, const Place& to);
    void fill_up();
  };

  std::vector<Level> levels_;  ///< of runs, then of blocks, up to the one that is a single block
  std::array<double, 3> spacing_;
};

}  // namespace crema
