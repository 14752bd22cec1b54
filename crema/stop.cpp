// SPDX-License-Identifier: Apache-2.0
#include "crema/stop.h"

#include "crema/base/error.h"

namespace crema {

void throw_if_stopped(const std::function<bool()>& stop) {
  if (stop && stop()) throw Cancelled("stopped before the work was done");
}

SolveOptions solve_options(const Options& options) {
  SolveOptions result{options.tie,        options.blocks, options.weights,
                      options.empty_test, options.budget, options.tversky};
  result.budget.stop = options.stop;
  return result;
}

}  // namespace crema
