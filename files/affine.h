// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

#include "crema/image/grid.h"

namespace crema::files {

using Vec = std::array<double, 3>;

/// p ↦ matrix · p + shift; the matrix is row-major.
struct Affine {
  std::array<double, 9> matrix{1, 0, 0, 0, 1, 0, 0, 0, 1};
  Vec shift{0, 0, 0};

  [[nodiscard]] Vec operator()(const Vec& p) const {
    Vec q = shift;
    for (std::size_t r = 0; r < 3; ++r) {
      for (std::size_t c = 0; c < 3; ++c) q[r] += matrix[3 * r + c] * p[c];
    }
    return q;
  }
  [[nodiscard]] Vec column(std::size_t c) const { return {matrix[c], matrix[3 + c], matrix[6 + c]}; }
};

/// Whether a number can be the size of a voxel in any unit a file may use. What lies beyond is no
/// measurement, and its products would not be finite or would be 0.
inline bool is_length(double value) {
  const double length = std::abs(value);
  return length >= 1e-12 && length <= 1e12;
}

inline double norm(const Vec& v) { return std::hypot(v[0], v[1], v[2]); }

/// Voxel to millimetres.
Affine affine_of(const Grid& grid);

/// Sets spacing, direction and origin; the columns must not be 0.
void set_affine(Grid& grid, const Affine& affine);

/// Nothing when an entry is not finite, a column has no usable length or the columns nearly lie in a plane.
std::optional<Affine> inverse(const Affine& affine);

/// The first map after the second: p ↦ outer(inner(p)).
Affine compose(const Affine& outer, const Affine& inner);

/// How far the two maps put a corner of the grid apart, at most.
double corner_displacement(const Affine& a, const Affine& b, const std::array<std::int32_t, 3>& size);

}  // namespace crema::files
