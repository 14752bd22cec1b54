// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "crema/image/grid.h"

namespace crema {

/// Which voxels touch: a step may change `order` of the axes that are open, each by at most one.
/// 4, 6: one axis; 18: two; 8, 26: all open ones. Slice-wise work closes one axis.
struct Neighbourhood {
  int connectivity = 26;  ///< 4, 8, 6, 18 or 26
  int order = 3;          ///< axes a single step may change
  std::array<bool, 3> open{true, true, true};

  friend bool operator==(const Neighbourhood&, const Neighbourhood&) = default;
};

/// connectivity 0 means the default: 8 in 2-D and slice-wise, 26 in 3-D.
/// Throws InputError when the connectivity does not fit the dimension.
Neighbourhood make_neighbourhood(const Grid& grid, int connectivity, std::optional<Axis> slice_wise);

/// An image row that touches a given one and comes before it in raster order.
struct RowStep {
  std::int32_t dy, dz;
  bool wide;  ///< a step to it may change x as well
};

/// The rows before a row that a single step reaches; at most four.
std::vector<RowStep> preceding_rows(const Neighbourhood& neighbourhood);

/// The axis of the largest spacing, the last one on a tie; z for a 2-D image.
Axis default_slice_axis(const Grid& grid);

}  // namespace crema
