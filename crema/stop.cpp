// SPDX-License-Identifier: Apache-2.0
#include "crema/stop.h"

#include "crema/error.h"

namespace crema {

void throw_if_stopped(const std::function<bool()>& stop) {
  if (stop && stop()) throw Cancelled("stopped before the work was done");
}

SolveOptions solve_options(const Options& options) {
  SolveOptions told{options.tie, options.blocks, options.weights, options.empty_test, options.budget};
  told.budget.stop = options.stop;
  return told;
}

}  // namespace crema
