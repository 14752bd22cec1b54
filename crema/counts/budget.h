// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace crema {

/// Once it says true, what is being done ends with what was found so far; none: nobody will.
using Stop = std::function<bool()>;

inline bool stopped(const Stop& stop) { return stop && stop(); }

/// How much may be spent on one component: on finding a consensus to start from and on proving how good it
/// is. Only `seconds` makes the outcome depend on the machine.
struct Budget {
  int nodes = 0;       ///< 0: kMaxNodes, fewer where many groups and raters make each of them costly
  double seconds = 0;  ///< 0: no limit
  Stop stop = {};      ///< once it says true, nothing is left of the budget
};

/// The same budget with the clock running: its seconds have become part of `stop`.
Budget started(const Budget& budget);

}  // namespace crema
