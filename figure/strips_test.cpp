// SPDX-License-Identifier: Apache-2.0
#include "figure/strips.h"

#include <algorithm>
#include <cstdlib>
#include <random>

#include <gtest/gtest.h>

#include "crema/fuse.h"

namespace crema::figure {
namespace {

using Place3 = std::array<std::int32_t, 3>;

/// Steps by the definition of each neighbourhood.
int plain_steps(const Place3& a, const Place3& b, const Neighbourhood& neighbourhood) {
  int sum = 0, most = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const int apart = std::abs(a[i] - b[i]);
    if (!neighbourhood.open[i] && apart > 0) return 1 << 20;
    sum += apart;
    most = std::max(most, apart);
  }
  if (neighbourhood.connectivity == 4 || neighbourhood.connectivity == 6) return sum;
  return neighbourhood.connectivity == 18 ? std::max(most, (sum + 1) / 2) : most;
}

Place3 place_in(const Grid& grid, std::int64_t voxel) {
  return {static_cast<std::int32_t>(voxel % grid.size[0]),
          static_cast<std::int32_t>(voxel / grid.size[0] % grid.size[1]),
          static_cast<std::int32_t>(voxel / grid.size[0] / grid.size[1])};
}

/// The voxels of a rater in a component.
std::vector<Place3> sources(const Reduction& reduction, std::size_t c, int rater) {
  std::vector<Place3> found;
  std::size_t n = 0;
  const Crowns& crowns = reduction.crowns[c];
  for (const Run& run : reduction.components.runs_of(reduction.components.list[c]))
    for (std::int32_t i = 0; i < run.length; ++i, ++n)
      if ((crowns.tally.rows[crowns.row_of_voxel[n]].raters >> rater & 1U) != 0)
        found.push_back(place_in(reduction.grid, run.first + i));
  return found;
}

TEST(Strip, HasTheStepsToEachRaterWhateverTheNeighbourhood) {
  for (const int connectivity : {6, 18, 26, 4, 8}) {
    SCOPED_TRACE(connectivity);
    std::mt19937 random(static_cast<unsigned>(connectivity));
    const Grid grid{.size = {9, 8, 6}};
    std::vector<std::vector<std::uint8_t>> masks(3);
    for (auto& mask : masks)
      for (std::int64_t v = 0; v < grid.voxels(); ++v)
        mask.push_back(static_cast<std::uint8_t>(random() % 6 == 0));
    const std::vector<Mask> views(masks.begin(), masks.end());
    const Options options{
        .connectivity = connectivity,
        .slice_wise = connectivity < 6 || connectivity == 8 ? std::optional(Axis::z) : std::nullopt};
    const Reduction reduction = reduce(grid, take_votes(grid.voxels(), views), Needs::distances, options);
    const plot::View view = plot::whole(grid, {Axis::z, 3}, plot::Posture::stored);
    for (std::size_t c = 0; c < std::min<std::size_t>(reduction.components.list.size(), 4); ++c)
      for (int k = 0; k < 3; ++k) {
        const std::vector<Place3> drawn = sources(reduction, c, k);
        const plot::Plane<std::int32_t> steps = steps_to_rater(reduction, c, k, view);
        for (int y = 0; y < view.rows(); ++y)
          for (int x = 0; x < view.columns(); ++x) {
            int expected = 1 << 20;
            for (const Place3& at : drawn)
              expected = std::min(expected, plain_steps({x, y, 3}, at, reduction.neighbourhood));
            ASSERT_EQ(steps.at(x, y), expected == 1 << 20 ? -1 : expected) << x << ' ' << y;
          }
      }
  }
}

}  // namespace
}  // namespace crema::figure
