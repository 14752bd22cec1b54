// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "crema/phantom/blob.h"
#include "crema/phantom/hash.h"
#include "crema/phantom/phantom.h"
#include "crema/phantom/scene.h"

namespace crema::phantom {
namespace {

constexpr Vector kFullExtent{116, 112, 116};  ///< of the organ in the full phantom, in voxels
constexpr Vector kFullSpacing{0.5, 0.3, 0.3};
constexpr double kBumps = 0.06;   ///< shared by all raters
constexpr double kBias = 0.025;   ///< a rater draws everything larger or smaller by up to this share
constexpr double kWander = 0.32;  ///< and wanders off the surface by up to this share, at the ends
constexpr double kSteady = 0.35;  ///< of that, at mid-height

/// The organ keeps its size in voxels while it fits, then shrinks with the grid; larger grids enlarge it.
Vector extent_in(const std::array<std::int32_t, 3>& size) {
  const auto full = phantom_size(PhantomKind::organ, PhantomSize::full);
  Vector extent{};
  for (std::size_t a = 0; a < 3; ++a)
    extent[a] = std::max(std::min(kFullExtent[a], 0.66 * size[a]), kFullExtent[a] * size[a] / full[a]);
  return extent;
}

/// Like a walnut: two lobes behind, a furrow between them, narrower towards the lower end.
double walnut(const Vector& u) {
  const double behind = std::max(0.0, -u[1]);
  const double middle = 1 - u[0] * u[0];
  const double furrow = 0.20 * behind * behind * middle * middle * middle * middle;
  return 0.97 + 0.06 * u[2] + 0.08 * u[0] * u[0] * (1 - u[2] * u[2]) - furrow;
}

/// 1 at the two ends along z, kSteady half-way. A single slice stands for one near an end.
double unsteadiness(const Grid& grid, const Vector& u) {
  return grid.flat() ? 0.7 : kSteady + (1 - kSteady) * u[2] * u[2];
}

}  // namespace

Scene organ_scene(const std::array<std::int32_t, 3>& size, std::uint64_t seed) {
  Scene scene;
  scene.grid.size = size;
  const Vector extent = extent_in(size);
  Vector centre{};
  Vector semi{};
  for (std::size_t a = 0; a < 3; ++a) {
    scene.grid.spacing[a] = kFullSpacing[a] * kFullExtent[a] / (size[a] == 1 ? kFullExtent[a] : extent[a]);
    scene.grid.origin[a] = -0.5 * (size[a] - 1) * scene.grid.spacing[a];
    centre[a] = 0.5 * (size[a] - 1);
    semi[a] = size[a] == 1 ? 0 : 0.5 * extent[a];
  }
  const Blob blob = straight_blob(centre, semi);
  const Rough surface(bits(seed, Draw::surface), 3);
  scene.draw = [grid = scene.grid, blob, surface, seed](int rater, std::span<std::uint8_t> mask) {
    const double bias = kBias * spread(bits(seed, Draw::bias, rater));
    const Rough contour(bits(seed, Draw::contour, rater), 3);
    draw(grid, mask, blob, 0.35, 1.6, [&](const Vector& u, double radius) {
      const double wander = kWander * unsteadiness(grid, u);
      const double share = radius / walnut(u);
      if (share < (1 - kBumps) * (1 - kBias - wander)) return true;
      if (share > (1 + kBumps) * (1 + kBias + wander)) return false;
      return share < (1 + kBumps * surface.at(u)) * (1 + bias + wander * contour.at(u));
    });
  };
  return scene;
}

}  // namespace crema::phantom
