// SPDX-License-Identifier: Apache-2.0
// Where the decisions of a review list lie, and what kind of disagreement each is.
#pragma once

#include <map>

#include "crema/agreement/review/review.h"
#include "crema/agreement/review/zones.h"
#include "crema/base/parallel.h"

namespace crema {

/// Calls f(component, its items) for each component that has any, several at a time.
template <class F>
void for_components(std::span<ReviewItem> items, F f) {
  std::map<std::size_t, std::vector<ReviewItem*>> by_component;
  for (ReviewItem& item : items) by_component[item.component].push_back(&item);
  std::vector<std::pair<std::size_t, std::vector<ReviewItem*>>> lists(by_component.begin(),
                                                                      by_component.end());
  parallel_for(std::ssize(lists), [&](std::int64_t i) {
    auto& [component, own] = lists[static_cast<std::size_t>(i)];
    f(component, std::span(own));
  });
}

/// The number of the zone with that first voxel.
std::size_t number_of(const Zones& zones, std::int64_t first);

/// The voxels of an item of that component.
VoxelSet voxels_of(const Reduction& reduction, const Zones& zones, const ReviewItem& item);

/// Fills in where items lie, how much of them the consensus has, how far borders are apart and who merged
/// regions.
void find_places(const Reduction& reduction, const Solution& solution, const Options& options,
                 ZoneKeeper& keeper, std::span<ReviewItem> items);

}  // namespace crema
