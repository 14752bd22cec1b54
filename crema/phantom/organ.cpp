// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "crema/phantom/blob.h"
#include "crema/phantom/deformation.h"
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

// Of a panel: shares of the organ's radius.
constexpr double kOrganBias = 0.025;           ///< standard deviation of what raters draw larger or smaller
constexpr double kOrganDisplacement = 0.09;    ///< of the displacement at the ends
constexpr double kOrganStep = 0.5;             ///< between control points
constexpr double kOrganSizes = 1.3;            ///< factor by which sizes vary
constexpr Vector kPlaneShare{0.24, 0.235, 0};  ///< of a slice's sides

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

/// About 2 % of the image, as in the paper, whatever its size.
Vector panel_share(const Grid& grid) {
  if (grid.flat()) return kPlaneShare;
  const auto full = phantom_size(PhantomKind::organ, PhantomSize::full);
  return {kFullExtent[0] / full[0], kFullExtent[1] / full[1], kFullExtent[2] / full[2]};
}

}  // namespace

Scene organ_scene(const std::array<std::int32_t, 3>& size, const Panel& panel, std::uint64_t seed) {
  Scene scene;
  scene.grid.size = size;
  const Vector share = panel_share(scene.grid);
  const double factor = varied_size(seed, kOrganSizes);
  Vector centre{}, semi{}, step{}, most{};
  for (std::size_t a = 0; a < 3; ++a) {
    const double usual = share[a] * size[a];  // voxels of an organ of the usual size
    const double shape = 1 + 0.08 * spread(bits(seed, Draw::shape, a));
    scene.grid.spacing[a] = kFullSpacing[a] * (size[a] == 1 ? 1 : kFullExtent[a] / usual);
    scene.grid.origin[a] = -0.5 * (size[a] - 1) * scene.grid.spacing[a];
    centre[a] = 0.5 * (size[a] - 1);
    semi[a] = size[a] == 1 ? 0 : std::max(1.0, 0.5 * factor * shape * usual);
    step[a] = std::max(1.0, kOrganStep * semi[a]);
    most[a] = kOrganDisplacement * semi[a];
  }
  const Blob blob = straight_blob(centre, semi);
  const Rough surface(bits(seed, Draw::surface), 3);
  scene.draw = [grid = scene.grid, blob, surface, step, most, panel, seed](int rater,
                                                                           std::span<std::uint8_t> mask) {
    const Habit habit = habit_of(panel, rater);
    const double size_seen = 1 + kOrganBias * habit.bias;
    const Deformation field(grid, step, panel, seed, rater);
    Vector reach = most;
    for (double& one : reach) one *= habit.steadiness;
    const auto amplitude = [&](const Vector& u) {
      const double part = unsteadiness(grid, u);
      return Vector{part * reach[0], part * reach[1], part * reach[2]};
    };
    const Radii radii{0.7 * (1 - kBumps) * size_seen, 1.2 * (1 + kBumps) * size_seen};
    draw_displaced(grid, mask, blob, field, reach, radii, amplitude, [&](const Vector& u, double radius) {
      return radius < size_seen * walnut(u) * (1 + kBumps * surface.at(u));
    });
  };
  return scene;
}

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
