// SPDX-License-Identifier: Apache-2.0
#include "crema/voxels/runs.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <exception>
#include <limits>
#include <span>
#include <utility>

#include "crema/base/error.h"
#include "crema/base/memory.h"
#include "crema/base/parallel.h"

namespace crema {
namespace {

/// First index in [p, end) whose set is not empty, or end.
template <class Set>
std::int64_t skip_empty(const Set* sets, std::int64_t p, std::int64_t end) {
  constexpr std::int64_t kWords = 4, kStep = kWords * 8 / static_cast<std::int64_t>(sizeof(Set));
  for (; end - p >= kStep; p += kStep) {
    std::array<std::uint64_t, kWords> words{};
    std::memcpy(words.data(), sets + p, sizeof words);
    if ((words[0] | words[1] | words[2] | words[3]) != 0) break;
  }
  while (p < end && sets[p] == 0) ++p;
  return p;
}

/// The first voxel from p on in a block that is occupied, or end.
std::int64_t skip_blocks(std::span<const std::uint8_t> occupied, std::int64_t p, std::int64_t end) {
  const auto own = static_cast<std::size_t>(p / Votes::kBlock);
  const void* const found = std::memchr(occupied.data() + own, 1, occupied.size() - own);
  if (found == nullptr) return end;
  const std::int64_t block = static_cast<const std::uint8_t*>(found) - occupied.data();
  return std::min(end, std::max(p, block * Votes::kBlock));
}

/// As skip_empty, but blocks in which nobody marked anything are not even read.
template <class Set>
std::int64_t skip_background(const Set* sets, std::span<const std::uint8_t> occupied, std::int64_t p,
                             std::int64_t end) {
  while ((p = skip_blocks(occupied, p, end)) < end) {
    const std::int64_t block_end = std::min(end, (p / Votes::kBlock + 1) * Votes::kBlock);
    p = skip_empty(sets, p, block_end);
    if (p < block_end) return p;
  }
  return end;
}

/// First index in [p, end) whose set is empty, or end.
template <class Set>
std::int64_t skip_union(const Set* sets, std::int64_t p, std::int64_t end) {
  constexpr std::int64_t kStep = 16;
  for (; end - p >= kStep; p += kStep) {
    Set empty = 0;
    for (std::int64_t i = p; i < p + kStep; ++i)
      empty = static_cast<Set>(empty | (sets[i] == 0 ? Set{1} : Set{0}));
    if (empty != 0) break;
  }
  while (p < end && sets[p] != 0) ++p;
  return p;
}

/// Reports to `to` the rows and runs of the voxels [p, end), which are whole rows.
template <class Set, class Sink>
void scan(const Set* sets, std::span<const std::uint8_t> occupied, std::int64_t nx, std::int32_t longest,
          std::int64_t p, std::int64_t end, Sink& to) {
  std::int64_t row = -1, row_end = 0;
  while ((p = skip_background(sets, occupied, p, end)) < end) {
    if (p >= row_end) {
      row = p / nx;
      row_end = (row + 1) * nx;
      to.add_row(row);
    }
    const std::int64_t first = p;
    p = skip_union(sets, p, std::min(row_end, p + longest));
    to.add_run({first, static_cast<std::int32_t>(p - first)});
  }
}

/// How many rows and runs there are.
struct RunCount {
  std::int64_t rows = 0, runs = 0;

  void add_row(std::int64_t /*number*/) { ++rows; }
  void add_run(const Run& /*run*/) { ++runs; }
  void finish() {}

