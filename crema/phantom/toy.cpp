// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "crema/phantom/hash.h"
#include "crema/phantom/scene.h"

namespace crema::phantom {
namespace {

/// Columns [begin, end) of a rater's block, rows [low, high).
struct Block {
  std::int32_t begin, end, low, high;
};

/// The blocks share the width; those of many raters on few columns coincide.
Block block_of(const std::array<std::int32_t, 3>& size, int raters, int rater, std::uint64_t seed) {
  const std::int64_t margin = size[0] / 8, width = size[0] - 2 * margin;
  const auto edge = [&](std::int64_t k) { return static_cast<std::int32_t>(margin + k * width / raters); };
  const std::int32_t begin = edge(rater), end = std::max(begin + 1, edge(rater + 1));
  // Each holds the middle row, so that neighbours touch.
  const auto reach = [&](int side) {
    const double share = 0.15 + 0.25 * unit(bits(seed, Draw::size, rater, side));
    return std::max(1, static_cast<std::int32_t>(share * size[1]));
  };
  const std::int32_t middle = size[1] / 2;
  return {begin, end, std::max(0, middle - reach(0)), std::min(size[1], middle + reach(1))};
}

}  // namespace

Scene toy_scene(const std::array<std::int32_t, 3>& size, int raters, std::uint64_t seed) {
  Scene scene;
  scene.grid.size = size;
  scene.draw = [size, raters, seed](int rater, std::span<std::uint8_t> mask) {
    const Block block = block_of(size, raters, rater, seed);
    for (std::int64_t z = 0; z < size[2]; ++z)
      for (std::int64_t y = block.low; y < block.high; ++y) {
        const auto row = mask.subspan(static_cast<std::size_t>((z * size[1] + y) * size[0]));
        std::fill_n(row.begin() + block.begin, block.end - block.begin, std::uint8_t{1});
      }
  };
  return scene;
}

}  // namespace crema::phantom
