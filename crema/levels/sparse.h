// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "crema/voxels/components.h"

namespace crema {

/// Levels behind each other. They grow without being copied where the system can lay their pages elsewhere.
class LevelList {
 public:
  LevelList() = default;
  LevelList(const LevelList& other) { add(other.all()); }
  LevelList(LevelList&& other) noexcept { swap(other); }
  LevelList& operator=(LevelList other) noexcept {
    swap(other);
    return *this;
  }
  ~LevelList();

  void add(std::span<const float> levels);
  /// Gives back what is held for more.
  void fit();

  [[nodiscard]] std::span<const float> all() const { return {levels_, size_}; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }

 private:
  void swap(LevelList& other) noexcept;
  void resize(std::size_t capacity);

  float* levels_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

/// One rater's map of levels where it is not below a floor: what lies below counts as 0 and is not held.
class SparseLevels {
 public:
  explicit SparseLevels(double floor);

  /// The next levels in raster order, from voxel `first` on; levels are in [0,1]. Parts may be left out.
  void add(std::int64_t first, std::span<const float> part);

  /// Gives back memory that was held for more.
  void finish();

  /// Consecutive voxels, in raster order; unlike those of a component they may cross image rows.
  [[nodiscard]] std::span<const Run> runs() const { return runs_; }
  /// In the order of the runs.
  [[nodiscard]] std::span<const float> values() const { return values_.all(); }
  [[nodiscard]] std::int64_t bytes() const;

 private:
  void add_run(std::int64_t first, std::span<const float> part);

  std::int32_t least_;  ///< the bits of the least level that is held: levels are in the order of their bits
  std::vector<Run> runs_;
  LevelList values_;
};

/// What a part of a map holds: levels below the floor alone, levels, or anything that is not from 0 to 1;
/// −0, NaN and infinities are not.
enum class Content : std::uint8_t { nothing, levels, other };
Content content_of(std::span<const float> part, double floor);

/// All raters at once, each with one level per voxel. Throws InputError where a map has another size, or a
/// value that is not from 0 to 1.
std::vector<SparseLevels> take_levels(std::int64_t voxels, std::span<const std::span<const float>> maps,
                                      double floor);

/// The voxels of any of the maps.
std::vector<Run> unite(std::span<const SparseLevels> maps);

}  // namespace crema
