// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/parallel.h"
#include "crema/counts/groups.h"
#include "crema/counts/solvers.h"
#include "crema/fuse.h"
#include "crema/gather.h"
#include "crema/levels/solve_levels.h"
#include "crema/measure.h"
#include "crema/spatial/methods.h"
#include "crema/stop.h"
#include "crema/voxels/votes/votes.h"
#include "crema/weights.h"

namespace crema {
namespace {

/// What levels that are constant on rows mean for a component.
Decision evaluate(const Tally& tally, Levels levels, const Method& method, const Options& options) {
  Decision decision{.levels = std::move(levels)};
  decision.inside.reserve(tally.rows.size());
  decision.criterion =
      criterion(tally, decision.levels, method.distance.with(options.tversky), options.weights);
  for (std::size_t r = 0; r < tally.rows.size(); ++r) {
    decision.inside.push_back(voxels_inside(tally.rows[r], decision.levels[r], method.kind));
    decision.voxels += decision.inside.back();
    decision.soft_voxels += decision.levels[r] * static_cast<double>(tally.rows[r].voxels);
  }
  if (method.kind == Kind::hard) decision.soft_voxels = static_cast<double>(decision.voxels);
  return decision;
}

template <class F>
void for_each_component(const Reduction& reduction, Solution& solution, F decide) {
  solution.components.resize(reduction.crowns.size());
  parallel_for(std::ssize(reduction.crowns), [&](std::int64_t i) {
    const auto c = static_cast<std::size_t>(i);
    solution.components[c] = decide(reduction.crowns[c].tally, c);
  });
}

/// Each component by itself.
void ask(Solver solver, const Reduction& reduction, const Options& options, Solution& solution) {
  const SolveOptions solving = solve_options(options);
  const Method& method = *solution.method;
  for_each_component(reduction, solution, [&](const Tally& tally, std::size_t) {
    throw_if_stopped(options);
    Answer answer = solver(tally, solving);
    Decision decision = evaluate(tally, std::move(answer.levels), method, options);
    decision.certificate = answer.certificate;
    if (options.certify == Certify::yes && !decision.certificate)
      decision.certificate = certify(tally, method.distance.with(options.tversky), decision.levels, solving);
    return decision;
  });
}

/// All groups of the region at once.
void ask(GroupSolver solver, const Reduction& reduction, const Options& options, Solution& solution) {
  const Groups groups = gather(reduction, options.region);
  GroupAnswer answer = solver(groups, group_options(groups, *solution.method, options));
  for (double& level : answer.levels)
    if (static_cast<float>(level) == 0) level = 0;  // as it is painted: distances jump where a map gets empty
  solution.performance = std::move(answer.performance);
  if (!groups.rows.empty() && groups.rows.front().raters == 0)
    solution.background = {groups.rows.front().voxels, answer.levels.front()};
  for_each_component(reduction, solution, [&](const Tally& tally, std::size_t) {
    return evaluate(tally, levels_of(tally, groups, answer.levels), *solution.method, options);
  });
}

/// The voxels themselves.
void ask(FieldSolver solver, const Reduction& reduction, const Options& options, Solution& solution) {
  if (!reduction.votes)
    throw InputError(fmt::format("{} uses neighbouring voxels, but the votes were dropped after counting",
                                 solution.method->name));
  Field field = solver(reduction, options);
  solution.performance = std::move(field.performance);
  solution.warnings = std::move(field.warnings);
  solution.image = std::make_shared<Image>(std::move(field.image));
  for_each_component(reduction, solution, [&](const Tally&, std::size_t c) {
    return measure_component(reduction, c, *solution.image, solution.method->distance.with(options.tversky),
                             options.weights);
  });
}

/// Sums run in the order of the components, so that threads do not show in the last digit.
void sum_up(const Reduction& reduction, Solution& solution) {
  for (std::size_t c = 0; c < solution.components.size(); ++c) {
    const Decision& decision = solution.components[c];
    solution.lmsd += decision.criterion;
    solution.voxels += decision.voxels;
    solution.soft_volume += decision.soft_voxels;
    if (decision.certificate) {
      solution.lower_bound = solution.lower_bound.value_or(0) + decision.certificate->lower_bound;
      if (!decision.certificate->proven) ++solution.unproven;
    }
    if (solution.method->kind == Kind::hard || solution.image) continue;  // nothing is uncertain about it
    const auto& rows = reduction.crowns[c].tally.rows;
    for (std::size_t r = 0; r < rows.size(); ++r)
      solution.entropy += static_cast<double>(rows[r].voxels) * entropy(decision.levels[r]);
  }
}

/// What lies outside all components.
void add_background(Solution& solution) {
  const auto& [voxels, level] = solution.background;
  const auto count = static_cast<double>(voxels);
  if (static_cast<float>(level) > 0.5F) solution.voxels += voxels;
  solution.soft_volume += count * level;
  if (solution.method->kind == Kind::soft) solution.entropy += count * entropy(level);
}

/// A painted map is read where nobody drew, too.
void add_painted(const Reduction& reduction, Solution& solution) {
  const Totals totals = measure_image(*solution.image);
  solution.voxels = totals.inside;
  solution.soft_volume = totals.sum;
  solution.entropy = totals.entropy;
  double drawn = 0;
  std::int64_t union_voxels = 0;
  for (std::size_t c = 0; c < solution.components.size(); ++c) {
    drawn += solution.components[c].soft_voxels;
    union_voxels += reduction.components.list[c].voxels;
  }
  const std::int64_t rest = reduction.grid.voxels() - union_voxels;
  // The mean level: a painted background need not have one level.
  if (rest > 0) solution.background = {rest, std::max(0.0, totals.sum - drawn) / static_cast<double>(rest)};
}

}  // namespace

Solution solve(const Reduction& reduction, const Method& method, const Options& options) {
  check_weights(options.weights, reduction.raters);
  if (options.certify == Certify::yes && method.aim != Aim::distance)
    throw UsageError(
        fmt::format("{} minimises no distance to the raters, so there is nothing to certify; {} does it for "
                    "any result, in a distance of your choice",
                    method.name, Sentence::command("certify")));
  if (!reduction.levels && !takes_masks(method))
    throw UsageError(fmt::format("{} takes probability maps, not masks; give {} or choose another method.",
                                 method.name, Sentence::setting("probabilities", "True")));
  Solution solution{.method = &method};
  with_threads(options.threads, [&] {
    if (reduction.levels)
      solution = solve_levels(reduction, method, options);
    else
      std::visit([&](auto solver) { ask(solver, reduction, options, solution); }, method.solver);
  });
  if (options.certify == Certify::yes) solution.lower_bound = 0;
  throw_if_stopped(options);  // a proof that was stopped is none
  sum_up(reduction, solution);
  if (solution.image)
    add_painted(reduction, solution);
  else
    add_background(solution);
  return solution;
}

}  // namespace crema
