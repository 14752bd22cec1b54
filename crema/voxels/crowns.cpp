// SPDX-License-Identifier: Apache-2.0
#include "crema/voxels/crowns.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "crema/parallel.h"
#include "crema/voxels/row_table.h"

namespace crema {
namespace {

constexpr std::int64_t kVoxelsPerPiece = 1 << 16;

/// Consecutive runs of a component that are tallied together.
struct Piece {
  std::size_t first_run = 0, runs = 0;
  std::size_t first_voxel = 0, voxels = 0;
  RowTable table;
  std::vector<std::uint32_t> final_row;  ///< of each row of the table
};

/// Pieces depend on the component alone, never on the number of threads.
std::vector<Piece> cut_pieces(std::span<const Run> runs) {
  std::vector<Piece> pieces(1);
  for (const Run& run : runs) {
    if (static_cast<std::int64_t>(pieces.back().voxels) >= kVoxelsPerPiece) {
      const Piece& last = pieces.back();
      Piece next;
      next.first_run = last.first_run + last.runs;
      next.first_voxel = last.first_voxel + last.voxels;
      pieces.push_back(std::move(next));
    }
    ++pieces.back().runs;
    pieces.back().voxels += static_cast<std::size_t>(run.length);
  }
  return pieces;
}

/// Replaces each voxel's distance by its row in the piece's own table.
template <class Set>
void count_piece(const Set* sets, std::span<const Run> runs, std::uint32_t* voxel, RowTable& table) {
  for (const Run& run : runs)
    for (const Set* s = sets + run.first; s != sets + run.first + run.length; ++s, ++voxel)
      *voxel = table.count(static_cast<std::int32_t>(*voxel), *s, 1);
}

/// Merges the pieces' tables into rows sorted by (distance, raters), and tells each piece where its rows
/// went.
std::vector<Subcrown> merge(std::vector<Piece>& pieces) {
  RowTable all;
  for (Piece& piece : pieces)
    for (const Subcrown& row : piece.table.rows())
      piece.final_row.push_back(all.count(row.distance, row.raters, row.voxels));
  std::vector<std::uint32_t> order(all.rows().size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Subcrown &ra = all.rows()[a], &rb = all.rows()[b];
    return std::tie(ra.distance, ra.raters) < std::tie(rb.distance, rb.raters);
  });
  std::vector<Subcrown> sorted;
  sorted.reserve(order.size());
  std::vector<std::uint32_t> rank(order.size());
  for (const std::uint32_t row : order) {
    rank[row] = static_cast<std::uint32_t>(sorted.size());
    sorted.push_back(all.rows()[row]);
  }
  for (Piece& piece : pieces)
    for (std::uint32_t& row : piece.final_row) row = rank[row];
  return sorted;
}

}  // namespace

Crowns cut_crowns(const Votes& votes, const Components& components, const Component& component,
                  std::vector<std::uint32_t> distances) {
  const auto runs = components.runs_of(component);
  auto pieces = cut_pieces(runs);
  const auto count = static_cast<std::int64_t>(pieces.size());
  votes.visit([&](const auto* sets) {
    parallel_for(count, [&](std::int64_t i) {
      Piece& piece = pieces[static_cast<std::size_t>(i)];
      count_piece(sets, runs.subspan(piece.first_run, piece.runs), distances.data() + piece.first_voxel,
                  piece.table);
    });
  });
  Crowns crowns{.tally = {votes.raters(), merge(pieces)}, .row_of_voxel = std::move(distances)};
  parallel_for(count, [&](std::int64_t i) {
    const Piece& piece = pieces[static_cast<std::size_t>(i)];
    std::uint32_t* voxel = crowns.row_of_voxel.data() + piece.first_voxel;
    for (std::size_t v = 0; v < piece.voxels; ++v) voxel[v] = piece.final_row[voxel[v]];
  });
  return crowns;
}

}  // namespace crema
