// SPDX-License-Identifier: Apache-2.0
#include "crema/spatial/extent.h"

#include <algorithm>
#include <vector>

#include "crema/base/parallel.h"

namespace crema {
namespace {

bool row_is_occupied(const Votes& votes, std::int64_t begin, std::int64_t end) {
  const auto blocks = votes.occupied();
  for (std::int64_t b = begin / Votes::kBlock; b <= (end - 1) / Votes::kBlock; ++b)
    if (blocks[static_cast<std::size_t>(b)] != 0) return true;
  return false;
}

/// The voxels of one row, x in [low, high), that hold one of `raters`, as a box.
template <class Set>
Box extent_of_row(const Set* row, std::int32_t low, std::int32_t high, Set raters, std::int32_t y,
                  std::int32_t z) {
  while (low < high && (row[low] & raters) == 0) ++low;
  while (low < high && (row[high - 1] & raters) == 0) --high;
  if (low >= high) return {};
  return {.low = {low, y, z}, .high = {high, y + 1, z + 1}};
}

}  // namespace

Box common(const Box& a, const Box& b) {
  Box result;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    result.low[axis] = std::max(a.low[axis], b.low[axis]);
    result.high[axis] = std::min(a.high[axis], b.high[axis]);
  }
  return result;
}

Box extent_of(const Grid& grid, const Votes& votes, const Box& within, Raters raters) {
  if (is_empty(within)) return {};
  std::vector<Box> of_slice(static_cast<std::size_t>(within.size()[2]));
  votes.visit([&]<class Set>(const Set* sets) {
    parallel_for(within.size()[2], [&](std::int64_t slice) {
      const auto z = within.low[2] + static_cast<std::int32_t>(slice);
      Box& own = of_slice[static_cast<std::size_t>(slice)];
      for (std::int32_t y = within.low[1]; y < within.high[1]; ++y) {
        const std::int64_t row = (std::int64_t{z} * grid.size[1] + y) * grid.size[0];
        if (row_is_occupied(votes, row + within.low[0], row + within.high[0]))
          own = united(
              own, extent_of_row(sets + row, within.low[0], within.high[0], static_cast<Set>(raters), y, z));
      }
    });
  });
  Box all;
  for (const Box& box : of_slice) all = united(all, box);
  return all;
}

Box padded(const Grid& grid, const Box& box, const std::array<std::int32_t, 3>& margin) {
  Box result = box;
  for (std::size_t a = 0; a < 3; ++a) {
    result.low[a] = std::max(0, box.low[a] - margin[a]);
    result.high[a] = box.high[a] + std::min(margin[a], grid.size[a] - box.high[a]);
  }
  return result;
}

}  // namespace crema
