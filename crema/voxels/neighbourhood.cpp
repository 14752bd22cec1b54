// SPDX-License-Identifier: Apache-2.0
#include "crema/voxels/neighbourhood.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "crema/base/error.h"

namespace crema {
namespace {

int planar_order(int connectivity) {
  if (connectivity == 0 || connectivity == 8) return 2;
  if (connectivity == 4) return 1;
  return 0;
}

int solid_order(int connectivity) {
  if (connectivity == 0 || connectivity == 26) return 3;
  if (connectivity == 18) return 2;
  if (connectivity == 6) return 1;
  return 0;
}

}  // namespace

Neighbourhood make_neighbourhood(const Grid& grid, int connectivity, std::optional<Axis> slice_wise) {
  if (slice_wise && grid.flat() && *slice_wise != Axis::z)
    throw InputError("slice-wise fusion across x or y needs a 3-D image, but this one is 2-D; leave it out");
  const bool planar = grid.flat() || slice_wise.has_value();
  const int order = planar ? planar_order(connectivity) : solid_order(connectivity);
  if (order == 0)
    throw InputError(fmt::format("connectivity {} does not fit {}; use {}", connectivity,
                                 !planar       ? "a 3-D image"
                                 : grid.flat() ? "a 2-D image"
                                               : "slice-wise work",
                                 planar ? "4 or 8" : "6, 18 or 26, or work slice-wise"));
  constexpr std::array<int, 4> names2{0, 4, 8, 0};
  constexpr std::array<int, 4> names3{0, 6, 18, 26};
  Neighbourhood n{.connectivity = planar ? names2[static_cast<std::size_t>(order)]
                                         : names3[static_cast<std::size_t>(order)],
                  .order = order,
                  .open = {true, true, true}};
  if (planar) n.open[static_cast<std::size_t>(slice_wise.value_or(Axis::z))] = false;
  return n;
}

std::vector<RowStep> preceding_rows(const Neighbourhood& neighbourhood) {
  std::vector<RowStep> steps;
  for (const auto& [dy, dz] : {std::pair{-1, 0}, {-1, -1}, {0, -1}, {1, -1}}) {
    const int changed = (dy != 0 ? 1 : 0) + (dz != 0 ? 1 : 0);
    const bool closed = (dy != 0 && !neighbourhood.open[1]) || (dz != 0 && !neighbourhood.open[2]);
    if (!closed && changed <= neighbourhood.order)
      steps.push_back({dy, dz, neighbourhood.open[0] && changed < neighbourhood.order});
  }
  return steps;
}

Axis default_slice_axis(const Grid& grid) {
  if (grid.flat()) return Axis::z;
  // Spacings from a rotated header carry rounding errors, which must not decide a tie.
  const double largest = *std::max_element(grid.spacing.begin(), grid.spacing.end()) * (1 - 1e-5);
  for (const Axis axis : {Axis::z, Axis::y})
    if (grid.spacing[static_cast<std::size_t>(axis)] >= largest) return axis;
  return Axis::x;
}

}  // namespace crema
