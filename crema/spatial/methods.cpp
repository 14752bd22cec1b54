// SPDX-License-Identifier: Apache-2.0
#include "crema/spatial/methods.h"

#include <fmt/format.h>

#include "crema/base/text.h"
#include "crema/counts/groups.h"
#include "crema/fuse.h"
#include "crema/gather.h"
#include "crema/spatial/local_staple.h"
#include "crema/spatial/mrf.h"
#include "crema/spatial/shape.h"

namespace crema {
namespace {

ShapeOptions shape_options(const Options& options) {
  return {.tie = options.tie,
          .weights = options.weights,
          .softness = options.spatial.softness,
          .memory = options.memory.get(),
          .stop = options.stop};
}

}  // namespace

Field solve_shape(const Reduction& reduction, const Options& options) {
  return {.image = shape_average(reduction.grid, *reduction.votes, shape_options(options))};
}

Field solve_shape_soft(const Reduction& reduction, const Options& options) {
  return {.image = shape_levels(reduction.grid, *reduction.votes, shape_options(options))};
}

Field solve_staple_mrf(const Reduction& reduction, const Options& options) {
  const Groups groups = gather(reduction, options.region);
  GroupAnswer answer = solve_staple(groups, group_options(groups, find_method("staple-mrf"), options));
  MrfResult result =
      staple_mrf(reduction.grid, *reduction.votes, groups, answer, reduction.neighbourhood,
                 {.beta = options.spatial.coupling, .tie = options.tie, .memory = options.memory.get()});
  return {.image = std::move(result.image), .performance = std::move(answer.performance)};
}

Field solve_local_staple(const Reduction& reduction, const Options& options) {
  LocalStapleOptions local;
  local.half_window = options.spatial.half_window;
  local.tolerance = options.estimate.tolerance;
  local.max_iterations = options.estimate.max_iterations;
  local.memory = options.memory.get();
  local.stop = options.stop;
  LocalStaple found = local_staple(reduction.grid, *reduction.votes, local);
  Field field{.image = std::move(found.image)};
  if (found.unconverged > 0)
    field.warnings.push_back(
        {fmt::format("{} of {} did not converge in {}.", found.unconverged, counted(found.windows, "window"),
                     counted(local.max_iterations, "iteration")),
         WarningKind::not_converged});
  return field;
}

}  // namespace crema
