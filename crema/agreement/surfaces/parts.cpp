// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/surfaces/parts.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "crema/voxels/links.h"

namespace crema {
namespace {

/// Where x is closed every voxel stands for itself, so that no run crosses a slice.
std::vector<Run> single_voxels(const std::vector<Run>& runs) {
  std::vector<Run> single;
  for (const Run& run : runs)
    for (std::int32_t i = 0; i < run.length; ++i) single.push_back({run.first + i, 1});
  return single;
}

}  // namespace

std::int64_t Parts::isolated() const {
  return std::count_if(list.begin(), list.end(), [](const Part& p) { return p.voxels == 1; });
}

Parts find_parts(const Grid& grid, const VoxelSet& set, const Neighbourhood& neighbourhood) {
  RunTable table{.runs = neighbourhood.open[0] ? set.runs : single_voxels(set.runs)};
  table.rows = rows_of(grid, table.runs);
  Forest forest = link_runs(table, grid, neighbourhood);
  Parts parts{.runs = std::move(table.runs)};
  parts.part.reserve(parts.runs.size());
  for (std::size_t r = 0; r < parts.runs.size(); ++r) {
    const std::uint32_t root = forest.find(static_cast<std::uint32_t>(r));
    const bool fresh = root == r;  // a root is the first run of its part
    parts.part.push_back(fresh ? static_cast<std::uint32_t>(parts.list.size()) : parts.part[root]);
    if (fresh) parts.list.emplace_back();
    Part& part = parts.list[parts.part.back()];
    part.box = united(part.box, box_of(parts.runs[r], grid));
    part.voxels += parts.runs[r].length;
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
