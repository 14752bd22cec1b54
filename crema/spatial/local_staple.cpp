// SPDX-License-Identifier: Apache-2.0
#include "crema/spatial/local_staple.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/parallel.h"
#include "crema/counts/staple/performance.h"
#include "crema/spatial/extent.h"
#include "crema/spatial/window_em.h"
#include "crema/spatial/windows.h"
#include "crema/stop.h"
#include "crema/voxels/row_table.h"

namespace crema {
namespace {

void check(const LocalStapleOptions& o) {
  if (o.half_window < 0)
    throw UsageError(fmt::format("half a window is {}; it must be 0 or more", o.half_window));
  if (!(o.alpha >= 1 && o.beta >= 1 && o.strength >= 0) || std::isinf(o.alpha + o.beta + o.strength))
    throw UsageError(
        fmt::format("alpha {}, beta {}, strength {}: alpha and beta must be 1 or more and the "
                    "strength 0 or more, or there is no most probable performance",
                    o.alpha, o.beta, o.strength));
  if (!(o.tolerance >= 0) || o.max_iterations < 1)
    throw UsageError("the tolerance must be 0 or more, and there must be at least one iteration");
}

Windows make_windows(const Grid& grid, const LocalStapleOptions& o) {
  const std::int32_t usual = grid.flat() ? 15 : 5, half = o.half_window > 0 ? o.half_window : usual;
  const std::int32_t step = o.step != 0 ? o.step : half / 2 + half % 2;
  if (step < 0 || step > 2 * std::int64_t{half} + 1)
    throw UsageError(fmt::format("windows {} voxels apart that reach {} to each side leave gaps; use 1 to {}",
                                 step, half, 2 * std::int64_t{half} + 1));
  Windows windows{};
  for (std::size_t a = 0; a < 3; ++a) windows.axis[a] = {grid.size[a], half, step};
  return windows;
}

/// What a window says of each group in it, sorted by group.
struct WindowLevels {
  Groups groups;
  Levels levels;
  bool converged = true;

  [[nodiscard]] double level_of(Raters raters) const {
    const auto place = std::lower_bound(groups.rows.begin(), groups.rows.end(), raters,
                                        [](const Group& row, Raters r) { return row.raters < r; });
    return levels[static_cast<std::size_t>(place - groups.rows.begin())];
  }
};

/// Windows with the same groups are one: most of those inside a structure are.
struct Estimates {
  static constexpr std::uint32_t kNothing = 0xFFFFFFFF;

  std::vector<WindowLevels> list;
  std::vector<std::uint32_t> of_window;  ///< its place in the list; nothing where no rater marked anything

