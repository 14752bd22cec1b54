// SPDX-License-Identifier: Apache-2.0
#include "crema/voxels/components.h"

#include <algorithm>

#include "crema/base/memory.h"
#include "crema/base/parallel.h"
#include "crema/voxels/forest.h"
#include "crema/voxels/runs.h"

namespace crema {
namespace {

/// Joins the runs of two rows, given by their places in the table, that touch when one may be shifted by
/// `slack` voxels.
void link_rows(const RunTable& table, std::size_t row, std::size_t other, std::int64_t nx, std::int64_t slack,
               Forest& forest) {
  std::uint32_t a = table.rows[row].first_run, b = table.rows[other].first_run;
  const std::uint32_t a_end = table.rows[row + 1].first_run, b_end = table.rows[other + 1].first_run;
  const std::int64_t shift = (table.rows[row].number - table.rows[other].number) * nx;
  while (a < a_end && b < b_end) {
    const Run& ra = table.runs[a];
    const Run& rb = table.runs[b];
    const std::int64_t b_first = rb.first + shift;
    if (ra.first < b_first + rb.length + slack && b_first < ra.first + ra.length + slack) forest.join(a, b);
    if (ra.first + ra.length < b_first + rb.length)
      ++a;
    else
      ++b;
  }
}

/// Links the rows at the places [begin, end) of the table to the ones a step before them whose places are in
/// [other_begin, other_end).
void link_range(const RunTable& table, const Grid& grid, const RowStep& step, std::size_t begin,
                std::size_t end, std::size_t other_begin, std::size_t other_end, Forest& forest) {
  const std::int64_t ny = grid.size[1], offset = step.dy + step.dz * ny;
  // Both rows move forwards, so the other one is found by walking along.
  std::size_t other = other_begin;
  for (std::size_t row = begin; row < end; ++row) {
    const std::int64_t number = table.rows[row].number, y = number % ny;
    while (other < other_end && table.rows[other].number < number + offset) ++other;
    if (other == other_end) return;
    if (table.rows[other].number != number + offset || y + step.dy < 0 || y + step.dy >= ny) continue;
    link_rows(table, row, other, grid.size[0], step.wide ? 1 : 0, forest);
  }
}

/// Pieces of rows are linked inside at the same time, then across their borders one after the other.
/// A root is always the smallest run of its tree, so the order of joins does not show.
void link_all(const RunTable& table, const Grid& grid, const Neighbourhood& neighbourhood, Forest& forest) {
  const auto steps = preceding_rows(neighbourhood);
  const std::int64_t reach = grid.size[1] + 1;
  const auto grain = static_cast<std::size_t>(std::max<std::int64_t>(8 * reach, 1 << 12));
  const std::size_t rows = table.row_count();
  parallel_pieces(static_cast<std::int64_t>(rows), static_cast<std::int64_t>(grain),
                  [&](std::int64_t first, std::int64_t last) {
                    const auto begin = static_cast<std::size_t>(first), end = static_cast<std::size_t>(last);
                    for (const RowStep& step : steps)
                      link_range(table, grid, step, begin, end, begin, end, forest);
                  });
  const auto behind = [&](std::int64_t number) {
    const auto at = std::lower_bound(table.rows.begin(), table.rows.end(), number,
                                     [](const Row& row, std::int64_t n) { return row.number < n; });
    return std::min(rows, static_cast<std::size_t>(at - table.rows.begin()));
  };
  for (std::size_t border = grain; border < rows; border += grain) {
    const std::int64_t number = table.rows[border].number;
    for (const RowStep& step : steps)
      link_range(table, grid, step, border, behind(number + reach), behind(number - reach), border, forest);
  }
}

/// Takes a run of row (y, z) into its component.
void extend(Component& component, const Run& run, std::int64_t row_begin, std::int32_t y, std::int32_t z) {
  const auto x = static_cast<std::int32_t>(run.first - row_begin);
  const Box own{{x, y, z}, {x + run.length, y + 1, z + 1}};
  if (component.runs == 0) component.box = own;
  for (std::size_t a = 0; a < 3; ++a) {
    component.box.low[a] = std::min(component.box.low[a], own.low[a]);
    component.box.high[a] = std::max(component.box.high[a], own.high[a]);
  }
  component.voxels += run.length;
  ++component.runs;
}

/// Numbers the trees by their roots, and tells the number of each run.
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
  Forest forest(table.runs.size());
  link_all(table, grid, neighbourhood, forest);
  if (memory != nullptr) require_for_components(*memory, gathering_bytes(table, forest.trees()));
  return gather(table, grid, forest);
}

}  // namespace crema
