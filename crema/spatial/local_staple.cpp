// SPDX-License-Identifier: Apache-2.0
#include "crema/spatial/local_staple.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "crema/counts/staple/performance.h"
#include "crema/counts/staple/rates.h"
#include "crema/error.h"
#include "crema/parallel.h"
#include "crema/spatial/extent.h"
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

/// What a window says of each group in it, sorted by group; nothing when nobody drew anything.
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
Groups count_groups(const Grid& grid, const Set* sets, int raters, const Box& box) {
  HashTable table;
  for (std::int32_t z = box.low[2]; z < box.high[2]; ++z)
    for (std::int32_t y = box.low[1]; y < box.high[1]; ++y) {
      const Set* row = sets + (std::int64_t{z} * grid.size[1] + y) * grid.size[0];
      for (std::int32_t x = box.low[0]; x < box.high[0]; ++x) table.count(0, row[x]);
    }
  Groups groups{.raters = raters, .rows = {}};
  for (const Subcrown& row : table.rows()) groups.rows.push_back({row.raters, row.voxels});
  std::sort(groups.rows.begin(), groups.rows.end(),
            [](const Group& a, const Group& b) { return a.raters < b.raters; });
  return groups;
}

/// The most probable rates under the Beta priors: as if each rater had been right `right` times more and
/// wrong `wrong` times more, both inside and outside.
Rates most_probable_rates(const Groups& groups, const Levels& levels, double right, double wrong) {
  Rates rates = rates_of(groups, levels);
  double inside = 0, outside = 0;
  for (std::size_t r = 0; r < levels.size(); ++r) {
    inside += static_cast<double>(groups.rows[r].voxels) * levels[r];
    outside += static_cast<double>(groups.rows[r].voxels) * (1 - levels[r]);
  }
  auto blend = [&](double& good, double& bad, double voxels) {
    const double all = voxels + right + wrong;
    if (all == 0) return;
    good = (good * voxels + right) / all;
    bad = (bad * voxels + wrong) / all;
  };
  for (std::size_t k = 0; k < rates.hit.size(); ++k) {
    blend(rates.hit[k], rates.miss[k], inside);
    blend(rates.pass[k], rates.slip[k], outside);
  }
  return rates;
}

/// EM over the groups of one window, from the M step on the mask average.
WindowLevels estimate(Groups groups, double prior, const LocalStapleOptions& o) {
  const double right = o.strength * (o.alpha - 1), wrong = o.strength * (o.beta - 1);
  WindowLevels window{.groups = std::move(groups), .levels = {}, .converged = false};
  window.levels = vote_shares(window.groups);
  Rates before;
  for (int i = 0; i < o.max_iterations && !window.converged; ++i) {
    Rates rates = most_probable_rates(window.groups, window.levels, right, wrong);
    const auto evidence = evidence_of(window.groups, rates);
    for (std::size_t r = 0; r < evidence.size(); ++r) window.levels[r] = posterior(evidence[r], prior);
    window.converged = i > 0 && largest_change(rates, before) <= o.tolerance;
    before = std::move(rates);
  }
  return window;
}

std::vector<WindowLevels> estimate_all(const Grid& grid, const Votes& votes, const Windows& windows,
                                       const LocalStapleOptions& o) {
  const Box marked = extent_of(grid, votes, whole_box(grid), ~Raters{0});
  std::vector<WindowLevels> all(static_cast<std::size_t>(windows.count()));
  votes.visit([&](const auto* sets) {
    const double share = o.prior == LocalPrior::image && !is_empty(marked)
                             ? prior_value({}, count_groups(grid, sets, votes.raters(), whole_box(grid)))
                             : 0;
    parallel_pieces(windows.count(), 8, [&](std::int64_t begin, std::int64_t end) {
      throw_if_stopped(o.stop);
      for (std::int64_t w = begin; w < end; ++w) {
        const Box box = windows.box_of(w);
        if (is_empty(common(box, marked)) || !anything_in(grid, sets, common(box, marked))) continue;
        Groups groups = count_groups(grid, sets, votes.raters(), box);
        const double prior = o.prior == LocalPrior::image ? share : prior_value({}, groups);
        all[static_cast<std::size_t>(w)] = estimate(std::move(groups), prior, o);
      }
    });
  });
  return all;
}

/// Adds the levels of one window to the voxels of a row that it covers.
template <class Set>
void add_window(const WindowLevels& window, const Set* row, const Stretch& covered,
                std::vector<double>& sums) {
  if (window.levels.empty()) return;
  double level = window.level_of(row[covered.first]);
  for (std::int32_t x = covered.first; x < covered.last; ++x) {
    if (x > covered.first && row[x] != row[x - 1]) level = window.level_of(row[x]);
    sums[static_cast<std::size_t>(x)] += level;
  }
}

std::int32_t length(const Stretch& s) { return s.last - s.first; }

/// The means of one row: windows are added in their own order, whoever does it.
template <class Set>
void average_row(const Windows& windows, const std::vector<WindowLevels>& all, std::int32_t y, std::int32_t z,
                 const Set* row, float* image, std::vector<double>& sums) {
  const auto [ax, ay, az] = windows.axis;
  const Stretch over_y = ay.windows_over(y), over_z = az.windows_over(z);
  std::fill(sums.begin(), sums.end(), 0.0);
  for (std::int32_t wz = over_z.first; wz < over_z.last; ++wz)
    for (std::int32_t wy = over_y.first; wy < over_y.last; ++wy)
      for (std::int32_t wx = 0; wx < ax.count(); ++wx)
        add_window(all[static_cast<std::size_t>(windows.number(wx, wy, wz))], row, ax.voxels_of(wx), sums);
  const double across = static_cast<double>(length(over_y)) * length(over_z);
  for (std::int32_t x = 0; x < ax.n; ++x)
    image[x] = static_cast<float>(sums[static_cast<std::size_t>(x)] / (across * length(ax.windows_over(x))));
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
  const auto all = estimate_all(grid, votes, windows, options);
  LocalStaple result{.image = SoftImage(static_cast<std::size_t>(grid.voxels()), 0.0F)};
  for (const WindowLevels& window : all) {
    result.windows += window.levels.empty() ? 0 : 1;
    result.unconverged += window.converged ? 0 : 1;
  }
  votes.visit([&](const auto* sets) {
    parallel_pieces(grid.rows(), 16, [&](std::int64_t begin, std::int64_t end) {
      throw_if_stopped(options.stop);
      std::vector<double> sums(static_cast<std::size_t>(grid.size[0]));
      for (std::int64_t row = begin; row < end; ++row)
        average_row(windows, all, static_cast<std::int32_t>(row % grid.size[1]),
                    static_cast<std::int32_t>(row / grid.size[1]), sets + row * grid.size[0],
                    result.image.data() + row * grid.size[0], sums);
    });
  });
  return result;
}

}  // namespace crema
