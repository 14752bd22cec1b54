// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "crema/counts/proof/relaxation.h"

namespace crema {

inline constexpr int kMaxNodes = 20000;

/// Nodes that a search of a component may take where nobody says how many.
int affordable_nodes(const Relaxation& relaxation);

/// How the gap of a search falls as it goes, and whether what is left of its nodes can be expected to close
/// it. Nodes alone count, never a clock.
class GapHistory {
 public:
  /// The gap, above 0, after so many nodes, more than at the last call.
  void note(int nodes, double gap);

  /// Whether the gap would not come down to `enough` in many times the nodes that are left, were it to fall
  /// on at the rate of the last half of the nodes.
  [[nodiscard]] bool is_hopeless(int nodes_left, double enough) const;

 private:
  std::vector<double> gaps_;  ///< by nodes
};

}  // namespace crema