  /// Bytes: the pieces of the table and the table, in which one array may be growing.
  [[nodiscard]] std::int64_t table_bytes() const {
    return 2 * (rows * std::int64_t{sizeof(Row)} + runs * std::int64_t{sizeof(Run)});
  }
};

/// Appends the pieces to each other.
RunTable unite(const std::vector<RunTable>& pieces, std::int64_t rows) {
  std::size_t runs = 0;
  for (const RunTable& piece : pieces) runs += piece.runs.size();
  if (runs >= std::numeric_limits<std::uint32_t>::max())
    throw ResourceError("the union of the masks has more than 4 billion runs of voxels; crop the image");
  RunTable table;
  table.runs.reserve(runs);
  for (const RunTable& piece : pieces) {
    const auto before = static_cast<std::uint32_t>(table.runs.size());
    for (const Row& row : piece.rows) table.rows.push_back({row.number, row.first_run + before});
    table.runs.insert(table.runs.end(), piece.runs.begin(), piece.runs.end());
  }
  table.rows.push_back({rows, static_cast<std::uint32_t>(runs)});
  return table;
}

struct TooManyRuns : std::exception {};

/// What all pieces of the table take together.
class RunMeter {
 public:
  explicit RunMeter(const MemoryAccount* memory) : memory_(memory) {}

  void take(const RunCount& more) {
    const std::int64_t now = bytes_ += more.table_bytes();
    if (memory_ != nullptr && !memory_->allows(now)) throw TooManyRuns();
  }

 private:
  const MemoryAccount* memory_;
  std::atomic<std::int64_t> bytes_{0};
};

/// Keeps rows and runs, and reports them to the meter by the thousand.
class MeteredTable {
 public:
  MeteredTable(RunTable& table, RunMeter& meter) : table_(&table), meter_(&meter) {}

  void add_row(std::int64_t number) {
    table_->add_row(number);
    ++unreported_.rows;
  }
  void add_run(const Run& run) {
    table_->add_run(run);
    if (++unreported_.runs == kAtOnce) finish();
  }
  void finish() { meter_->take(std::exchange(unreported_, {})); }

 private:
  static constexpr std::int64_t kAtOnce = 4096;
  RunTable* table_;
  RunMeter* meter_;
  RunCount unreported_;
};

/// Fills what is kept of each piece of the image through what `sink` makes of it.
template <class Kept, class MakeSink>
std::vector<Kept> scan_pieces(const Grid& grid, const Votes& votes, std::int32_t longest,
                              const MakeSink& sink) {
  const std::int64_t rows = grid.rows(), nx = grid.size[0];
  const std::int64_t grain = std::max<std::int64_t>(1, (1 << 20) / std::max<std::int64_t>(nx, 1));
  std::vector<Kept> pieces(static_cast<std::size_t>((rows + grain - 1) / grain));
  votes.visit([&](const auto* sets) {
    parallel_pieces(rows, grain, [&](std::int64_t begin, std::int64_t end) {
      auto&& to = sink(pieces[static_cast<std::size_t>(begin / grain)]);
      scan(sets, votes.occupied(), nx, longest, begin * nx, end * nx, to);
      to.finish();
    });
  });
  return pieces;
}

RunTable keep_runs(const Grid& grid, const Votes& votes, std::int32_t longest, const MemoryAccount* memory) {
  RunMeter meter(memory);
  return unite(scan_pieces<RunTable>(grid, votes, longest,
                                     [&](RunTable& piece) { return MeteredTable(piece, meter); }),
               grid.rows());
}

RunCount count_runs(const Grid& grid, const Votes& votes, std::int32_t longest) {
  RunCount count;
  for (const RunCount& piece :
       scan_pieces<RunCount>(grid, votes, longest, [](RunCount& own) -> RunCount& { return own; })) {
    count.rows += piece.rows;
    count.runs += piece.runs;
  }
  return count;
}

}  // namespace

void require_for_components(const MemoryAccount& memory, std::int64_t bytes) {
  memory.require("finding the components", bytes, "crop the images");
}

RunTable find_runs(const Grid& grid, const Votes& votes, std::int32_t longest, const MemoryAccount* memory) {
  // Where the runs become more than memory allows they are dropped, and counted, to report what they would
  // take.
  try {
    return keep_runs(grid, votes, longest, memory);
  } catch (const TooManyRuns&) {
    require_for_components(*memory, count_runs(grid, votes, longest).table_bytes());
    throw;
  }
}

}  // namespace crema
