// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "crema/voxels/neighbourhood.h"

namespace crema {

/// Numbers of steps to the nearest source on a small box of voxels, for any neighbourhood.
///
/// Steps on an open box can be taken in any order without leaving it, so every shortest way can be walked
/// with its raster-forward steps first: one sweep forwards and one backwards are exact. Number is an unsigned
/// type that holds the longest way in the box plus two.
template <class Number>
class StepField {
 public:
  static constexpr Number kFar = std::numeric_limits<Number>::max() - 1;

  StepField(std::array<std::int32_t, 3> size, const Neighbourhood& neighbourhood)
      : size_(size),
        open_x_(neighbourhood.open[0]),
        steps_(preceding_rows(neighbourhood)),
        pitch_(static_cast<std::size_t>(size[0]) + 2),
        cells_(pitch_ * static_cast<std::size_t>(size[1]) * static_cast<std::size_t>(size[2])),
        nearest_(pitch_) {}

  void clear() { std::fill(cells_.begin(), cells_.end(), kFar); }

  /// The cells of row (y, z), from x = 0; one cell of padding lies before and after.
  Number* row(std::int32_t y, std::int32_t z) {
    return cells_.data() + 1 +
           pitch_ * (static_cast<std::size_t>(y) +
                     static_cast<std::size_t>(size_[1]) * static_cast<std::size_t>(z));
  }

  /// Sources are the cells set to 0 since clear(); every other cell receives its number of steps.
  void spread() {
    for (std::int32_t z = 0; z < size_[2]; ++z)
      for (std::int32_t y = 0; y < size_[1]; ++y) visit<1>(y, z);
    for (std::int32_t z = size_[2]; z-- > 0;)
      for (std::int32_t y = size_[1]; y-- > 0;) visit<-1>(y, z);
  }

 private:
  /// Takes into row (y, z) what the rows before it (after it, backwards) and its own cells know.
  template <int Direction>
  void visit(std::int32_t y, std::int32_t z) {
    Number* own = row(y, z);
    bool any = false;
    for (const RowStep& step : steps_) {
      const std::int32_t oy = y + Direction * step.dy, oz = z + Direction * step.dz;
      if (oy < 0 || oy >= size_[1] || oz < 0 || oz >= size_[2]) continue;
      gather(row(oy, oz), step.wide, any);
      any = true;
    }
    if (any) step_from_nearest(own);
    if (open_x_) step_along<Direction>(own);
  }

  /// nearest_[x] becomes the least of itself (if kept) and of the other row's cells that touch x.
  void gather(const Number* __restrict other, bool wide, bool keep) {
    Number* __restrict nearest = nearest_.data();
    const auto n = static_cast<std::ptrdiff_t>(size_[0]);
    if (!keep) std::fill(nearest, nearest + n, kFar);
    if (wide) {
      for (std::ptrdiff_t x = 0; x < n; ++x)
        nearest[x] = std::min(std::min(nearest[x], other[x]), std::min(other[x - 1], other[x + 1]));
    } else {
      for (std::ptrdiff_t x = 0; x < n; ++x) nearest[x] = std::min(nearest[x], other[x]);
    }
  }

  void step_from_nearest(Number* __restrict own) const {
    const Number* __restrict nearest = nearest_.data();
    const auto n = static_cast<std::ptrdiff_t>(size_[0]);
    for (std::ptrdiff_t x = 0; x < n; ++x) own[x] = std::min(own[x], static_cast<Number>(nearest[x] + 1));
  }

  template <int Direction>
  void step_along(Number* own) const {
    const auto n = static_cast<std::ptrdiff_t>(size_[0]);
    Number last = kFar;
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      const std::ptrdiff_t x = Direction > 0 ? i : n - 1 - i;
      last = std::min(own[x], static_cast<Number>(last + 1));
      own[x] = last;
    }
  }

  std::array<std::int32_t, 3> size_;
  bool open_x_;
  std::vector<RowStep> steps_;
  std::size_t pitch_;
  std::vector<Number> cells_;
  std::vector<Number> nearest_;
};

}  // namespace crema
