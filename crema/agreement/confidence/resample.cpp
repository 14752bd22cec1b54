// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/confidence/resample.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "crema/agreement/confidence/level_raters.h"
#include "crema/base/error.h"
#include "crema/base/parallel.h"
#include "crema/counts/discrepancy.h"
#include "crema/counts/groups.h"
#include "crema/counts/solvers.h"
#include "crema/gather.h"
#include "crema/stop.h"

namespace crema {
namespace {

/// What levels that are constant on rows mean for a component, as in solve().
Decision decide(const Tally& tally, Levels levels, const Method& method, const Tversky& tversky,
                const std::vector<double>& weights) {
  Decision decision{.levels = std::move(levels)};
  decision.criterion = criterion(tally, decision.levels, method.distance.with(tversky), weights);
  for (std::size_t r = 0; r < tally.rows.size(); ++r) {
    const auto n = static_cast<double>(tally.rows[r].voxels);
    const double level = decision.levels[r];
    const bool soft = method.kind == Kind::soft;
    decision.inside.push_back(soft ? (static_cast<float>(level) > 0.5F ? tally.rows[r].voxels : 0)
                                   : std::llround(level * n));
    decision.voxels += decision.inside.back();
    decision.soft_voxels += soft ? level * n : static_cast<double>(decision.inside.back());
  }
  return decision;
}

/// Components are few and small or one and large: the loop around this one is the parallel one.
void ask(Solver solver, const Reduction& reduction, const Options& options,
         const std::vector<double>& weights, Solution& solution) {
  SolveOptions solving = solve_options(options);
  solving.weights = weights;
  for (const Crowns& crowns : reduction.crowns)
    solution.components.push_back(decide(crowns.tally, solver(crowns.tally, solving).levels, *solution.method,
                                         options.tversky, weights));
}

Groups remap(const Groups& groups, const std::vector<std::size_t>& sources) {
  Groups result{.raters = static_cast<int>(sources.size()), .rows = {}};
  for (const Group& row : groups.rows) result.rows.push_back({drawn_set(row.raters, sources), row.voxels});
  std::sort(result.rows.begin(), result.rows.end(),
            [](const Group& a, const Group& b) { return a.raters < b.raters; });
  std::size_t last = 0;
  for (std::size_t r = 1; r < result.rows.size(); ++r) {
    if (result.rows[r].raters == result.rows[last].raters)
      result.rows[last].voxels += result.rows[r].voxels;
    else
      result.rows[++last] = result.rows[r];
  }
  if (!result.rows.empty()) result.rows.resize(last + 1);
  return result;
}

void ask(GroupSolver solver, const Reduction& reduction, const Options& options,
         const std::vector<double>& weights, Solution& solution) {
  const std::vector<std::size_t> sources = drawn_raters(weights);
  const Groups own = gather(reduction, options.region), groups = remap(own, sources);
  GroupAnswer answer = solver(groups, group_options(groups, *solution.method, options));
  for (double& level : answer.levels)
    if (static_cast<float>(level) == 0) level = 0;  // as solve() has it
  if (!own.rows.empty() && own.rows.front().raters == 0)
    solution.background = {own.rows.front().voxels, answer.levels.front()};
  for (const Crowns& crowns : reduction.crowns) {
    Tally drawn = crowns.tally;
    for (Subcrown& row : drawn.rows) row.raters = drawn_set(row.raters, sources);
    solution.components.push_back(decide(crowns.tally, levels_of(drawn, groups, answer.levels),
                                         *solution.method, options.tversky, weights));
  }
}

void ask(FieldSolver, const Reduction&, const Options&, const std::vector<double>&, Solution& solution) {
  throw UsageError(needs_voxels(*solution.method));
}

void sum_up(Solution& solution) {
  for (const Decision& decision : solution.components) {
    solution.lmsd += decision.criterion;
    solution.voxels += decision.voxels;
    solution.soft_volume += decision.soft_voxels;
  }
  const auto& [voxels, level] = solution.background;
  if (static_cast<float>(level) > 0.5F) solution.voxels += voxels;
  solution.soft_volume += static_cast<double>(voxels) * level;
}

Solution solve_levels_again(const Reduction& reduction, const Method& method, Options options,
                            const std::vector<double>& weights) {
  options.weights.clear();
  if (!accepts(method, Accept::weights))
    return solve(with_level_raters(reduction, drawn_raters(weights)), method, options);
  options.weights = weights;
  return solve(reduction, method, options);
}

}  // namespace

std::vector<double> multiply_weights(const std::vector<double>& weights, const std::vector<double>& times) {
  std::vector<double> product = times;
  if (!weights.empty())
    std::transform(times.begin(), times.end(), weights.begin(), product.begin(), std::multiplies());
  if (std::none_of(product.begin(), product.end(), [](double w) { return w > 0; }))
    throw UsageError("no rater with a weight is left; at least one must count");
  return product;
}

std::vector<std::size_t> drawn_raters(const std::vector<double>& times) {
  std::vector<std::size_t> drawn;
  for (std::size_t k = 0; k < times.size(); ++k)
    drawn.insert(drawn.end(), static_cast<std::size_t>(std::llround(times[k])), k);
  return drawn;
}

std::string needs_voxels(const Method& method) {
  return fmt::format(
      "{} uses neighbouring voxels, so it cannot be solved again from counts; choose a method on counts, "
      "such as jaccard or staple",
      method.name);
}

Solution solve_resampled(const Reduction& reduction, const Method& method, const Options& options,
                         const std::vector<double>& times) {
  const bool weighted = accepts(method, Accept::weights);
  const auto weights = multiply_weights(weighted ? options.weights : std::vector<double>{}, times);
  Solution solution{.method = &method};
  throw_if_stopped(options);
  if (reduction.levels) return solve_levels_again(reduction, method, options, weights);
  std::visit([&](auto solver) { ask(solver, reduction, options, weights, solution); }, method.solver);
  sum_up(solution);
  return solution;
}

}  // namespace crema
