// SPDX-License-Identifier: Apache-2.0
#include "crema/spatial/nearby_rows.h"

#include <algorithm>
#include <limits>

namespace crema {
namespace {

/// So many rows are looked at; sites farther than them are found faster by spreading.
constexpr std::size_t kRows = 58;
/// They are at most so many steps away along either axis.
constexpr std::int32_t kReach = 7;

double square(double mm) { return mm * mm; }

}  // namespace

NearbyRows::NearbyRows(const std::array<std::int32_t, 3>& size, const std::array<double, 3>& spacing,
                       std::span<const double> map)
    : size_(size), map_(map) {
  const std::int64_t nx = size[0], slice = nx * size[1];
  const std::int32_t ry = std::min(kReach, size[1] - 1), rz = std::min(kReach, size[2] - 1);
  // Where one axis is cut off, rows that are farther along the other are not the next ones.
  double limit = std::numeric_limits<double>::infinity();
  if (ry < size[1] - 1) limit = square(spacing[1] * (ry + 1));
  if (rz < size[2] - 1) limit = std::min(limit, square(spacing[2] * (rz + 1)));
  for (std::int32_t z = -rz; z <= rz; ++z)
    for (std::int32_t y = -ry; y <= ry; ++y) {
      const Row row{square(spacing[1] * y), square(spacing[2] * z), y * nx + z * slice, y, z};
      if (row.across + row.below <= limit) rows_.push_back(row);
    }
  std::stable_sort(rows_.begin(), rows_.end(),
                   [](const Row& a, const Row& b) { return a.across + a.below < b.across + b.below; });
  if (rows_.size() > kRows) rows_.resize(kRows);
}

// Sums are formed in the order in which spreading forms them, so that both give the same numbers: rounding
// keeps the order of what it rounds, and the least of all sums is the least sum of the least ones.
double NearbyRows::at(std::int64_t place, std::int32_t y, std::int32_t z) const {
  double best = map_[static_cast<std::size_t>(place)];
  for (const Row& row : rows_) {
    if (row.across + row.below >= best) return best;
    const auto own_y = static_cast<std::uint32_t>(y + row.y), own_z = static_cast<std::uint32_t>(z + row.z);
    if (own_y >= static_cast<std::uint32_t>(size_[1]) || own_z >= static_cast<std::uint32_t>(size_[2]))
      continue;
    best = std::min(best, map_[static_cast<std::size_t>(place + row.offset)] + row.across + row.below);
  }
  return -1;
}

}  // namespace crema
