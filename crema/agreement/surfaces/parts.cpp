// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/surfaces/parts.h"

#include <algorithm>
#include <tuple>

#include "crema/voxels/forest.h"

namespace crema {
namespace {

/// Where x is closed every voxel stands for itself, so that no run crosses a slice.
std::vector<Run> single_voxels(const std::vector<Run>& runs) {
  std::vector<Run> single;
  for (const Run& run : runs)
    for (std::int32_t i = 0; i < run.length; ++i) single.push_back({run.first + i, 1});
  return single;
}

/// The runs [begin, end) of an image row.
struct RowRuns {
  std::size_t begin, end;
};

/// Joins the runs of a row with those of another that touch them when moved there by `shift` voxels, give or
/// take `slack`.
void link(const std::vector<Run>& runs, RowRuns row, RowRuns other, std::int64_t shift, std::int64_t slack,
          Forest& forest) {
  std::size_t a = row.begin, b = other.begin;
  while (a < row.end && b < other.end) {
    const std::int64_t a_end = runs[a].first + runs[a].length;
    const std::int64_t b_first = runs[b].first + shift, b_end = b_first + runs[b].length;
    if (runs[a].first < b_end + slack && b_first < a_end + slack)
      forest.join(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
    if (a_end < b_end)
      ++a;
    else
      ++b;
  }
}

/// Every row is linked with the ones before it that a step reaches; both move forwards.
void link_rows(const Grid& grid, const std::vector<Run>& runs, const std::vector<SetRow>& rows,
               const RowStep& step, Forest& forest) {
  const std::int64_t ny = grid.size[1], nx = grid.size[0], offset = step.dy + step.dz * ny;
  std::size_t other = 0;
  for (std::size_t row = 0; row + 1 < rows.size(); ++row) {
    const std::int64_t number = rows[row].number, y = number % ny + step.dy;
    while (rows[other].number < number + offset) ++other;
    if (rows[other].number != number + offset || y < 0 || y >= ny) continue;
    link(runs, {rows[row].first_run, rows[row + 1].first_run},
         {rows[other].first_run, rows[other + 1].first_run}, -offset * nx, step.wide ? 1 : 0, forest);
  }
}

void extend(Part& part, const Grid& grid, const Run& run) {
  const std::int64_t row = run.first / grid.size[0];
  const auto x = static_cast<std::int32_t>(run.first % grid.size[0]);
  const auto y = static_cast<std::int32_t>(row % grid.size[1]),
             z = static_cast<std::int32_t>(row / grid.size[1]);
  const Box own{{x, y, z}, {x + run.length, y + 1, z + 1}};
  if (part.voxels == 0) part.box = own;
  for (std::size_t a = 0; a < 3; ++a) {
    part.box.low[a] = std::min(part.box.low[a], own.low[a]);
    part.box.high[a] = std::max(part.box.high[a], own.high[a]);
  }
  part.voxels += run.length;
}

}  // namespace

std::int64_t Parts::isolated() const {
  return std::count_if(list.begin(), list.end(), [](const Part& p) { return p.voxels == 1; });
}

Parts find_parts(const Grid& grid, const VoxelSet& set, const Neighbourhood& neighbourhood) {
  Parts parts{.runs = neighbourhood.open[0] ? set.runs : single_voxels(set.runs)};
  Forest forest(parts.runs.size());
  const auto rows = rows_of(grid, parts.runs);
  for (const RowStep& step : preceding_rows(neighbourhood)) link_rows(grid, parts.runs, rows, step, forest);
  parts.part.reserve(parts.runs.size());
  for (std::size_t r = 0; r < parts.runs.size(); ++r) {
    const std::uint32_t root = forest.find(static_cast<std::uint32_t>(r));
    const bool fresh = root == r;  // a root is the first run of its part
    parts.part.push_back(fresh ? static_cast<std::uint32_t>(parts.list.size()) : parts.part[root]);
    if (fresh) parts.list.emplace_back();
    extend(parts.list[parts.part.back()], grid, parts.runs[r]);
  }
  return parts;
}

std::vector<Meeting> find_meetings(const Parts& a, const Parts& b) {
  std::vector<Meeting> pieces;
  std::size_t p = 0, q = 0;
  while (p < a.runs.size() && q < b.runs.size()) {
    const std::int64_t p_end = a.runs[p].first + a.runs[p].length, q_end = b.runs[q].first + b.runs[q].length;
    const std::int64_t common = std::min(p_end, q_end) - std::max(a.runs[p].first, b.runs[q].first);
    if (common > 0) pieces.push_back({a.part[p], b.part[q], common});
    if (p_end < q_end)
      ++p;
    else
      ++q;
  }
  std::sort(pieces.begin(), pieces.end(),
            [](const Meeting& m, const Meeting& n) { return std::tie(m.a, m.b) < std::tie(n.a, n.b); });
  std::vector<Meeting> meetings;
  for (const Meeting& piece : pieces) {
    if (!meetings.empty() && meetings.back().a == piece.a && meetings.back().b == piece.b)
      meetings.back().voxels += piece.voxels;
    else
      meetings.push_back(piece);
  }
  return meetings;
}

}  // namespace crema
