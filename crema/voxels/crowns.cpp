// SPDX-License-Identifier: Apache-2.0
#include "crema/voxels/crowns.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "crema/parallel.h"
#include "crema/voxels/row_table.h"

namespace crema {
namespace {

constexpr std::uint64_t kVoxelsPerPiece = 1 << 16;

/// Consecutive runs of a component that are tallied together.
struct Piece {
  std::size_t first_run = 0, runs = 0;
  std::size_t first_voxel = 0, voxels = 0;
};

/// Pieces depend on the component alone, never on the number of threads.
std::vector<Piece> cut_pieces(std::span<const Run> runs, std::uint64_t voxels) {
  std::vector<Piece> pieces(1);
  for (const Run& run : runs) {
    const Piece last = pieces.back();
    if (last.voxels >= voxels)
      pieces.push_back(
          {.first_run = last.first_run + last.runs, .first_voxel = last.first_voxel + last.voxels});
    ++pieces.back().runs;
    pieces.back().voxels += static_cast<std::size_t>(run.length);
  }
  return pieces;
}

/// Calls f(distance, raters) for each voxel, where f may change the distance.
template <class Set, class F>
void for_each_voxel(const Set* sets, std::span<const Run> runs, std::uint32_t* distance, F f) {
  for (const Run& run : runs)
    for (const Set* s = sets + run.first; s != sets + run.first + run.length; ++s) f(*distance++, Raters{*s});
}

/// Sorts by (distance, raters) and makes one row of those that are equal in it.
std::vector<Subcrown> unite(std::vector<Subcrown> rows) {
  const auto before = [](const Subcrown& a, const Subcrown& b) {
    return std::tie(a.distance, a.raters) < std::tie(b.distance, b.raters);
  };
  if (!std::is_sorted(rows.begin(), rows.end(), before)) std::sort(rows.begin(), rows.end(), before);
  std::vector<Subcrown> united;
  united.reserve(rows.size());
  for (const Subcrown& row : rows) {
    if (united.empty() || before(united.back(), row))
      united.push_back(row);
    else
      united.back().voxels += row.voxels;
  }
  return united;
}

/// Counts into one table per piece, then replaces each voxel's distance by its row.
template <class Set, class Table>
std::vector<Subcrown> tally(const Set* sets, std::span<const Run> runs, const std::vector<Piece>& pieces,
                            std::uint32_t* distances, Table table) {
  const auto for_each_piece = [&](auto work) {
    parallel_for(std::ssize(pieces), [&](std::int64_t i) {
      const Piece& piece = pieces[static_cast<std::size_t>(i)];
      work(runs.subspan(piece.first_run, piece.runs), distances + piece.first_voxel,
           static_cast<std::size_t>(i));
    });
  };
  std::vector<std::vector<Subcrown>> counted(pieces.size());
  for_each_piece([&](std::span<const Run> own, std::uint32_t* first, std::size_t piece) {
    Table counts = table;
    for_each_voxel(sets, own, first,
                   [&](std::uint32_t distance, Raters raters) { counts.count(distance, raters); });
    counted[piece] = counts.rows();
  });
  for (std::size_t piece = 1; piece < counted.size(); ++piece)
    counted[0].insert(counted[0].end(), counted[piece].begin(), counted[piece].end());
  auto rows = unite(std::move(counted[0]));
  table.number(rows);
  for_each_piece([&](std::span<const Run> own, std::uint32_t* first, std::size_t) {
    for_each_voxel(sets, own, first,
                   [&](std::uint32_t& voxel, Raters raters) { voxel = table.find(voxel, raters); });
  });
  return rows;
}

/// A power of two above all distances.
std::uint64_t bound(const std::vector<std::uint32_t>& distances) {
  std::uint32_t bits = 0;
  for (const std::uint32_t distance : distances) bits |= distance;
  return std::bit_ceil(std::uint64_t{bits} + 1);
}

}  // namespace

Crowns cut_crowns(const Votes& votes, const Components& components, const Component& component,
                  std::vector<std::uint32_t> distances) {
  const auto runs = components.runs_of(component);
  const std::uint64_t above = bound(distances);
  // Clearing and reading a table must cost less than the voxels do.
  const bool direct =
      votes.raters() <= 16 && DirectTable::entries(above, votes.raters()) <= 4 * distances.size() + 1024;
  auto rows = votes.visit([&](const auto* sets) {
    if (!direct) return tally(sets, runs, cut_pieces(runs, kVoxelsPerPiece), distances.data(), HashTable());
    const std::uint64_t entries = DirectTable::entries(above, votes.raters());
    const auto pieces = cut_pieces(runs, std::max(kVoxelsPerPiece, 4 * entries));
    return tally(sets, runs, pieces, distances.data(), DirectTable(above, votes.raters()));
  });
  return {.tally = {votes.raters(), std::move(rows)}, .row_of_voxel = std::move(distances)};
}

}  // namespace crema
