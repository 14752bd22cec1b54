// SPDX-License-Identifier: Apache-2.0
#include "crema/voxels/components.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "crema/error.h"
#include "crema/parallel.h"
#include "crema/voxels/forest.h"

namespace crema {
namespace {

/// Runs of the whole image in raster order, and where each row's runs begin.
struct RunTable {
  std::vector<Run> runs;
  std::vector<std::uint32_t> row_begin;  ///< one more entry than there are rows
};

/// First index in [p, end) whose set is not empty, or end.
template <class Set>
std::int64_t skip_empty(const Set* sets, std::int64_t p, std::int64_t end) {
  constexpr std::int64_t kWords = 8, kStep = kWords * 8 / static_cast<std::int64_t>(sizeof(Set));
  for (; end - p >= kStep; p += kStep) {
    std::uint64_t words[kWords];
    std::memcpy(words, sets + p, sizeof words);
    std::uint64_t any = 0;
    for (const std::uint64_t word : words) any |= word;
    if (any != 0) break;
  }
  while (p < end && sets[p] == 0) ++p;
  return p;
}

/// Runs of the rows [row, row_end), their number per row counted into row_begin[row + 1].
template <class Set>
std::vector<Run> scan_rows(const Set* sets, std::int64_t nx, std::int64_t row, std::int64_t row_end,
                           std::int32_t longest, std::uint32_t* row_begin) {
  std::vector<Run> runs;
  const std::int64_t end = row_end * nx;
  for (std::int64_t p = skip_empty(sets, row * nx, end); p < end; p = skip_empty(sets, p, end)) {
    const std::int64_t own_row = p / nx;
    const std::int64_t stop = std::min((own_row + 1) * nx, p + longest);
    const std::int64_t first = p;
    while (p < stop && sets[p] != 0) ++p;
    runs.push_back({first, static_cast<std::int32_t>(p - first)});
    ++row_begin[own_row + 1];
  }
  return runs;
}

template <class Set>
RunTable find_runs(const Grid& grid, const Set* sets, std::int32_t longest) {
  const std::int64_t rows = grid.rows(), nx = grid.size[0];
  const std::int64_t grain = std::max<std::int64_t>(1, (1 << 20) / std::max<std::int64_t>(nx, 1));
  std::vector<std::vector<Run>> pieces(static_cast<std::size_t>((rows + grain - 1) / grain));
  RunTable table;
  table.row_begin.assign(static_cast<std::size_t>(rows) + 1, 0);
  parallel_pieces(rows, grain, [&](std::int64_t begin, std::int64_t end) {
    pieces[static_cast<std::size_t>(begin / grain)] =
        scan_rows(sets, nx, begin, end, longest, table.row_begin.data());
  });
  std::size_t total = 0;
  for (const auto& piece : pieces) total += piece.size();
  if (total >= std::numeric_limits<std::uint32_t>::max())
    throw ResourceError("the union of the masks has more than 4 billion runs of voxels; crop the image");
  table.runs.reserve(total);
  for (const auto& piece : pieces) table.runs.insert(table.runs.end(), piece.begin(), piece.end());
  for (std::size_t r = 0; r < static_cast<std::size_t>(rows); ++r)
    table.row_begin[r + 1] += table.row_begin[r];
  return table;
}

/// Joins the runs of two rows that touch when one may be shifted by `slack` voxels.
void link_rows(const RunTable& table, std::int64_t row, std::int64_t other, std::int64_t nx,
               std::int64_t slack, Forest& forest) {
  std::uint32_t a = table.row_begin[static_cast<std::size_t>(row)];
  std::uint32_t b = table.row_begin[static_cast<std::size_t>(other)];
  const std::uint32_t a_end = table.row_begin[static_cast<std::size_t>(row) + 1];
  const std::uint32_t b_end = table.row_begin[static_cast<std::size_t>(other) + 1];
  const std::int64_t shift = (row - other) * nx;
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

/// Links every row of [begin, end) to the rows before it for which `wanted(other)` holds.
template <class Wanted>
void link_range(const RunTable& table, const Grid& grid, const std::vector<RowStep>& steps,
                std::int64_t begin, std::int64_t end, Wanted wanted, Forest& forest) {
  const std::int64_t ny = grid.size[1];
  for (std::int64_t row = begin; row < end; ++row) {
    const auto r = static_cast<std::size_t>(row);
    if (table.row_begin[r] == table.row_begin[r + 1]) continue;
    const std::int64_t y = row % ny, z = row / ny;
    for (const RowStep& step : steps) {
      if (y + step.dy < 0 || y + step.dy >= ny || z + step.dz < 0) continue;
      const std::int64_t other = row + step.dy + step.dz * ny;
      if (wanted(other)) link_rows(table, row, other, grid.size[0], step.wide ? 1 : 0, forest);
    }
  }
}

/// Pieces of rows are linked inside at the same time, then across their borders one after the other.
/// A root is always the smallest run of its tree, so the order of joins does not show.
void link_all(const RunTable& table, const Grid& grid, const Neighbourhood& neighbourhood, Forest& forest) {
  const auto steps = preceding_rows(neighbourhood);
  const std::int64_t rows = grid.rows(), reach = grid.size[1] + 1;
  const std::int64_t grain = std::max<std::int64_t>(8 * reach, 1 << 12);
  parallel_pieces(rows, grain, [&](std::int64_t begin, std::int64_t end) {
    link_range(
        table, grid, steps, begin, end, [&](std::int64_t other) { return other >= begin; }, forest);
  });
  for (std::int64_t begin = grain; begin < rows; begin += grain)
    link_range(
        table, grid, steps, begin, std::min(rows, begin + reach),
        [&](std::int64_t other) { return other < begin; }, forest);
}

void extend(Component& component, const Run& run, const Grid& grid) {
  const std::int64_t row = run.first / grid.size[0];
  const auto x = static_cast<std::int32_t>(run.first - row * grid.size[0]);
  const auto y = static_cast<std::int32_t>(row % grid.size[1]);
  const auto z = static_cast<std::int32_t>(row / grid.size[1]);
  const Box own{{x, y, z}, {x + run.length, y + 1, z + 1}};
  if (component.runs == 0) component.box = own;
  for (std::size_t a = 0; a < 3; ++a) {
    component.box.low[a] = std::min(component.box.low[a], own.low[a]);
    component.box.high[a] = std::max(component.box.high[a], own.high[a]);
  }
  component.voxels += run.length;
  ++component.runs;
}

/// Numbers the trees by their roots and sorts the runs by tree, keeping raster order inside each.
Components gather(const RunTable& table, const Grid& grid, Forest& forest) {
  Components result;
  std::vector<std::uint32_t> number(table.runs.size());
  for (std::uint32_t r = 0; r < number.size(); ++r) {
    const std::uint32_t root = forest.find(r);
    if (root == r) {
      number[r] = static_cast<std::uint32_t>(result.list.size());
      result.list.emplace_back();
    } else {
      number[r] = number[root];
    }
    extend(result.list[number[r]], table.runs[r], grid);
  }
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

Components find_components(const Grid& grid, const Votes& votes, const Neighbourhood& neighbourhood) {
  // Where x is closed every voxel is a run of its own, so that no run crosses a slice.
  const std::int32_t longest = neighbourhood.open[0] ? grid.size[0] : 1;
  const RunTable table = votes.visit([&](const auto* sets) { return find_runs(grid, sets, longest); });
  Forest forest(table.runs.size());
  link_all(table, grid, neighbourhood, forest);
  return gather(table, grid, forest);
}

}  // namespace crema
