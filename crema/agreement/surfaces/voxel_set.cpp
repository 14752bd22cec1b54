// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/surfaces/voxel_set.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/parallel.h"
#include "crema/fuse.h"
#include "crema/options.h"
#include "crema/reduction.h"
#include "crema/solution.h"
#include "crema/tables/method.h"
#include "crema/voxels/votes/votes.h"

namespace crema {
namespace {

using RunList = std::vector<Run>;

constexpr std::int64_t kVoxelsPerPiece = 1 << 18;

/// Adds a run that lies behind all others, lengthening the last one where both are one.
void append(RunList& runs, const Run& run, std::int64_t nx) {
  if (!runs.empty() && runs.back().first + runs.back().length == run.first && run.first % nx != 0)
    runs.back().length += run.length;
  else
    runs.push_back(run);
}

VoxelSet finish(RunList runs) {
  VoxelSet set{.runs = std::move(runs)};
  for (const Run& run : set.runs) set.voxels += run.length;
  return set;
}

VoxelSet join(const Grid& grid, const std::vector<RunList>& pieces) {
  RunList runs;
  for (const RunList& piece : pieces)
    for (const Run& run : piece) append(runs, run, grid.size[0]);
  return finish(std::move(runs));
}

/// Opens and closes runs of many sets at once while voxels pass by.
class Recorder {
 public:
  explicit Recorder(std::size_t sets) : lists(sets), first_(sets, 0) {}

  void pass(std::int64_t voxel, Raters sets) {
    for (Raters changed = sets ^ current_; changed != 0; changed &= changed - 1) {
      const auto k = static_cast<std::size_t>(std::countr_zero(changed));
      if ((sets >> k & 1) != 0)
        first_[k] = voxel;
      else
        lists[k].push_back({first_[k], static_cast<std::int32_t>(voxel - first_[k])});
    }
    current_ = sets;
  }

  std::vector<RunList> lists;

