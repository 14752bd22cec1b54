// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/confidence/certify_map.h"

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/parallel.h"
#include "crema/counts/solvers.h"
#include "crema/levels/solve_levels.h"
#include "crema/measure.h"
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
      throw InputError(
          fmt::format("the map holds {}, but levels lie between 0 and 1; give one label of it as a mask, or "
                      "scale it",
                      level));
    if (hard && level != 0 && level != 1)
      throw InputError(
          fmt::format("the map holds {}, but {} compares masks of 0 and 1; cut it with {}, or "
                      "use a soft distance, such as soergel",
                      level, to_string(distance), Sentence::setting("consensus_threshold", "0.5")));
  }
}

/// Layers bound distances without squares; for those with squares there is the best that is known.
void check_level_distance(const Distance& distance) {
  using Id = Distance::Id;
  for (const Id id : {Id::jaccard, Id::dice, Id::soergel, Id::dice1, Id::tanimoto, Id::dice2})
    if (distance.id == id) return;
  throw UsageError(fmt::format(
      "{}: with {} choose jaccard, dice, soergel, dice1, tanimoto or dice2; {} gives the "
      "criterion in every distance.",
      to_string(distance), Sentence::setting("probabilities", "True"), Sentence::command("compare")));
}

/// A map in one component of masks.
CertifiedPart certify_component(const Reduction& reduction, std::size_t c, std::span<const float> map,
                                const Distance& distance, const SolveOptions& options) {
  const Measures measures = measure_component(reduction, c, map);
  CertifiedPart found{.decision = {}, .touched = measures.touched};
  found.decision.criterion = criterion(measures.sums, distance, options.weights);
  found.decision.voxels = measures.voxels;
  found.decision.soft_voxels = measures.sums.total;
  found.decision.certificate = certify(reduction.crowns[c].tally, distance, measures.mean, options);
  return found;
}

}  // namespace

MapCertificate certify_map(const Reduction& reduction, std::span<const float> map, Distance distance,
                           const Options& options) {
  check(reduction, map, distance);
  if (reduction.levels) check_level_distance(distance);
  check_weights(options.weights, reduction.raters);
  SolveOptions solving = solve_options(options);
  solving.blocks = Blocks::group;
  solving.empty_test = EmptyTest::apply;
  MapCertificate result;
  result.components.resize(reduction.crowns.size());
  if (reduction.levels && squares(distance)) result.best_known = 0;
  std::vector<std::int64_t> touched(reduction.crowns.size());
  std::vector<double> best(reduction.crowns.size());
  with_threads(options.threads, [&] {
    parallel_for(static_cast<std::int64_t>(reduction.crowns.size()), [&](std::int64_t i) {
      const auto c = static_cast<std::size_t>(i);
      throw_if_stopped(options);
      CertifiedPart found = reduction.levels ? certify_part(reduction, c, map, distance, solving)
                                             : certify_component(reduction, c, map, distance, solving);
      result.components[c] = std::move(found.decision);
      touched[c] = found.touched;
      best[c] = found.best_known;
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
    if (result.best_known) *result.best_known += best[c];
    result.lower_bound += result.components[c].certificate->lower_bound;
    if (!result.components[c].certificate->proven) ++result.unproven;
  }
  return result;
}

}  // namespace crema
