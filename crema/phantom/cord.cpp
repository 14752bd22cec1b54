// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "crema/phantom/blob.h"
#include "crema/phantom/hash.h"
#include "crema/phantom/scene.h"

namespace crema::phantom {
namespace {

constexpr Vector kSpacing{0.5, 0.5, 5};
constexpr double kWidth = 14, kHeight = 11;  ///< semi-axes in voxels where the grid is large enough

/// Four horns and a furrow in front and behind, in polynomials of the direction.
double butterfly(const Vector& u) {
  const double x2 = u[0] * u[0];
  const double fourfold = 8 * x2 * x2 - 8 * x2 + 1;
  return 0.80 - 0.13 * fourfold + 0.06 * (2 * x2 - 1) + 0.03 * u[1];
}

struct Slices {
  Grid grid;
  std::uint64_t seed;
  double shrink;  ///< 1, less where the grid is small

  /// The axis of the cord bends like a parabola and jumps a little from slice to slice.
  [[nodiscard]] Blob blob_in(std::int32_t z) const {
    const double along = grid.size[2] == 1 ? 0 : 2.0 * z / (grid.size[2] - 1) - 1;
    Vector centre{0, 0, static_cast<double>(z)};
    for (std::size_t a = 0; a < 2; ++a) {
      const double bend = 4 * spread(bits(seed, Draw::curve, 0, a)) * along * along;
      const double tilt = 4 * spread(bits(seed, Draw::curve, 1, a)) * along;
      const double jump = 0.8 * spread(bits(seed, Draw::slice, z, a));
      centre[a] = 0.5 * (grid.size[a] - 1) + shrink * (bend + tilt + jump);
    }
    const double swelling = shrink * (1 + 0.12 * along + 0.05 * spread(bits(seed, Draw::size, z)));
    return straight_blob(centre, {kWidth * swelling, kHeight * swelling, 0});
  }

  void draw_slice(int rater, std::int32_t z, std::span<std::uint8_t> mask) const {
    Blob blob = blob_in(z);
    for (std::size_t a = 0; a < 2; ++a)
      blob.centre[a] += 0.8 * shrink * spread(bits(seed, Draw::shift, rater, z, a));
    const double scale =
        1 + 0.06 * spread(bits(seed, Draw::bias, rater)) + 0.05 * spread(bits(seed, Draw::scale, rater, z));
    const Rough contour(bits(seed, Draw::contour, rater, z), 3);
    draw(grid, mask, blob, 0.3, 1.5, [&](const Vector& u, double radius) {
      return radius < butterfly(u) * (scale + 0.16 * contour.at(u));
    });
  }

  /// Raters do not agree on the first and the last slice.
  void draw_all(int rater, std::span<std::uint8_t> mask) const {
    const auto skipped = [&](int end) {
      return grid.size[2] < 4 ? 0 : static_cast<std::int32_t>(bits(seed, Draw::ends, rater, end) % 2);
    };
    for (std::int32_t z = skipped(0); z < grid.size[2] - skipped(1); ++z) draw_slice(rater, z, mask);
  }
};

}  // namespace

Scene cord_scene(const std::array<std::int32_t, 3>& size, std::uint64_t seed) {
  const double room = std::min(size[0] / (3.2 * kWidth), size[1] / (3.2 * kHeight));
  Slices slices{.grid = {.size = size}, .seed = seed, .shrink = std::min(1.0, room)};
  for (std::size_t a = 0; a < 3; ++a) {
    slices.grid.spacing[a] = a == 2 ? kSpacing[a] : kSpacing[a] / slices.shrink;
    slices.grid.origin[a] = -0.5 * (size[a] - 1) * slices.grid.spacing[a];
  }
  return {slices.grid, [slices](int rater, std::span<std::uint8_t> mask) { slices.draw_all(rater, mask); }};
}

}  // namespace crema::phantom
