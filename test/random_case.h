// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "crema/fuse.h"
#include "test/slow.h"

/// Small random multi-rater cases, all from one number, so that a failure is repeated by that number.
namespace random_case {

/// SplitMix64: small, and the same on every machine.
struct Dice {
  std::uint64_t state;

  std::uint64_t next() {
    std::uint64_t z = (state += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }
  int roll(int low, int high) {
    return low + static_cast<int>(next() % static_cast<std::uint64_t>(high - low + 1));
  }
};

struct Case {
  crema::Grid grid;
  slow::Masks masks;
  slow::Setting setting;

  [[nodiscard]] std::vector<crema::Mask> views() const { return {masks.begin(), masks.end()}; }
  [[nodiscard]] crema::Options options() const {
    return {.method = setting.distance == crema::Distance::dice ? "dice" : "jaccard",
            .connectivity = setting.connectivity,
            .slice_wise = setting.slice_wise,
            .tie = setting.tie};
  }
};

/// A box that all raters draw with their own error at each side.
inline void draw_object(Dice& dice, const crema::Grid& grid, slow::Masks& masks) {
  std::array<int, 3> low{}, high{};
  for (std::size_t a = 0; a < 3; ++a) {
    low[a] = dice.roll(0, grid.size[a] - 1);
    high[a] = dice.roll(low[a], grid.size[a] - 1);
  }
  for (auto& mask : masks) {
    if (dice.roll(0, 4) == 0) continue;
    auto l = low, h = high;
    for (std::size_t a = 0; a < 3; ++a) {
      l[a] += dice.roll(-1, 1);
      h[a] += dice.roll(-1, 1);
    }
    for (std::size_t v = 0; v < mask.size(); ++v) {
      const auto p = slow::point(grid, v);
      bool inside = true;
      for (std::size_t a = 0; a < 3; ++a) inside = inside && p[a] >= l[a] && p[a] <= h[a];
      if (inside) mask[v] = 1;
    }
  }
}

inline void add_noise(Dice& dice, slow::Masks& masks) {
  const int percent = dice.roll(1, 60);
  for (auto& mask : masks)
    for (auto& voxel : mask)
      if (dice.roll(1, 100) <= percent) voxel = static_cast<std::uint8_t>(dice.roll(1, 255));
}

inline Case make(std::uint64_t seed, int max_raters = 6, int longest = 7) {
  Dice dice{seed};
  Case c;
  const bool flat = dice.roll(0, 1) == 0;
  c.grid.size = {dice.roll(1, longest), dice.roll(1, longest - 1), flat ? 1 : dice.roll(2, 4)};
  c.masks.assign(static_cast<std::size_t>(dice.roll(1, max_raters)),
                 std::vector<std::uint8_t>(static_cast<std::size_t>(c.grid.voxels()), 0));
  for (int objects = dice.roll(0, 2); objects > 0; --objects) draw_object(dice, c.grid, c.masks);
  if (dice.roll(0, 1) == 0) add_noise(dice, c.masks);
  constexpr std::array planar{4, 8};
  constexpr std::array solid{6, 18, 26};
  if (!flat && dice.roll(0, 3) == 0) c.setting.slice_wise = static_cast<crema::Axis>(dice.roll(0, 2));
  c.setting.connectivity = flat || c.setting.slice_wise ? planar[static_cast<std::size_t>(dice.roll(0, 1))]
                                                        : solid[static_cast<std::size_t>(dice.roll(0, 2))];
  c.setting.distance = dice.roll(0, 1) == 0 ? crema::Distance::jaccard : crema::Distance::dice;
  c.setting.tie = dice.roll(0, 1) == 0 ? crema::Tie::background : crema::Tie::foreground;
  return c;
}

}  // namespace random_case
