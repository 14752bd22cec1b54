// SPDX-License-Identifier: Apache-2.0
#include "crema/voxels/links.h"

#include <algorithm>

#include "crema/base/parallel.h"

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
  std::int64_t slice = begin < end ? table.rows[begin].number / ny * ny : 0;  // its first row
  for (std::size_t row = begin; row < end; ++row) {
    const std::int64_t number = table.rows[row].number;
    if (number >= slice + ny) slice = number / ny * ny;
    const std::int64_t y = number - slice;
    while (other < other_end && table.rows[other].number < number + offset) ++other;
    if (other == other_end) return;
    if (table.rows[other].number != number + offset || y + step.dy < 0 || y + step.dy >= ny) continue;
    link_rows(table, row, other, grid.size[0], step.wide ? 1 : 0, forest);
  }
}

}  // namespace

/// Pieces of rows are linked inside at the same time, then across their borders one after the other.
/// A root is always the smallest run of its tree, so the order of joins does not show.
Forest link_runs(const RunTable& table, const Grid& grid, const Neighbourhood& neighbourhood) {
  Forest forest(table.runs.size());
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
  return forest;
}

std::vector<Row> rows_of(const Grid& grid, const std::vector<Run>& runs) {
  std::vector<Row> rows;
  std::int64_t end = 0;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    if (!rows.empty() && runs[r].first < end) continue;
    const std::int64_t number = runs[r].first / grid.size[0];
    rows.push_back({number, static_cast<std::uint32_t>(r)});
    end = (number + 1) * grid.size[0];
  }
  rows.push_back({grid.rows(), static_cast<std::uint32_t>(runs.size())});
  return rows;
}

}  // namespace crema
