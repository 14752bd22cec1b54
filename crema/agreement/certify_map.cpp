// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/certify_map.h"

#include <fmt/format.h>

#include "crema/error.h"
#include "crema/measure.h"
#include "crema/parallel.h"
#include "crema/stop.h"
#include "crema/weights.h"

namespace crema {
namespace {

void check(const Reduction& reduction, std::span<const float> map, Distance distance) {
  if (static_cast<std::int64_t>(map.size()) != reduction.grid.voxels())
    throw InputError(fmt::format("the map has {} voxels, but the raters' grid has {}", map.size(),
                                 reduction.grid.voxels()));
  const bool hard = is_hard(distance);
  for (const float level : map) {
    if (!(level >= 0 && level <= 1))
      throw InputError(fmt::format("the map holds {}; levels lie between 0 and 1", level));
    if (hard && level != 0 && level != 1)
      throw InputError(fmt::format("the map holds {}, but {} compares masks of 0 and 1; use a soft distance",
                                   level, to_string(distance)));
  }
}

}  // namespace

MapCertificate certify_map(const Reduction& reduction, std::span<const float> map, Distance distance,
                           const Options& options) {
  check(reduction, map, distance);
  check_weights(options.weights, reduction.raters);
  SolveOptions told = solve_options(options);
  told.blocks = Blocks::group;
  told.empty_test = EmptyTest::apply;
  MapCertificate result;
  result.components.resize(reduction.crowns.size());
  std::vector<std::int64_t> touched(reduction.crowns.size());
  with_threads(options.threads, [&] {
    parallel_for(static_cast<std::int64_t>(reduction.crowns.size()), [&](std::int64_t i) {
      const auto c = static_cast<std::size_t>(i);
      throw_if_stopped(options);
      const Measures measures = measure_component(reduction, c, map);
      Decision& decision = result.components[c];
      decision.criterion = criterion(measures.sums, distance, options.weights);
      decision.voxels = measures.voxels;
      decision.soft_voxels = measures.sums.total;
      decision.certificate = certify(reduction.crowns[c].tally, distance, measures.mean, told);
      touched[c] = measures.touched;
    });
  });
  throw_if_stopped(options);  // a proof that was stopped is none
  for (const float level : map) {
    if (level > 0) ++result.outside;
    if (level > 0.5F) ++result.voxels;
  }
  for (std::size_t c = 0; c < touched.size(); ++c) {
    result.outside -= touched[c];
    result.lmsd += result.components[c].criterion;
    result.lower_bound += result.components[c].certificate->lower_bound;
    if (!result.components[c].certificate->proven) ++result.unproven;
  }
  return result;
}

}  // namespace crema
