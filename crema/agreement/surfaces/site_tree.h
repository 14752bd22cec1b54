// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace crema {

/// Voxels by place, to find the nearest one: takes room for them alone, however far apart they lie.
class SiteTree {
 public:
  using Place = std::array<std::int32_t, 3>;

  /// At least one site.
  SiteTree(std::vector<Place> sites, const std::array<double, 3>& spacing);

  /// The squared distance to the nearest site, to the bit what spread_squared_distances() gives.
  [[nodiscard]] double nearest(const Place& place) const;
  /// The same, for those who can wait no longer: `looks` falls by one for each site that is looked at, and
  /// once it is below 0 the search ends with what it has. Some site must be nearer than `bound`.
  [[nodiscard]] double nearest(const Place& place, double bound, std::int64_t& looks) const;

 private:
  struct Search;
  void build(std::size_t begin, std::size_t end, std::size_t axis);
  void search(Search& search, std::size_t begin, std::size_t end, std::size_t axis, double outside) const;
  [[nodiscard]] double square(std::size_t axis, std::int32_t apart) const {
    const double mm = spacing_[axis] * apart;
    return mm * mm;
  }

  std::vector<Place> sites_;  ///< the middle one of each stretch divides it along one axis after the other
  std::array<double, 3> spacing_;
};

}  // namespace crema
