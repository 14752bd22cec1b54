// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace crema {

/// Voxels of a box as bits: 64 neighbours along x in a word. Around the box lie as many empty rows as a look
/// reaches, and an empty word ends each row that has several. `Sets` sets of voxels lie word by word beside
/// each other.
template <std::size_t Sets>
struct BitRows {
  BitRows(const std::array<std::int32_t, 3>& size, const std::array<std::int32_t, 3>& reach);

  void clear();
  /// So many voxels from the bit of a word on; none of them in another row.
  void add(std::size_t set, std::size_t word, std::int32_t bit, std::int32_t length);
  /// The place of the word of a voxel of the box.
  [[nodiscard]] std::size_t word_of(const std::array<std::int32_t, 3>& at) const {
    return static_cast<std::size_t>(first + at[2] * slice + at[1] * stride + at[0] / 64);
  }

  [[nodiscard]] const std::uint64_t* at(std::size_t word) const { return words.data() + word * Sets; }

  std::int64_t stride, slice,
      first;  ///< places from row to row, from slice to slice, and before the first row
  std::vector<std::uint64_t> words;  ///< those of all sets at one place are neighbours
};

/// So many surfaces are looked for at once.
constexpr std::size_t kSurfacesAtOnce = 4;

/// Several sets of sites in a box, and exact distances of voxels to them where they are near: for 64 voxels
/// at once every step that leads to a site is tried, the shortest first.
class SiteRows {
 public:
  using Rows = BitRows<kSurfacesAtOnce>;
  /// Of the voxels of a word, in millimetres: to the bit the root of what spread_squared_distances() finds,
  /// or less than 0 where no site is near.
  using Found = std::array<std::array<double, 64>, kSurfacesAtOnce>;

  SiteRows(const std::array<std::int32_t, 3>& size, const std::array<double, 3>& spacing);

  /// Voxels of the same box, none so far.
  template <std::size_t Sets>
  [[nodiscard]] BitRows<Sets> none() const {
    return {size_, reach_};
  }

  void clear() { sites_.clear(); }
  void add(std::size_t set, std::size_t word, std::int32_t bit, std::int32_t length) {
    sites_.add(set, word, bit, length);
  }

  /// The distances to the sites of each set, for the voxels that are requested of it.
  void look_from(const Rows& requested, std::size_t word, Found& found) const;

  /// To one of up to four rows, and there so many voxels to the left or to the right.
  struct Step {
    double mm;
    std::array<std::int64_t, 4> rows;  ///< words to each
    std::int32_t x;
  };

 private:
  std::array<std::int32_t, 3> size_, reach_;
  Rows sites_;
  std::vector<Step> steps_;  ///< the shortest first
};

}  // namespace crema
