// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/review.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include <fmt/format.h>

#include "crema/error.h"
#include "crema/parallel.h"
#include "crema/stop.h"

namespace crema {
namespace {

Raters everybody(int raters) { return raters == kMaxRaters ? ~Raters{0} : (Raters{1} << raters) - 1; }

/// The tally with one row drawn by everybody, which puts it at distance 0.
Tally with_row_inside(const Tally& tally, std::size_t row) {
  Tally agreed = tally;
  agreed.rows.erase(agreed.rows.begin() + static_cast<std::ptrdiff_t>(row));
  const Subcrown inner{0, everybody(tally.raters), tally.rows[row].voxels};
  const auto at = std::find_if(agreed.rows.begin(), agreed.rows.end(), [&](const Subcrown& other) {
    return std::tie(other.distance, other.raters) >= std::tie(inner.distance, inner.raters);
  });
  if (at != agreed.rows.end() && at->distance == 0 && at->raters == inner.raters)
    at->voxels += inner.voxels;
  else
    agreed.rows.insert(at, inner);
  return agreed;
}

/// The tally with one row drawn by nobody.
Tally with_row_outside(Tally tally, std::size_t row) {
  tally.rows.erase(tally.rows.begin() + static_cast<std::ptrdiff_t>(row));
  return tally;
}

/// The share of the weights that speak for a row.
double share_of(Raters raters, int count, const std::vector<double>& weights) {
  double inside = 0, all = 0;
  for (int k = 0; k < count; ++k) {
    const double weight = weights.empty() ? 1 : weights[static_cast<std::size_t>(k)];
    all += weight;
    if ((raters >> k & 1) != 0) inside += weight;
  }
  return inside / all;
}

class Reviewer {
 public:
  Reviewer(const Method& method, const Options& options)
      : solver_(std::get<Solver>(method.solver)), distance_(method.distance), told_(solve_options(options)) {}

  [[nodiscard]] ReviewItem review(const Tally& tally, std::size_t row, double now) const {
    ReviewItem item{.row = row, .subcrown = tally.rows[row], .criterion = now};
    item.if_inside = least(with_row_inside(tally, row));
    item.if_outside = least(with_row_outside(tally, row));
    const double share = share_of(item.subcrown.raters, tally.raters, told_.weights);
    item.fall = share * (now - item.if_inside) + (1 - share) * (now - item.if_outside);
    item.fall_per_voxel = item.fall / static_cast<double>(item.subcrown.voxels);
    return item;
  }

 private:
  [[nodiscard]] double least(const Tally& tally) const {
    if (tally.rows.empty()) return 0;
    return criterion(tally, solver_(tally, told_).levels, distance_, told_.weights);
  }

  Solver solver_;
  Distance distance_;
  SolveOptions told_;
};

std::vector<ReviewItem> review_component(const Reduction& reduction, const Solution& solution, std::size_t c,
                                         const Reviewer& reviewer, const Options& options) {
  const Tally& tally = reduction.crowns[c].tally;
  std::vector<ReviewItem> items;
  for (std::size_t row = 0; row < tally.rows.size(); ++row) {
    if (tally.rows[row].raters == everybody(tally.raters)) continue;
    throw_if_stopped(options);
    items.push_back(reviewer.review(tally, row, solution.components[c].criterion));
    items.back().component = c;
  }
  return items;
}

/// Where the voxels of a row lie.
struct Place {
  Box box;
  std::array<double, 3> sum{};
  std::int64_t voxels = 0;

  void add(const std::array<std::int32_t, 3>& p) {
    for (std::size_t a = 0; a < 3; ++a) {
      box.low[a] = voxels == 0 ? p[a] : std::min(box.low[a], p[a]);
      box.high[a] = voxels == 0 ? p[a] + 1 : std::max(box.high[a], p[a] + 1);
      sum[a] += p[a];
    }
    ++voxels;
  }
};

std::vector<Place> find_places(const Reduction& reduction, std::size_t c) {
  const Crowns& crowns = reduction.crowns[c];
  const auto& size = reduction.grid.size;
  std::vector<Place> places(crowns.tally.rows.size());
  const std::uint32_t* row = crowns.row_of_voxel.data();
  for (const Run& run : reduction.components.runs_of(reduction.components.list[c]))
    for (std::int64_t v = run.first; v < run.first + run.length; ++v)
      places[*row++].add({static_cast<std::int32_t>(v % size[0]),
                          static_cast<std::int32_t>(v / size[0] % size[1]),
                          static_cast<std::int32_t>(v / size[0] / size[1])});
  return places;
}

void put(ReviewItem& item, const Place& place, const Grid& grid) {
  item.box = place.box;
  for (std::size_t a = 0; a < 3; ++a) item.centre_voxel[a] = place.sum[a] / static_cast<double>(place.voxels);
  for (std::size_t a = 0; a < 3; ++a) {
    item.centre[a] = grid.origin[a];
    for (std::size_t b = 0; b < 3; ++b)
      item.centre[a] += grid.direction[3 * a + b] * grid.spacing[b] * item.centre_voxel[b];
  }
}

/// Only components with an item on the list are looked at, each once.
void put_all(const Reduction& reduction, std::vector<ReviewItem>& items) {
  std::vector<std::vector<ReviewItem*>> of_component(reduction.crowns.size());
  for (ReviewItem& item : items) of_component[item.component].push_back(&item);
  parallel_for(std::ssize(of_component), [&](std::int64_t i) {
    const auto c = static_cast<std::size_t>(i);
    if (of_component[c].empty()) return;
    const auto places = find_places(reduction, c);
    for (ReviewItem* item : of_component[c]) put(*item, places[item->row], reduction.grid);
  });
}

}  // namespace

std::vector<ReviewItem> make_review_list(const Reduction& reduction, const Solution& solution,
                                         const Options& options, std::size_t max_items) {
  if (!std::holds_alternative<Solver>(solution.method->solver))
    throw UsageError(
        fmt::format("{} does not decide component by component, so there is no criterion to "
                    "lower; take jaccard or another method with a distance",
                    solution.method->name));
  const Reviewer reviewer(*solution.method, options);
  std::vector<std::vector<ReviewItem>> lists(reduction.crowns.size());
  std::vector<ReviewItem> items;
  with_threads(options.threads, [&] {
    parallel_for(std::ssize(lists), [&](std::int64_t i) {
      const auto c = static_cast<std::size_t>(i);
      lists[c] = review_component(reduction, solution, c, reviewer, options);
    });
    for (const auto& list : lists) items.insert(items.end(), list.begin(), list.end());
    std::stable_sort(items.begin(), items.end(), [](const ReviewItem& a, const ReviewItem& b) {
      return a.fall_per_voxel > b.fall_per_voxel;
    });
    if (max_items > 0 && items.size() > max_items) items.resize(max_items);
    put_all(reduction, items);
  });
  return items;
}

}  // namespace crema
