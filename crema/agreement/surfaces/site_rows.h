// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace crema {

/// Voxels of a box as bits: 64 neighbours along x in a word. Around the box lie as many empty rows as a look
/// reaches, and an empty word ends each row.
struct BitRows {
  BitRows(const std::array<std::int32_t, 3>& size, const std::array<std::int32_t, 3>& reach);

  void add(std::int32_t x, std::int64_t row, std::int32_t length);
  /// The word of a voxel; rows are numbered without those around the box.
  [[nodiscard]] std::size_t word_of(std::int32_t x, std::int64_t row) const {
    const std::int64_t z = row / ny, y = row - z * ny;
    return static_cast<std::size_t>(first + z * slice + y * stride + x / 64);
  }

  std::int32_t ny;
  std::int64_t stride, slice,
      first;  ///< words from row to row, from slice to slice, and before the first row
  std::vector<std::uint64_t> words;
};

/// Sites in a box, and exact distances of voxels to them where they are near: for 64 voxels at once every
/// step that leads to a site is tried, the shortest first.
class SiteRows {
 public:
  SiteRows(const std::array<std::int32_t, 3>& size, const std::array<double, 3>& spacing);

  /// Voxels of the same box, none so far.
  [[nodiscard]] BitRows none() const { return {size_, reach_}; }

  void clear();
  void add(std::int32_t x, std::int64_t row, std::int32_t length) { sites_.add(x, row, length); }

  /// Gives each voxel of a word of `requested` its distance in millimetres, one after the other: to the bit
  /// the root of what spread_squared_distances() finds, or less than 0 where no site is near.
  void look_from(const BitRows& wanted, std::size_t word, double* distances) const;

 private:
  /// To a voxel of another row that is so many voxels to the left or to the right.
  struct Step {
    double squared, mm;
    std::int64_t words;
    std::int32_t x;
  };

  template <class Reached>
  void take_steps(std::uint64_t wanted, std::array<double, 64>& found, Reached reached) const;

  std::array<std::int32_t, 3> size_, reach_;
  BitRows sites_;
  std::vector<Step> steps_;  ///< the shortest first
};

}  // namespace crema
