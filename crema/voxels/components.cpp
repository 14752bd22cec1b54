// SPDX-License-Identifier: Apache-2.0
#include "crema/voxels/components.h"

#include <algorithm>

#include "crema/base/memory.h"
#include "crema/voxels/links.h"
#include "crema/voxels/runs.h"

namespace crema {
namespace {

/// Takes a run of row (y, z) into its component.
void extend(Component& component, const Run& run, std::int64_t row_begin, std::int32_t y, std::int32_t z) {
  const auto x = static_cast<std::int32_t>(run.first - row_begin);
  const Box own{{x, y, z}, {x + run.length, y + 1, z + 1}};
  component.box = united(component.box, own);
  component.voxels += run.length;
  ++component.runs;
}

/// Numbers the trees by their roots, and returns the number of each run.
std::vector<std::uint32_t> number_trees(const RunTable& table, const Grid& grid, Forest& forest,
                                        std::vector<Component>& list) {
  std::vector<std::uint32_t> number(table.runs.size());
  list.reserve(forest.trees());
  for (std::size_t i = 0; i < table.row_count(); ++i) {
    const Row& row = table.rows[i];
    const auto z = static_cast<std::int32_t>(row.number / grid.size[1]);
    const auto y = static_cast<std::int32_t>(row.number % grid.size[1]);
    for (std::uint32_t r = row.first_run; r < table.rows[i + 1].first_run; ++r) {
      const std::uint32_t root = forest.find(r);
      number[r] = root == r ? static_cast<std::uint32_t>(list.size()) : number[root];
      if (root == r) list.emplace_back();
      extend(list[number[r]], table.runs[r], row.number * grid.size[0], y, z);
    }
  }
  return number;
}

/// The table and the forest, and what is made of them.
std::int64_t gathering_bytes(const RunTable& table, std::size_t trees) {
  const std::size_t runs = table.runs.size() * (2 * sizeof(Run) + 2 * sizeof(std::uint32_t));
  return static_cast<std::int64_t>(runs + table.rows.size() * sizeof(Row) +
                                   trees * (sizeof(Component) + sizeof(std::size_t)));
}

/// Sorts the runs by tree, keeping raster order inside each.
Components gather(const RunTable& table, const Grid& grid, Forest& forest) {
  Components result;
  const auto number = number_trees(table, grid, forest, result.list);
  std::size_t begin = 0;
  for (Component& component : result.list) {
    component.first_run = begin;
    begin += component.runs;
  }
  result.runs.resize(table.runs.size());
  std::vector<std::size_t> next(result.list.size());
  for (std::size_t c = 0; c < next.size(); ++c) next[c] = result.list[c].first_run;
  for (std::size_t r = 0; r < number.size(); ++r) result.runs[next[number[r]]++] = table.runs[r];
  return result;
}

}  // namespace

Components find_components(const Grid& grid, const Votes& votes, const Neighbourhood& neighbourhood,
                           const MemoryAccount* memory) {
  // Where x is closed every voxel is a run of its own, so that no run crosses a slice.
  const std::int32_t longest = neighbourhood.open[0] ? grid.size[0] : 1;
  const RunTable table = find_runs(grid, votes, longest, memory);
  Forest forest = link_runs(table, grid, neighbourhood);
  if (memory != nullptr) require_for_components(*memory, gathering_bytes(table, forest.trees()));
  return gather(table, grid, forest);
}

}  // namespace crema
