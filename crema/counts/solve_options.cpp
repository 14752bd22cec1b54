// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/solve_options.h"

#include <algorithm>
#include <chrono>

namespace crema {

Budget started(const Budget& budget) {
  using Clock = std::chrono::steady_clock;
  if (!(budget.seconds > 0)) return budget;
  constexpr double kEver = 1e8;  // three years: more would overflow the clock
  const std::chrono::duration<double> span(std::min(budget.seconds, kEver));
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(span);
  return {budget.nodes, 0,
          [deadline, stop = budget.stop] { return Clock::now() >= deadline || stopped(stop); }};
}

}  // namespace crema
