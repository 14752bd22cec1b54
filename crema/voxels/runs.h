// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "crema/image/grid.h"
#include "crema/voxels/components.h"
#include "crema/voxels/votes/votes.h"

namespace crema {

/// An image row that has runs, and the first of them.
struct Row {
  std::int64_t number;
  std::uint32_t first_run;
};

/// Runs of the whole image in raster order. Rows without runs are not kept, so that background costs nothing.
struct RunTable {
  std::vector<Run> runs;
  std::vector<Row> rows = {};  ///< closed by one that is behind all others

  [[nodiscard]] std::size_t row_count() const { return rows.size() - 1; }
  void add_row(std::int64_t number) { rows.push_back({number, static_cast<std::uint32_t>(runs.size())}); }
  void add_run(const Run& run) { runs.push_back(run); }
};

/// Throws ResourceError unless finding the components may have so many bytes for a while.
void require_for_components(const MemoryAccount& memory, std::int64_t bytes);

/// The runs of the union, none longer than `longest`. Throws ResourceError where memory does not allow them.
RunTable find_runs(const Grid& grid, const Votes& votes, std::int32_t longest, const MemoryAccount* memory);

}  // namespace crema
