// SPDX-License-Identifier: Apache-2.0
#include "crema/stop.h"

#include "crema/error.h"

namespace crema {

void throw_if_stopped(const std::function<bool()>& stop) {
  if (stop && stop()) throw Cancelled("stopped before the work was done");
}

Budget stoppable_budget(const Options& options) {
  Budget budget = options.budget;
  budget.stop = options.stop;
  return budget;
}

}  // namespace crema
