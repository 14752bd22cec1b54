// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "crema/phantom/blob.h"
#include "crema/phantom/deformation.h"
#include "crema/phantom/hash.h"
#include "crema/phantom/scene.h"

namespace crema::phantom {
namespace {

constexpr Vector kSpacing{0.5, 0.5, 5};
constexpr double kWidth = 14, kHeight = 11;  ///< semi-axes in voxels where the grid is large enough

// Of a panel.
constexpr double kGrey = 0.75, kWhole = 1.55;  ///< factors of the semi-axes
constexpr double kCordSizes = 1.4;             ///< factor by which sizes vary
constexpr double kCordBias = 0.04;             ///< standard deviation of what raters draw larger or smaller
constexpr double kGreyDisplacement = 0.9;      ///< standard deviation of the displacement, in voxels
constexpr double kWholeDisplacement = 0.8;
constexpr Vector kCordStep{6, 6, 1.5};  ///< voxels between control points

/// Four horns and a furrow in front and behind, in polynomials of the direction.
double butterfly(const Vector& u) {
  const double x2 = u[0] * u[0];
  const double fourfold = 8 * x2 * x2 - 8 * x2 + 1;
  return 0.80 - 0.13 * fourfold + 0.06 * (2 * x2 - 1) + 0.03 * u[1];
}

double ellipse(const Vector& u) { return 0.98 + 0.02 * (2 * u[0] * u[0] - 1); }

struct Slices {
  Grid grid;
  std::uint64_t seed;
  double shrink;    ///< 1, less where the grid is small
  double size = 1;  ///< factor of the semi-axes

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
    return straight_blob(centre, {kWidth * size * swelling, kHeight * size * swelling, 0});
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

  /// Raters do not agree on the first and the last slice: one in so many leaves it out.
  [[nodiscard]] std::int32_t skipped(int rater, int end, std::uint64_t in) const {
    return grid.size[2] >= 4 && bits(seed, Draw::ends, rater, end) % in == 1 ? 1 : 0;
  }

  void draw_all(int rater, std::span<std::uint8_t> mask) const {
    for (std::int32_t z = skipped(rater, 0, 2); z < grid.size[2] - skipped(rater, 1, 2); ++z)
      draw_slice(rater, z, mask);
  }

  void draw_all(int rater, Matter matter, const Panel& panel, std::span<std::uint8_t> mask) const {
    const Habit habit = habit_of(panel, rater);
    const Vector step{shrink * kCordStep[0], shrink * kCordStep[1], kCordStep[2]};
    const Deformation field(grid, step, panel, seed, rater);
    const double size_seen = 1 + kCordBias * habit.bias;
    const double displacement = matter == Matter::grey ? kGreyDisplacement : kWholeDisplacement;
    const double reach = displacement * shrink * habit.steadiness;
    const Vector most{reach, reach, 0};
    const Rough surface(bits(seed, Draw::surface), 2);
    for (std::int32_t z = skipped(rater, 0, 5); z < grid.size[2] - skipped(rater, 1, 5); ++z)
      draw_displaced(
          grid, mask, blob_in(z), field, most, {0.4, 1.3}, [&](const Vector&) { return most; },
          [&](const Vector& u, double radius) {
            const double shape = matter == Matter::grey ? butterfly(u) : ellipse(u);
            return radius < size_seen * shape * (1 + 0.05 * surface.at(u));
          });
  }
};

Grid cord_grid(const std::array<std::int32_t, 3>& size, double shrink) {
  Grid grid{.size = size};
  for (std::size_t a = 0; a < 3; ++a) {
    grid.spacing[a] = a == 2 ? kSpacing[a] : kSpacing[a] / shrink;
    grid.origin[a] = -0.5 * (size[a] - 1) * grid.spacing[a];
  }
  return grid;
}

}  // namespace

Scene cord_scene(const std::array<std::int32_t, 3>& size, std::uint64_t seed) {
  const double room = std::min(size[0] / (3.2 * kWidth), size[1] / (3.2 * kHeight));
  const double shrink = std::min(1.0, room);
  const Slices slices{.grid = cord_grid(size, shrink), .seed = seed, .shrink = shrink};
  return {slices.grid, [slices](int rater, std::span<std::uint8_t> mask) { slices.draw_all(rater, mask); }};
}

Scene cord_scene(const std::array<std::int32_t, 3>& size, Matter matter, const Panel& panel,
                 std::uint64_t seed) {
  const double factor = matter == Matter::grey ? kGrey : kWhole;
  const double widest = 3.2 * kWhole * kCordSizes;
  const double shrink = std::min(1.0, std::min(size[0] / (widest * kWidth), size[1] / (widest * kHeight)));
  const Slices slices{.grid = cord_grid(size, shrink),
                      .seed = seed,
                      .shrink = shrink,
                      .size = factor * varied_size(seed, kCordSizes)};
  return {slices.grid, [slices, matter, panel](int rater, std::span<std::uint8_t> mask) {
            slices.draw_all(rater, matter, panel, mask);
          }};
}

}  // namespace crema::phantom