 private:
  std::vector<std::int64_t> first_;
  Raters current_ = 0;
};

/// The runs of all sets in one component; `sets_of_row` may change from voxel to voxel.
template <class SetsOfRow>
std::vector<RunList> record(const Reduction& reduction, std::size_t c, std::size_t sets,
                            SetsOfRow&& sets_of_row) {
  Recorder recorder(sets);
  const std::uint32_t* row = reduction.crowns[c].row_of_voxel.data();
  for (const Run& run : reduction.components.runs_of(reduction.components.list[c])) {
    for (std::int32_t i = 0; i < run.length; ++i) recorder.pass(run.first + i, sets_of_row(*row++));
    recorder.pass(run.first + run.length, 0);
  }
  return std::move(recorder.lists);
}

std::vector<RunList> record_raters(const Reduction& reduction, std::size_t c) {
  const auto& rows = reduction.crowns[c].tally.rows;
  return record(reduction, c, static_cast<std::size_t>(reduction.raters),
                [&](std::uint32_t row) { return rows[row].raters; });
}

/// A row that is taken in part gives its first voxels in raster order, as they are painted.
RunList record_inside(const Reduction& reduction, std::size_t c, std::vector<std::int64_t> left) {
  RunList runs;
  const std::uint32_t* row = reduction.crowns[c].row_of_voxel.data();
  for (const Run& run : reduction.components.runs_of(reduction.components.list[c])) {
    std::int32_t begin = -1;
    for (std::int32_t i = 0; i < run.length; ++i) {
      const bool inside = left[row[i]]-- > 0;
      if (inside == (begin >= 0)) continue;
      if (!inside) runs.push_back({run.first + begin, i - begin});
      begin = inside ? i : -1;
    }
    if (begin >= 0) runs.push_back({run.first + begin, run.length - begin});
    row += run.length;
  }
  return runs;
}

/// The runs of so many sets, which `f` gives for each component. Some thousand components at a time are
/// looked at: lists of all of a million would take more than their runs.
template <class F>
std::vector<VoxelSet> gather_sets(const Reduction& reduction, std::size_t sets, F f) {
  constexpr std::size_t kBlock = 4096;
  std::vector<RunList> all(sets);
  for (std::size_t begin = 0; begin < reduction.crowns.size(); begin += kBlock) {
    std::vector<std::vector<RunList>> lists(std::min(kBlock, reduction.crowns.size() - begin));
    parallel_for(std::ssize(lists), [&](std::int64_t i) {
      lists[static_cast<std::size_t>(i)] = f(begin + static_cast<std::size_t>(i));
    });
    for (const auto& list : lists)
      for (std::size_t k = 0; k < sets; ++k) all[k].insert(all[k].end(), list[k].begin(), list[k].end());
  }
  std::vector<VoxelSet> found(sets);
  parallel_for(std::ssize(found), [&](std::int64_t i) {
    const auto k = static_cast<std::size_t>(i);
    found[k] = make_set(reduction.grid, std::move(all[k]));
  });
  return found;
}

/// Whether any of so many bytes from the first one on may have been painted.
bool is_painted(const PaintedBlocks& painted, std::size_t first, std::size_t bytes) {
  for (std::size_t block = first / PaintedBlocks::kBytes;
       block <= (first + bytes - 1) / PaintedBlocks::kBytes; ++block)
    if (painted.is_painted(block)) return true;
  return false;
}

/// `painted` of a map that is zero elsewhere; null: all of it is looked at.
template <class Value>
VoxelSet read(const Grid& grid, std::span<const Value> map, const PaintedBlocks* painted = nullptr) {
  if (std::ssize(map) != grid.voxels())
    throw InputError(
        fmt::format("the consensus has {} voxels, but the raters' grid has {}; compare masks of "
                    "one grid",
                    map.size(), grid.voxels()));
  const std::int64_t nx = grid.size[0], grain = std::max<std::int64_t>(1, kVoxelsPerPiece / nx);
  std::vector<RunList> pieces(static_cast<std::size_t>((grid.rows() + grain - 1) / grain));
  parallel_pieces(grid.rows(), grain, [&](std::int64_t begin, std::int64_t end) {
    RunList& runs = pieces[static_cast<std::size_t>(begin / grain)];
    const auto inside = [](Value value) { return static_cast<double>(value) > 0.5; };
    for (std::int64_t row = begin; row < end; ++row) {
      const auto bytes = static_cast<std::size_t>(nx) * sizeof(Value);
      if (painted != nullptr && !is_painted(*painted, static_cast<std::size_t>(row) * bytes, bytes)) continue;
      const auto first = map.begin() + row * nx, last = first + nx;
      for (auto p = std::find_if(first, last, inside); p != last; p = std::find_if(p, last, inside)) {
        const auto from = p;
        p = std::find_if_not(p, last, inside);
        runs.push_back({from - map.begin(), static_cast<std::int32_t>(p - from)});
      }
    }
  });
  return join(grid, pieces);
}

}  // namespace

VoxelSet make_set(const Grid& grid, std::vector<Run> runs) {
  const auto before = [](const Run& a, const Run& b) { return a.first < b.first; };
  if (!std::is_sorted(runs.begin(), runs.end(), before)) std::sort(runs.begin(), runs.end(), before);
  return join(grid, {std::move(runs)});
}

std::vector<VoxelSet> sets_of_raters(const Reduction& reduction) {
  return gather_sets(reduction, static_cast<std::size_t>(reduction.raters),
                     [&](std::size_t c) { return record_raters(reduction, c); });
}

VoxelSet set_of_consensus(const Reduction& reduction, const Solution& solution, const Options& options) {
  if (solution.image) return set_of_image(reduction.grid, *solution.image);
  if (solution.method->needs == Needs::neighbours)
    throw InputError("the image of this result was taken; use the set of that image");
  if (solution.background.voxels > 0 && static_cast<float>(solution.background.level) > 0.5F) {
    Solution painted = solution;
    return set_of_image(reduction.grid, paint(reduction, painted, options));
  }
  auto sets = gather_sets(reduction, 1, [&](std::size_t c) {
    return std::vector<RunList>{record_inside(reduction, c, solution.components[c].inside)};
  });
  return std::move(sets.front());
}

VoxelSet set_of_image(const Grid& grid, const Image& image) {
  return std::visit(
      [&](const auto& map) {
        return read(grid, std::span(map.data(), map.size()), map.pattern() == 0 ? &map.painted() : nullptr);
      },
      image);
}

VoxelSet set_of_mask(const Grid& grid, Mask mask) { return read(grid, mask); }

std::int64_t count_common(const VoxelSet& a, const VoxelSet& b) {
  std::int64_t common = 0;
  auto p = a.runs.begin();
  auto q = b.runs.begin();
  while (p != a.runs.end() && q != b.runs.end()) {
    const std::int64_t p_end = p->first + p->length, q_end = q->first + q->length;
    common += std::max<std::int64_t>(0, std::min(p_end, q_end) - std::max(p->first, q->first));
    if (p_end < q_end)
      ++p;
    else
      ++q;
  }
  return common;
}

Votes rebuild_votes(const Reduction& reduction, Raters keep) {
  Votes votes(reduction.grid.voxels(), std::popcount(keep));
  const std::vector<std::uint8_t> ones(static_cast<std::size_t>(reduction.grid.size[0]), 1);
  const auto sets = sets_of_raters(reduction);
  int number = 0;
  for (std::size_t k = 0; k < sets.size(); ++k) {
    if ((keep >> k & 1) == 0) continue;
    for (const Run& run : sets[k].runs)
      votes.fold_part(number, run.first, Mask(ones).first(static_cast<std::size_t>(run.length)));
    ++number;
  }
  return votes;
}

}  // namespace crema
