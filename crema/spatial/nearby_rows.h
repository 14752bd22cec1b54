// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace crema {

/// Exact squared distances of single voxels to sites that are mostly near: for those who look at few voxels
/// of a map. It is read behind spread_along_rows(), and rows are looked at from the nearest outwards.
class NearbyRows {
 public:
  NearbyRows(const std::array<std::int32_t, 3>& size, const std::array<double, 3>& spacing,
             std::span<const double> map);

  /// What spread_across_rows() would leave at `place`, whose row is y of slice z; less than 0 where the
  /// nearest rows do not tell.
  [[nodiscard]] double at(std::int64_t place, std::int32_t y, std::int32_t z) const;

 private:
  /// A row beside that of a voxel.
  struct Row {
    double across, below;  ///< mm² along y and along z
    std::int64_t offset;
    std::int32_t y, z;
  };

  std::array<std::int32_t, 3> size_;
  std::span<const double> map_;
  std::vector<Row> rows_;  ///< the nearest first
};

}  // namespace crema
