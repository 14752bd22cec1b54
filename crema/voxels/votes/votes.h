// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <variant>
#include <vector>

#include "crema/counts/tally.h"
#include "crema/image/image.h"

namespace crema {

/// Called with a rater, a block of the mask in which the rater marked something, and the bits that are set in
/// any of its bytes; in any order, on any thread.
using BlockVisitor = std::function<void(std::size_t rater, Mask block, std::uint8_t bits)>;

/// Whether any voxel is inside.
bool marks_anything(Mask mask);

/// For every voxel the set of raters who marked it, in the narrowest of 8, 16, 32 and 64 bits.
class Votes {
 public:
  /// No rater has voted yet. Throws InputError unless 1 ≤ raters ≤ kMaxRaters and voxels ≥ 0.
  Votes(std::int64_t voxels, int raters);

  /// Adds one rater's mask. Two raters must not be folded at the same time.
  /// Throws InputError when there is no such rater or the mask has another size.
  void fold(int rater, Mask mask);

  /// Adds what one rater marked from voxel `first` on; the part's blocks count as occupied. No other part of
  /// these blocks must be folded at the same time.
  void fold_part(int rater, std::int64_t first, Mask part);

  /// Forgets what was marked where the region is zero; returns how many voxels that were.
  /// Throws InputError when the region has another size.
  std::int64_t keep_inside(Mask region);

  [[nodiscard]] int raters() const { return raters_; }
  [[nodiscard]] std::int64_t voxels() const { return voxels_; }

  /// Consecutive voxels that share a flag of occupied().
  static constexpr std::int64_t kBlock = 1 << 12;

  /// For each block of voxels, the last one may be shorter, whether any rater marked anything in it.
  [[nodiscard]] std::span<const std::uint8_t> occupied() const { return occupied_; }

  [[nodiscard]] std::int64_t bytes_per_voxel() const;
  /// What they take: blocks that nobody marked are never written.
  [[nodiscard]] std::int64_t bytes() const;

  /// Calls f with a pointer to the sets, typed as they are stored.
  template <class F>
  decltype(auto) visit(F&& f) const {
    return std::visit([&](const auto& sets) -> decltype(auto) { return f(sets.data()); }, sets_);
  }

 private:
  friend Votes take_votes(std::int64_t voxels, std::span<const Mask> masks, const BlockVisitor& visitor);

  /// Returns the bits that are set in any byte of the block: none when the rater marked nothing in it.
  template <class Set>
  std::uint8_t fold_block(Set* sets, std::int64_t block, int rater, Mask mask);
  /// Flags a block that gets its first mark.
  template <class Set>
  void occupy(Set* sets, std::int64_t block);
  void check_rater(int rater) const;

  int raters_;
  std::int64_t voxels_;
  std::variant<Canvas<std::uint8_t>, Canvas<std::uint16_t>, Canvas<std::uint32_t>, Canvas<std::uint64_t>>
      sets_;
  std::vector<std::uint8_t> occupied_;
};

/// All raters at once, the masks read side by side.
Votes take_votes(std::int64_t voxels, std::span<const Mask> masks, const BlockVisitor& visitor = {});

}  // namespace crema
