// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "crema/base/parallel.h"
#include "crema/voxels/votes/votes.h"

namespace crema {

/// The rater groups that occur among the votes, sorted; the empty one comes first, occurring or not.
inline std::vector<Raters> groups_in(const Votes& votes) {
  const auto blocks = votes.occupied();
  std::vector<std::vector<Raters>> found(blocks.size());
  votes.visit([&](const auto* sets) {
    parallel_for(std::ssize(blocks), [&](std::int64_t b) {
      auto& mine = found[static_cast<std::size_t>(b)];
      if (blocks[static_cast<std::size_t>(b)] == 0) return;
      const std::int64_t end = std::min(votes.voxels(), (b + 1) * Votes::kBlock);
      Raters last = 0;
      for (std::int64_t v = b * Votes::kBlock; v < end; ++v) {
        if (sets[v] == last) continue;
        last = sets[v];
        const auto place = std::lower_bound(mine.begin(), mine.end(), last);
        if (place == mine.end() || *place != last) mine.insert(place, last);
      }
    });
  });
  std::vector<Raters> all{0};
  for (const auto& some : found) all.insert(all.end(), some.begin(), some.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

/// One value per rater group, looked up fast for voxels that mostly share theirs with the one before.
template <class Value>
class GroupValues {
 public:
  GroupValues(std::vector<Raters> groups, const std::function<Value(Raters)>& value)
      : groups_(std::move(groups)) {
    for (const Raters g : groups_) values_.push_back(value(g));
  }

  /// The value of a group that is among those given.
  [[nodiscard]] Value operator()(Raters group) const {
    const auto place = std::lower_bound(groups_.begin(), groups_.end(), group);
    return values_[static_cast<std::size_t>(place - groups_.begin())];
  }

 private:
  std::vector<Raters> groups_;
  std::vector<Value> values_;
};

}  // namespace crema
