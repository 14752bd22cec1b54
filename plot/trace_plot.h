// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "crema/counts/macchiato/trace.h"

namespace crema::plot {

/// How a consensus of one component was found.
struct TracePanel {
  std::string title;
  std::string criterion;  ///< what the vertical axis measures
  Trace trace;
  EmptyTest empty_test = EmptyTest::apply;
  Tie tie = Tie::background;
  std::string size = "voxels of the consensus";  ///< what the horizontal axis counts
};

/// The criterion along the shrinking and the growing pass against the size of the consensus: a line through
/// what was accepted, hollow dots for what was tried and refused.
std::string draw_traces(const std::vector<TracePanel>& panels, const std::string& title);

}  // namespace crema::plot
