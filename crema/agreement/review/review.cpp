// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/review/review.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include <fmt/format.h>

#include "crema/agreement/overlap.h"
#include "crema/agreement/review/review_places.h"
#include "crema/agreement/review/zone_worth.h"
#include "crema/base/error.h"
#include "crema/base/memory.h"
#include "crema/base/parallel.h"
#include "crema/stop.h"

namespace crema {
namespace {

/// Rows times raters that are solved anew for the list: about a quarter of a second.
constexpr std::int64_t kSolvingWork = 4'000'000;

bool is_kept(const Decision& decision) { return decision.soft_voxels > 0; }

/// For each component the raters without whom it is decided otherwise.
std::vector<Raters> find_flips(const Reduction& reduction, const Solution& solution, const Options& options,
                               std::span<const LeftOut> left_out) {
  std::vector<Raters> flips(reduction.crowns.size(), 0);
  if (reduction.raters < 2) return flips;
  std::vector<LeftOut> own;
  if (left_out.empty()) {
    own = leave_one_out(reduction, solution, options, LeaveOut::fixed);
    left_out = own;
  }
  for (const LeftOut& one : left_out) {
    for (const std::size_t c : one.lost) flips[c] |= Raters{1} << one.rater;
    for (const std::size_t c : one.gained) flips[c] |= Raters{1} << one.rater;
  }
  return flips;
}

/// Whether a component is kept at all. Everybody agreeing about that leaves nothing of its criterion.
ReviewItem component_item(const Reduction& reduction, const Solution& solution, std::size_t c, Raters flips) {
  const Component& component = reduction.components.list[c];
  const Decision& decision = solution.components[c];
  ReviewItem item{.reason = flips != 0 ? ReviewReason::flips : ReviewReason::left_out, .component = c};
  item.first = reduction.components.runs_of(component).front().first;
  item.voxels = component.voxels;
  item.inside = decision.voxels;
  item.seen = item.drawn = raters_present(reduction.crowns[c].tally);
  item.flips = flips;
  item.criterion = item.fall = decision.criterion;
  item.box = component.box;
  return item;
}

void put(ReviewItem& item, const ZoneWorth& worth) {
  item.if_inside = worth.if_inside;
  item.if_outside = worth.if_outside;
  item.fall = worth.fall;
}

std::vector<ReviewItem> zone_items(const Reduction& reduction, const Solution& solution, std::size_t c,
                                   const Zones& zones, const Options& options) {
  throw_if_stopped(options);
  const Tally& tally = reduction.crowns[c].tally;
  const Decision& decision = solution.components[c];
  const ZoneEvaluator evaluator(tally, decision, *solution.method, options);
  std::vector<ReviewItem> items;
  for (const Zone& zone : zones.list) {
    ReviewItem item{.reason = ReviewReason::zone, .component = c, .first = zone.first};
    item.voxels = zone.voxels;
    item.seen = raters_present(tally);
    for (const ZoneRow& part : zone.rows) item.drawn |= tally.rows[part.row].raters;
    item.criterion = decision.criterion;
    item.box = zone.box;
    put(item, evaluator.held(zone));
    items.push_back(item);
  }
  return items;
}

bool comes_first(const ReviewItem& a, const ReviewItem& b) {
  return std::tuple(a.reason, -a.fall, -a.voxels, a.component, a.first) <
         std::tuple(b.reason, -b.fall, -b.voxels, b.component, b.first);
}

/// How many of the zones, in this order, are solved anew.
std::size_t count_solvable(const Reduction& reduction, std::span<const ReviewItem> zones) {
  std::int64_t work = 0;
  std::size_t count = 0;
  for (; count < zones.size(); ++count) {
    work += 2 * std::ssize(reduction.crowns[zones[count].component].tally.rows) * reduction.raters;
    if (work > kSolvingWork) break;
  }
  return count;
}

void solve_anew(const Reduction& reduction, const Solution& solution, const Options& options,
                ZoneKeeper& keeper, std::span<ReviewItem> items) {
  std::sort(items.begin(), items.end(), comes_first);
  const auto chosen = items.first(count_solvable(reduction, items));
  for_components(chosen, [&](std::size_t c, std::span<ReviewItem*> own) {
    const ZoneEvaluator evaluator(reduction.crowns[c].tally, solution.components[c], *solution.method,
                                  options);
    keeper.with(c, [&](const Zones& zones) {
      for (ReviewItem* item : own) {
        throw_if_stopped(options);
        put(*item, evaluator.solved(zones.list[number_of(zones, item->first)]));
      }
    });
  });
}

std::vector<ReviewItem> all_zones(const Reduction& reduction, const Solution& solution,
                                  const Options& options, ZoneKeeper& keeper) {
  std::vector<std::vector<ReviewItem>> lists(reduction.crowns.size());
  parallel_for(std::ssize(lists), [&](std::int64_t i) {
    const auto c = static_cast<std::size_t>(i);
    if (!is_kept(solution.components[c])) return;
    lists[c] = keeper.with(
        c, [&](const Zones& zones) { return zone_items(reduction, solution, c, zones, options); });
  });
  std::vector<ReviewItem> items;
  for (auto& list : lists) items.insert(items.end(), list.begin(), list.end());
  solve_anew(reduction, solution, options, keeper, items);
  return items;
}

/// Voxels are looked at by component: a number for each, and their zones.
void require_memory(const Reduction& reduction, const Options& options) {
  std::int64_t largest = 0;
  for (const Component& component : reduction.components.list) largest = std::max(largest, component.voxels);
  if (options.memory) options.memory->require("the list of decisions", largest * 32, "leave the list out");
}

}  // namespace

std::string_view to_string(ReviewReason reason) {
  constexpr std::array<std::string_view, 3> names{"flips", "left_out", "zone"};
  return names[static_cast<std::size_t>(reason)];
}

ReviewList make_review_list(const Reduction& reduction, const Solution& solution, const Options& options,
                            std::size_t max_items, std::span<const LeftOut> left_out) {
  if (!std::holds_alternative<Solver>(solution.method->solver))
    throw UsageError(
        fmt::format("{} does not decide component by component, so it has no list of decisions; choose "
                    "jaccard or another method with a distance",
                    solution.method->name));
  require_memory(reduction, options);
  ReviewList list;
  std::vector<ReviewItem>& items = list.items;
  const std::vector<Raters> flips = find_flips(reduction, solution, options, left_out);
  with_threads(options.threads, [&] {
    ZoneKeeper keeper(reduction);
    items = all_zones(reduction, solution, options, keeper);
    for (std::size_t c = 0; c < reduction.crowns.size(); ++c)
      if (flips[c] != 0 ||
          (!is_kept(solution.components[c]) && std::popcount(raters_present(reduction.crowns[c].tally)) >= 2))
        items.push_back(component_item(reduction, solution, c, flips[c]));
    std::sort(items.begin(), items.end(), comes_first);
    list.all = items.size();
    if (max_items > 0 && items.size() > max_items) items.resize(max_items);
    find_places(reduction, solution, options, keeper, items);
  });
  return list;
}

}  // namespace crema
