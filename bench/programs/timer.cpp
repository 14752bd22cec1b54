// SPDX-License-Identifier: Apache-2.0
// What the Python package is measured against, for bench/python_overhead.py, which loads this by ctypes.
#include <chrono>
#include <cstdint>
#include <vector>

#include "crema/fuse.h"

/// Seconds that the library's own fuse() takes on K masks of one byte per voxel; negative where it throws.
extern "C" double crema_time_fuse(const std::uint8_t* const* masks, int raters, const std::int32_t* size,
                                  const char* method) try {
  using Clock = std::chrono::steady_clock;
  crema::Grid grid;
  grid.size = {size[0], size[1], size[2]};
  std::vector<crema::Mask> views;
  for (int k = 0; k < raters; ++k)
    views.emplace_back(masks[k], static_cast<std::size_t>(grid.voxels()));  // NOLINT: C knows no spans
  const auto start = Clock::now();
  const crema::Consensus consensus = crema::fuse(grid, views, {.method = method});
  return std::chrono::duration<double>(Clock::now() - start).count();
} catch (...) {
  return -1;
}