  [[nodiscard]] const WindowLevels* of(std::int64_t window) const {
    const std::uint32_t place = of_window[static_cast<std::size_t>(window)];
    return place == kNothing ? nullptr : &list[place];
  }
};

template <class Set>
bool anything_in(const Grid& grid, const Set* sets, const Box& box) {
  for (std::int32_t z = box.low[2]; z < box.high[2]; ++z)
    for (std::int32_t y = box.low[1]; y < box.high[1]; ++y) {
      const Set* row = sets + (std::int64_t{z} * grid.size[1] + y) * grid.size[0];
      Set any = 0;
      for (std::int32_t x = box.low[0]; x < box.high[0]; ++x) any = static_cast<Set>(any | row[x]);
      if (any != 0) return true;
    }
  return false;
}

template <class Set>
Groups count_groups(const Grid& grid, const Set* sets, int raters, const Box& box, HashTable& table) {
  table.clear();
  for (std::int32_t z = box.low[2]; z < box.high[2]; ++z)
    for (std::int32_t y = box.low[1]; y < box.high[1]; ++y) {
      const Set* row = sets + (std::int64_t{z} * grid.size[1] + y) * grid.size[0];
      for (std::int32_t x = box.low[0], begin = x; x < box.high[0]; begin = x) {
        while (x < box.high[0] && row[x] == row[begin]) ++x;
        table.count(0, row[begin], x - begin);
      }
    }
  Groups groups{.raters = raters, .rows = {}};
  groups.rows.reserve(table.rows().size());
  for (const Subcrown& row : table.rows()) groups.rows.push_back({row.raters, row.voxels});
  std::sort(groups.rows.begin(), groups.rows.end(),
            [](const Group& a, const Group& b) { return a.raters < b.raters; });
  return groups;
}

std::uint64_t hash_of(const Groups& groups) {
  std::uint64_t hash = groups.rows.size();
  for (const Group& row : groups.rows)
    hash = (std::rotl(hash, 7) ^ row.raters ^ static_cast<std::uint64_t>(row.voxels) << 40) *
           0x9E3779B97F4A7C15ULL;
  return hash;
}

/// Moves the groups of windows into a list in which each stands once.
Estimates gather_equal(std::vector<Groups> groups) {
  Estimates estimates;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> known;
  for (Groups& own : groups) {
    if (own.rows.empty()) {
      estimates.of_window.push_back(Estimates::kNothing);
      continue;
    }
    std::vector<std::uint32_t>& alike = known[hash_of(own)];
    const auto same = std::find_if(alike.begin(), alike.end(), [&](std::uint32_t place) {
      return estimates.list[place].groups.rows == own.rows;
    });
    if (same == alike.end()) {
      alike.push_back(static_cast<std::uint32_t>(estimates.list.size()));
      estimates.of_window.push_back(alike.back());
      estimates.list.push_back({std::move(own), {}});
    } else {
      estimates.of_window.push_back(*same);
      own.rows = {};
    }
  }
  return estimates;
}

std::vector<Groups> count_all(const Grid& grid, const Votes& votes, const Windows& windows, const Box& marked,
                              const LocalStapleOptions& o) {
  std::vector<Groups> all(static_cast<std::size_t>(windows.count()));
  votes.visit([&](const auto* sets) {
    parallel_pieces(windows.count(), 64, [&](std::int64_t begin, std::int64_t end) {
      throw_if_stopped(o.stop);
      HashTable table;
      for (std::int64_t w = begin; w < end; ++w) {
        const Box box = windows.box_of(w);
        if (is_empty(common(box, marked)) || !anything_in(grid, sets, common(box, marked))) continue;
        all[static_cast<std::size_t>(w)] = count_groups(grid, sets, votes.raters(), box, table);
      }
    });
  });
  return all;
}

/// The share of the image that a rater draws on average.
double share_of(const Grid& grid, const Votes& votes) {
  double share = 0;
  votes.visit([&](const auto* sets) {
    HashTable table;
    share = prior_value({}, count_groups(grid, sets, votes.raters(), whole_box(grid), table));
  });
  return share;
}

Estimates estimate_all(const Grid& grid, const Votes& votes, const Windows& windows,
                       const LocalStapleOptions& o) {
  const Box marked = extent_of(grid, votes, whole_box(grid), ~Raters{0});
  Estimates estimates = gather_equal(count_all(grid, votes, windows, marked, o));
  const bool of_image = o.prior == LocalPrior::image && !is_empty(marked);
  const double share = of_image ? share_of(grid, votes) : 0;
  const WindowEmOptions options{.right = o.strength * (o.alpha - 1),
                                .wrong = o.strength * (o.beta - 1),
                                .tolerance = o.tolerance,
                                .max_iterations = o.max_iterations};
  parallel_pieces(std::ssize(estimates.list), 8, [&](std::int64_t begin, std::int64_t end) {
    throw_if_stopped(o.stop);
    WindowEm em(options);
    for (std::int64_t i = begin; i < end; ++i) {
      WindowLevels& own = estimates.list[static_cast<std::size_t>(i)];
      own.converged = em.run(own.groups, of_image ? share : prior_value({}, own.groups), own.levels);
    }
  });
  return estimates;
}

/// Voxels of an image row, up to the next stretch, that the same raters marked.
struct SameRaters {
  std::int32_t first;
  Raters raters;
};

template <class Set>
void find_stretches(const Set* row, std::int32_t count, std::vector<SameRaters>& stretches) {
  stretches.clear();
  for (std::int32_t x = 0; x < count; ++x)
    if (x == 0 || row[x] != row[x - 1]) stretches.push_back({x, row[x]});
  stretches.push_back({count, 0});
}

/// Adds the levels of one window to the voxels of a row that it covers.
void add_window(const WindowLevels& window, const std::vector<SameRaters>& stretches, const Stretch& covered,
                std::vector<double>& sums) {
  const auto behind = std::upper_bound(stretches.begin(), stretches.end(), covered.first,
                                       [](std::int32_t x, const SameRaters& s) { return x < s.first; });
  for (auto own = behind - 1; own->first < covered.last; ++own) {
    const double level = window.level_of(own->raters);
    const std::int32_t end = std::min(covered.last, (own + 1)->first);
    for (std::int32_t x = std::max(covered.first, own->first); x < end; ++x)
      sums[static_cast<std::size_t>(x)] += level;
  }
}

std::int32_t length(const Stretch& s) { return s.last - s.first; }

/// What is needed for one row after the other.
struct RowMemory {
  std::vector<double> sums;
  std::vector<SameRaters> stretches;
};

/// The means of one row: windows are added in their own order, whoever does it.
template <class Set>
void average_row(const Windows& windows, const Estimates& estimates, std::int64_t number, const Set* row,
                 float* image, RowMemory& memory) {
  const auto [ax, ay, az] = windows.axis;
  const Stretch over_y = ay.windows_over(static_cast<std::int32_t>(number % ay.n)),
                over_z = az.windows_over(static_cast<std::int32_t>(number / ay.n));
  memory.sums.assign(static_cast<std::size_t>(ax.n), 0.0);
  find_stretches(row, ax.n, memory.stretches);
  for (std::int32_t wz = over_z.first; wz < over_z.last; ++wz)
    for (std::int32_t wy = over_y.first; wy < over_y.last; ++wy)
      for (std::int32_t wx = 0; wx < ax.count(); ++wx)
        if (const WindowLevels* own = estimates.of(windows.number(wx, wy, wz)))
          add_window(*own, memory.stretches, ax.voxels_of(wx), memory.sums);
  const double across = static_cast<double>(length(over_y)) * length(over_z);
  for (std::int32_t x = 0; x < ax.n; ++x)
    image[x] =
        static_cast<float>(memory.sums[static_cast<std::size_t>(x)] / (across * length(ax.windows_over(x))));
}

}  // namespace

LocalStaple local_staple(const Grid& grid, const Votes& votes, const LocalStapleOptions& options) {
  check(options);
  const Windows windows = make_windows(grid, options);
  // The windows with the fewest groups, and the map.
  constexpr std::int64_t kWindow =
      sizeof(WindowLevels) + heap_block(2 * sizeof(Group)) + heap_block(2 * sizeof(double));
  if (options.memory != nullptr)
    options.memory->require(
        fmt::format("estimating {} windows", windows.count()),
        windows.count() * kWindow + grid.voxels() * static_cast<std::int64_t>(sizeof(float)),
        "crop the images");
  const Estimates estimates = estimate_all(grid, votes, windows, options);
  LocalStaple result{.image = SoftImage(static_cast<std::size_t>(grid.voxels()), 0.0F)};
  for (std::int64_t w = 0; w < windows.count(); ++w) {
    const WindowLevels* const own = estimates.of(w);
    result.windows += own != nullptr ? 1 : 0;
    result.unconverged += own != nullptr && !own->converged ? 1 : 0;
  }
  votes.visit([&](const auto* sets) {
    parallel_pieces(grid.rows(), 16, [&](std::int64_t begin, std::int64_t end) {
      throw_if_stopped(options.stop);
      RowMemory memory;
      for (std::int64_t row = begin; row < end; ++row)
        average_row(windows, estimates, row, sets + row * grid.size[0],
                    result.image.data() + row * grid.size[0], memory);
    });
  });
  return result;
}

}  // namespace crema
