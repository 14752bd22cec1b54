// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/proof/patience.h"

#include <algorithm>
#include <cmath>

namespace crema {

/// A node takes a few hundred looks at every group, each in the square of its raters at most: with 64 raters
/// and thousands of groups a hundred nodes must do.
int affordable_nodes(const Relaxation& r) {
  constexpr double kLooks = 200, kWork = 5e10;
  const auto width = static_cast<double>(r.raters() + 1);
  const double affordable = kWork / (kLooks * static_cast<double>(r.groups()) * width * width);
  return static_cast<int>(std::clamp(affordable, 100.0, double{kMaxNodes}));
}

void GapHistory::note(int nodes, double gap) { gaps_.resize(static_cast<std::size_t>(nodes) + 1, gap); }

bool GapHistory::is_hopeless(int nodes_left, double enough) const {
  constexpr double kTimes = 12;
  const std::size_t now = gaps_.size() - 1, half = now / 2;
  const double to_fall = std::log(gaps_.back() / enough), fell = std::log(gaps_[half] / gaps_.back());
  return to_fall * static_cast<double>(now - half) > kTimes * fell * nodes_left;
}

}  // namespace crema
