// SPDX-License-Identifier: Apache-2.0
#include "crema/voxels/crowns.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <tuple>

#include <fmt/format.h>

#include "crema/base/memory.h"
#include "crema/base/parallel.h"
#include "crema/voxels/row_table.h"
#include "crema/voxels/votes/votes.h"

namespace crema {
namespace {

constexpr std::uint64_t kVoxelsPerPiece = 1 << 16;
/// What a row takes at most in a hash table that grows.
constexpr std::int64_t kHashedRow = 2 * sizeof(Subcrown) + 10 * sizeof(std::uint32_t);
constexpr const char* kInstead = "crop the images";

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

/// Throws ResourceError unless so many rows may be counted, joined, sorted and found again.
void require_rows(std::int64_t rows, const MemoryAccount* memory) {
  constexpr std::int64_t kEach = 5 * sizeof(Subcrown) + 8 * sizeof(std::uint32_t);
  if (memory != nullptr && !memory->allows(rows * kEach))
    memory->require(fmt::format("a component of {} rows or more", rows), rows * kEach,
                    "crop the images, fuse fewer raters");
}

/// Appends the rows of all pieces to each other.
std::vector<Subcrown> join(std::vector<std::vector<Subcrown>>& counted, std::int64_t rows) {
  if (counted.size() > 1) counted[0].reserve(static_cast<std::size_t>(rows));
  for (std::size_t piece = 1; piece < counted.size(); ++piece) {
    counted[0].insert(counted[0].end(), counted[piece].begin(), counted[piece].end());
    counted[piece] = {};
  }
  return std::move(counted[0]);
}

/// Counts into one table per piece, then replaces each voxel's distance by its row.
template <class Set, class Table>
std::vector<Subcrown> tally(const Set* sets, std::span<const Run> runs, const std::vector<Piece>& pieces,
                            std::uint32_t* distances, Table table, const MemoryAccount* memory) {
  const auto for_each_piece = [&](auto work) {
    parallel_for(std::ssize(pieces), [&](std::int64_t i) {
      const Piece& piece = pieces[static_cast<std::size_t>(i)];
      work(runs.subspan(piece.first_run, piece.runs), distances + piece.first_voxel,
           static_cast<std::size_t>(i));
    });
  };
  std::vector<std::vector<Subcrown>> counted(pieces.size());
  std::atomic<std::int64_t> met{0};
  for_each_piece([&](std::span<const Run> own, std::uint32_t* first, std::size_t piece) {
    Table counts = table;
    for_each_voxel(sets, own, first,
                   [&](std::uint32_t distance, Raters raters) { counts.count(distance, raters); });
    counted[piece] = counts.rows();
    met += std::ssize(counted[piece]);
    require_rows(met, memory);
  });
  auto rows = unite(join(counted, met));
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

std::int64_t Crowns::bytes() const {
  return static_cast<std::int64_t>(sizeof(Crowns)) +
         heap_block(static_cast<std::int64_t>(tally.rows.capacity() * sizeof(Subcrown))) +
         heap_block(static_cast<std::int64_t>(row_of_voxel.capacity() * sizeof(std::uint32_t)));
}

Crowns cut_crowns(const Votes& votes, const Components& components, const Component& component,
                  std::vector<std::uint32_t> distances, const MemoryAccount* memory) {
  const auto runs = components.runs_of(component);
  const std::uint64_t above = bound(distances);
  // Clearing and reading a table must cost less than the voxels do.
  const bool direct =
      votes.raters() <= 16 && DirectTable::entries(above, votes.raters()) <= 4 * distances.size() + 1024;
  auto rows = votes.visit([&](const auto* sets) {
    if (!direct) {
      const auto pieces = cut_pieces(runs, kVoxelsPerPiece);
      const auto at_once = std::min<std::int64_t>(std::ssize(pieces), available_threads());
      const auto most = std::min<std::int64_t>(component.voxels, kVoxelsPerPiece) * at_once;
      if (memory != nullptr) memory->require("counting a component's crowns", most * kHashedRow, kInstead);
      return tally(sets, runs, pieces, distances.data(), HashTable(), memory);
    }
    const std::uint64_t entries = DirectTable::entries(above, votes.raters());
    if (memory != nullptr)
      memory->require("counting a component's crowns",
                      static_cast<std::int64_t>(entries * sizeof(std::uint32_t)) * (1 + available_threads()),
                      kInstead);
    const auto pieces = cut_pieces(runs, std::max(kVoxelsPerPiece, 4 * entries));
    return tally(sets, runs, pieces, distances.data(), DirectTable(above, votes.raters()), memory);
  });
  return {.tally = {votes.raters(), std::move(rows)}, .row_of_voxel = std::move(distances)};
}

}  // namespace crema
