// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/compare_methods.h"

#include <algorithm>

#include "crema/agreement/surfaces/faces.h"
#include "crema/agreement/surfaces/parts.h"
#include "crema/base/parallel.h"
#include "crema/levels/solve_levels.h"
#include "crema/measure.h"

namespace crema {
namespace {

/// The levels of the mask of what lies above one half, as shares of rows.
Levels mask_levels(const Tally& tally, const Decision& decision) {
  Levels levels;
  for (std::size_t r = 0; r < tally.rows.size(); ++r)
    levels.push_back(static_cast<double>(decision.inside[r]) / static_cast<double>(tally.rows[r].voxels));
  return levels;
}

double criterion_under(const Reduction& reduction, const Solution& solution, std::size_t c,
                       const Distance& distance, const std::vector<double>& weights) {
  if (reduction.levels) return criterion_of_map(reduction, c, *solution.image, distance, weights);
  const Tally& tally = reduction.crowns[c].tally;
  const Decision& decision = solution.components[c];
  // Levels of a mask are 0 and 1, also where a row is taken in part, so that soft distances equal hard ones.
  const bool mask = solution.method->kind == Kind::hard || is_hard(distance);
  if (mask) return criterion(tally, mask_levels(tally, decision), twin_of(distance), weights);
  if (solution.image) return measure_component(reduction, c, *solution.image, distance, weights).criterion;
  return criterion(tally, decision.levels, distance, weights);
}

Measured percent(double value, double reference) {
  if (reference == 0) return Undefined::empty_reference;
  return 100 * (value / reference - 1);
}

std::int64_t kept(const Solution& solution) {
  return std::count_if(solution.components.begin(), solution.components.end(),
                       [](const Decision& decision) { return decision.soft_voxels > 0; });
}

void count_shape(const Reduction& reduction, const MethodResult& result, MethodRow& row) {
  const VoxelSet set = set_of_consensus(reduction, *result.solution, *result.options);
  const Parts parts = find_parts(reduction.grid, set, reduction.neighbourhood);
  row.parts = static_cast<double>(parts.list.size());
  row.isolated = static_cast<double>(parts.isolated());
  row.faces = static_cast<double>(count_faces(reduction.grid, set));
}

MethodRow make_row(const Reduction& reduction, const MethodResult& result, const References& references,
                   const std::vector<double>& weights) {
  const Solution& solution = *result.solution;
  MethodRow row{.method = solution.method, .options = *result.options};
  row.components = std::ssize(solution.components);
  row.kept = kept(solution);
  row.parts = row.isolated = row.faces = Undefined::not_requested;
  row.voxels = solution.voxels;
  row.soft_volume = solution.soft_volume;
  row.entropy = solution.entropy;
  for (std::size_t d = 0; d < kDistances.size(); ++d)
    row.lmsd[d] =
        lmsd_under(reduction, solution, kDistances[d].distance.with(result.options->tversky), weights);
  row.lower_bound = Undefined::no_proof;
  if (solution.lower_bound) {
    row.lower_bound = *solution.lower_bound;
    row.proven = solution.unproven == 0;
  }
  row.size_vs_majority = row.soft_vs_average = Undefined::not_requested;
  if (references.majority != nullptr)
    row.size_vs_majority =
        percent(static_cast<double>(solution.voxels), static_cast<double>(references.majority->voxels));
  if (references.average != nullptr)
    row.soft_vs_average = percent(solution.soft_volume, references.average->soft_volume);
  row.performance = solution.performance;
  row.range = range_of_levels(reduction, solution);
  row.solving = result.solving;
  row.writing = result.writing;
  return row;
}

}  // namespace

double lmsd_under(const Reduction& reduction, const Solution& solution, const Distance& distance,
                  const std::vector<double>& weights) {
  double sum = 0;
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c)
    sum += criterion_under(reduction, solution, c, distance, weights);
  return sum;
}

std::vector<MethodRow> compare_methods(const Reduction& reduction, const std::vector<MethodResult>& results,
                                       const References& references, const std::vector<double>& weights,
                                       Shape shape) {
  std::vector<MethodRow> rows(results.size());
  for (std::size_t m = 0; m < results.size(); ++m)
    rows[m] = make_row(reduction, results[m], references, weights);
  if (shape == Shape::count)
    parallel_for(std::ssize(results), [&](std::int64_t i) {
      const auto m = static_cast<std::size_t>(i);
      count_shape(reduction, results[m], rows[m]);
    });
  return rows;
}

std::vector<MethodPair> compare_method_pairs(const Reduction& reduction,
                                             const std::vector<MethodResult>& results) {
  std::vector<MethodPair> pairs;
  for (std::size_t a = 0; a < results.size(); ++a)
    for (std::size_t b = a + 1; b < results.size(); ++b) {
      MethodPair pair{.a = a, .b = b};
      pair.voxels =
          compare_results(reduction, *results[a].solution, *results[b].solution, *results[a].options);
      pair.dice = dice(pair.voxels);
      pair.jaccard = jaccard(pair.voxels);
      pairs.push_back(pair);
    }
  return pairs;
}

}  // namespace crema
