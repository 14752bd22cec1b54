// SPDX-License-Identifier: Apache-2.0
#include "crema/voxels/components.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "crema/error.h"
#include "crema/memory.h"
#include "crema/parallel.h"
#include "crema/voxels/forest.h"

namespace crema {
namespace {

/// An image row that has runs, and the first of them.
struct Row {
  std::int64_t number;
  std::uint32_t first_run;
};

/// Runs of the whole image in raster order. Rows without runs are not kept, so that background costs nothing.
struct RunTable {
  std::vector<Run> runs;
  std::vector<Row> rows;  ///< closed by one that is behind all others

  [[nodiscard]] std::size_t row_count() const { return rows.size() - 1; }
  void add_row(std::int64_t number) { rows.push_back({number, static_cast<std::uint32_t>(runs.size())}); }
  void add_run(const Run& run) { runs.push_back(run); }
};

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

/// Tells `to` of the rows and runs of the voxels [p, end), which are whole rows.
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

/// Fills one sink for each piece of the image.
template <class Sink>
std::vector<Sink> scan_pieces(const Grid& grid, const Votes& votes, std::int32_t longest) {
  const std::int64_t rows = grid.rows(), nx = grid.size[0];
  const std::int64_t grain = std::max<std::int64_t>(1, (1 << 20) / std::max<std::int64_t>(nx, 1));
  std::vector<Sink> pieces(static_cast<std::size_t>((rows + grain - 1) / grain));
  votes.visit([&](const auto* sets) {
    parallel_pieces(rows, grain, [&](std::int64_t begin, std::int64_t end) {
      scan(sets, votes.occupied(), nx, longest, begin * nx, end * nx,
           pieces[static_cast<std::size_t>(begin / grain)]);
    });
  });
  return pieces;
}

constexpr const char* kStage = "finding the components";
constexpr const char* kInstead = "crop the images";

/// Runs are counted before they are kept where so many as there can be would be too many.
void require_table(const Grid& grid, const Votes& votes, std::int32_t longest, const MemoryAccount& memory) {
  const RunCount most{grid.rows(), longest == 1 ? grid.voxels() : grid.rows() * ((grid.size[0] + 1) / 2)};
  if (memory.allows(most.table_bytes())) return;
  RunCount count;
  for (const RunCount& piece : scan_pieces<RunCount>(grid, votes, longest)) {
    count.rows += piece.rows;
    count.runs += piece.runs;
  }
  memory.require(kStage, count.table_bytes(), kInstead);
}

RunTable find_runs(const Grid& grid, const Votes& votes, std::int32_t longest, const MemoryAccount* memory) {
  if (memory != nullptr) require_table(grid, votes, longest, *memory);
  return unite(scan_pieces<RunTable>(grid, votes, longest), grid.rows());
}

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
  if (memory != nullptr) memory->require(kStage, gathering_bytes(table, forest.trees()), kInstead);
  return gather(table, grid, forest);
}

}  // namespace crema
