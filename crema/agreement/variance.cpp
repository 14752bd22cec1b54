// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/variance.h"

#include <fmt/format.h>

#include "crema/error.h"
#include "crema/parallel.h"

namespace crema {
namespace {

void check(const Reduction& reduction, std::span<const float> map, Distance distance) {
  if (static_cast<std::int64_t>(map.size()) != reduction.grid.voxels())
    throw InputError(fmt::format("the map has {} voxels, but the raters' grid has {}", map.size(),
                                 reduction.grid.voxels()));
  const bool hard = distance == Distance::jaccard || distance == Distance::dice;
  for (const float level : map) {
    if (!(level >= 0 && level <= 1))
      throw InputError(fmt::format("the map holds {}; levels lie between 0 and 1", level));
    if (hard && level != 0 && level != 1)
      throw InputError(fmt::format("the map holds {}, but {} compares masks of 0 and 1; use a soft distance",
                                   level, to_string(distance)));
  }
}

/// Sums of the map's levels over one component, and their mean per row of its tally.
struct Readings {
  Sums sums;
  Levels mean;
  std::int64_t voxels = 0, touched = 0;
};

Readings read(const Reduction& reduction, std::size_t c, std::span<const float> map) {
  const Crowns& crowns = reduction.crowns[c];
  const auto& rows = crowns.tally.rows;
  Readings readings{.mean = Levels(rows.size(), 0)};
  double squares = 0;
  std::size_t voxel = 0;
  for (const Run& run : reduction.components.runs_of(reduction.components.list[c]))
    for (std::int64_t v = run.first; v < run.first + run.length; ++v, ++voxel) {
      const auto level = static_cast<double>(map[static_cast<std::size_t>(v)]);
      readings.mean[crowns.row_of_voxel[voxel]] += level;
      squares += level * level;
      if (level > 0.5) ++readings.voxels;
      if (level > 0) ++readings.touched;
    }
  for (std::size_t r = 0; r < rows.size(); ++r) readings.mean[r] /= static_cast<double>(rows[r].voxels);
  readings.sums = sum_up(crowns.tally, readings.mean);
  readings.sums.squares = squares;
  return readings;
}

}  // namespace

Judgement judge(const Reduction& reduction, std::span<const float> map, Distance distance,
                const Options& options) {
  check(reduction, map, distance);
  const SolveOptions solve_options{options.tie, Blocks::group, options.weights, EmptyTest::apply,
                                   options.budget};
  Judgement result;
  result.components.resize(reduction.crowns.size());
  std::vector<std::int64_t> touched(reduction.crowns.size());
  with_threads(options.threads, [&] {
    parallel_for(static_cast<std::int64_t>(reduction.crowns.size()), [&](std::int64_t i) {
      const auto c = static_cast<std::size_t>(i);
      const Readings readings = read(reduction, c, map);
      Decision& decision = result.components[c];
      decision.criterion = criterion(readings.sums, distance, options.weights);
      decision.voxels = readings.voxels;
      decision.soft_voxels = readings.sums.total;
      decision.certificate = certify(reduction.crowns[c].tally, distance, readings.mean, solve_options);
      touched[c] = readings.touched;
    });
  });
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
