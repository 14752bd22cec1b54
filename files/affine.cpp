// SPDX-License-Identifier: Apache-2.0
#include "files/affine.h"

namespace crema::files {

namespace {

/// The volume a unit cube with these axes has, below which they count as lying in a plane.
constexpr double kFlat = 1e-6;

double determinant(const std::array<double, 9>& m) {
  return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
         m[2] * (m[3] * m[7] - m[4] * m[6]);
}

bool all_finite(const Affine& affine) {
  const auto finite = [](double x) { return std::isfinite(x); };
  return std::all_of(affine.matrix.begin(), affine.matrix.end(), finite) &&
         std::all_of(affine.shift.begin(), affine.shift.end(), finite);
}

}  // namespace

Affine affine_of(const Grid& grid) {
  Affine affine;
  for (std::size_t i = 0; i < 9; ++i) affine.matrix[i] = grid.direction[i] * grid.spacing[i % 3];
  affine.shift = grid.origin;
  return affine;
}

void set_affine(Grid& grid, const Affine& affine) {
  for (std::size_t c = 0; c < 3; ++c) grid.spacing[c] = norm(affine.column(c));
  for (std::size_t i = 0; i < 9; ++i) grid.direction[i] = affine.matrix[i] / grid.spacing[i % 3];
  grid.origin = affine.shift;
}

std::optional<Affine> inverse(const Affine& affine) {
  const auto& m = affine.matrix;
  const Vec length{norm(affine.column(0)), norm(affine.column(1)), norm(affine.column(2))};
  const double det = determinant(m);
  if (!all_finite(affine) || !std::all_of(length.begin(), length.end(), is_length) ||
      !(std::abs(det) > kFlat * length[0] * length[1] * length[2]))
    return {};
  Affine result;
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t r1 = (c + 1) % 3, r2 = (c + 2) % 3, c1 = (r + 1) % 3, c2 = (r + 2) % 3;
      result.matrix[3 * r + c] = (m[3 * r1 + c1] * m[3 * r2 + c2] - m[3 * r1 + c2] * m[3 * r2 + c1]) / det;
    }
  }
  if (!all_finite(result)) return {};
  const Vec shift = result(affine.shift);
  result.shift = {-shift[0], -shift[1], -shift[2]};
  return result;
}

Affine compose(const Affine& outer, const Affine& inner) {
  Affine result;
  const Vec origin = outer({0, 0, 0});
  for (std::size_t c = 0; c < 3; ++c) {
    const Vec image = outer(inner.column(c));
    for (std::size_t r = 0; r < 3; ++r) result.matrix[3 * r + c] = image[r] - origin[r];
  }
  result.shift = outer(inner.shift);
  return result;
}

double corner_displacement(const Affine& a, const Affine& b, const std::array<std::int32_t, 3>& size) {
  double most = 0;
  for (unsigned corner = 0; corner < 8; ++corner) {
    Vec p{};
    for (std::size_t i = 0; i < 3; ++i) p[i] = ((corner >> i) & 1u) != 0 ? size[i] - 1 : 0;
    const Vec q = a(p), r = b(p);
    most = std::max(most, norm({q[0] - r[0], q[1] - r[1], q[2] - r[2]}));
  }
  return most;
}

}  // namespace crema::files
