// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "crema/phantom/deformation.h"
#include "crema/phantom/hash.h"
#include "crema/phantom/lesions.h"
#include "crema/phantom/scene.h"

namespace crema::phantom {
namespace {

constexpr double kSeenByFew = 0.25, kPanelSeenByFew = 0.5;
constexpr double kLesionBumps = 0.25;  ///< shared by all raters, in radii

/// How many raters see a lesion: one lesion in four, of a panel one in two, is seen by fewer than half of
/// them, the largest by all.
int drawn_by(const Lesion& lesion, std::size_t number, int raters, double by_few) {
  if (number == 0) return raters;
  const int fewer = (raters - 1) / 2;
  const double chance = unit(bits(lesion.key, Draw::count, 0));
  const double share = unit(bits(lesion.key, Draw::count, 1));
  if (fewer > 0 && chance < by_few) return 1 + static_cast<int>(share * fewer);
  return raters - static_cast<int>(share * share * (fewer + 1));
}

/// A rater sees it when fewer than `drawn_by` others have the sharper eyes for this lesion.
bool sees(const Lesion& lesion, std::size_t number, int rater, int raters) {
  const auto eyes = [&](int r) { return bits(lesion.key, Draw::order, r); };
  int sharper = 0;
  for (int other = 0; other < raters; ++other) sharper += eyes(other) < eyes(rater) ? 1 : 0;
  return sharper < drawn_by(lesion, number, raters, kSeenByFew);
}

/// The same in a panel: who is keen sees more of all.
bool sees(const Lesion& lesion, std::size_t number, int rater, int raters, const Panel& panel) {
  const auto eyes = [&](int r) {
    return unit(bits(lesion.key, Draw::order, r)) - 0.4 * habit_of(panel, r).keenness;
  };
  const double own = eyes(rater);
  int sharper = 0;
  for (int other = 0; other < raters; ++other) sharper += other != rater && eyes(other) < own ? 1 : 0;
  return sharper < drawn_by(lesion, number, raters, kPanelSeenByFew);
}

/// Shared bumps, and a size, a place and bumps of the rater's own; up to half a voxel whatever the size.
void draw_lesion(const Grid& grid, const Lesion& lesion, int rater, double bias,
                 std::span<std::uint8_t> mask) {
  const double half_voxel = std::min(0.3, 0.5 / lesion.radius);
  Blob blob = lesion.blob;
  for (std::size_t a = 0; a < 3; ++a) {
    const double shift = std::min(0.4, 0.1 * lesion.radius) + 0.04 * lesion.radius;
    if (blob.reach[a] > 0) blob.centre[a] += shift * spread(bits(lesion.key, Draw::shift, rater, a));
  }
  const double scale = 1 + bias + (0.06 + half_voxel) * spread(bits(lesion.key, Draw::scale, rater));
  const Rough surface(bits(lesion.key, Draw::surface), 2);
  const Rough contour(bits(lesion.key, Draw::contour, rater), 2);
  const double low = scale + kLesionBumps * surface.lowest() + 0.22 * contour.lowest();
  const double high = scale + kLesionBumps * surface.highest() + 0.22 * contour.highest();
  draw(grid, mask, blob, low, high, [&](const Vector& u, double radius) {
    const double shared = scale + kLesionBumps * surface.at(u);
    if (radius < shared + 0.22 * contour.lowest()) return true;
    if (radius >= shared + 0.22 * contour.highest()) return false;
    return radius < shared + 0.22 * contour.at(u);
  });
}

/// Up to a voxel off, and a tenth of the radius, whatever the size.
void draw_lesion(const Grid& grid, const Lesion& lesion, const Habit& habit, const Deformation& field,
                 std::span<std::uint8_t> mask) {
  const double scale = 1 + habit.bias * (0.04 + std::min(0.2, 0.35 / lesion.radius));
  const double reach = habit.steadiness * (0.45 + 0.07 * lesion.radius);
  const Vector most{reach, reach, lesion.blob.reach[2] > 0 ? reach : 0};
  const Rough surface(bits(lesion.key, Draw::surface), 2);
  const Radii radii{scale + kLesionBumps * surface.lowest(), scale + kLesionBumps * surface.highest()};
  draw_displaced(
      grid, mask, lesion.blob, field, most, radii, [&](const Vector&) { return most; },
      [&](const Vector& u, double radius) { return radius < scale + kLesionBumps * surface.at(u); });
}

Grid lesion_grid(const std::array<std::int32_t, 3>& size) {
  Grid grid{.size = size};
  for (std::size_t a = 0; a < 3; ++a) grid.origin[a] = -0.5 * (size[a] - 1);
  return grid;
}

}  // namespace

Scene lesion_scene(const std::array<std::int32_t, 3>& size, int raters, int lesions, const Panel& panel,
                   std::uint64_t seed) {
  Scene scene{.grid = lesion_grid(size), .draw = {}};
  const double burden = varied_size(seed, 2);
  const int count = std::max(3, static_cast<int>(burden * lesion_count(size)));
  auto placed = place_lesions(size, lesions > 0 ? lesions : count, seed);
  scene.draw = [grid = scene.grid, placed = std::move(placed), raters, panel, seed](
                   int rater, std::span<std::uint8_t> mask) {
    const Habit habit = habit_of(panel, rater);
    const Deformation field(grid, {9, 9, 9}, panel, seed, rater);
    for (std::size_t i = 0; i < placed.size(); ++i)
      if (sees(placed[i], i, rater, raters, panel)) draw_lesion(grid, placed[i], habit, field, mask);
  };
  return scene;
}

Scene lesion_scene(const std::array<std::int32_t, 3>& size, int raters, int lesions, std::uint64_t seed) {
  Scene scene{.grid = lesion_grid(size), .draw = {}};
  auto placed = place_lesions(size, lesions > 0 ? lesions : lesion_count(size), seed);
  scene.draw = [grid = scene.grid, placed = std::move(placed), raters, seed](int rater,
                                                                             std::span<std::uint8_t> mask) {
    const double bias = 0.08 * spread(bits(seed, Draw::bias, rater));
    for (std::size_t i = 0; i < placed.size(); ++i)
      if (sees(placed[i], i, rater, raters)) draw_lesion(grid, placed[i], rater, bias, mask);
  };
  return scene;
}

}  // namespace crema::phantom
