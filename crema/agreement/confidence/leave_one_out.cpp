// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/confidence/leave_one_out.h"

#include <algorithm>

#include "crema/agreement/confidence/level_raters.h"
#include "crema/agreement/confidence/resample.h"
#include "crema/agreement/surfaces/voxel_set.h"
#include "crema/base/error.h"
#include "crema/base/parallel.h"
#include "crema/voxels/votes/votes.h"

namespace crema {
namespace {

/// Which components have a voxel of the consensus.
std::vector<bool> kept_components(const Solution& solution) {
  std::vector<bool> list;
  for (const Decision& decision : solution.components) list.push_back(decision.voxels > 0);
  return list;
}

LeftOut compare(int rater, const CommonCounts& voxels, const Solution& with, const Solution& without,
                const std::vector<bool>& kept_without) {
  LeftOut left{.rater = rater, .voxels = voxels, .dice = dice(voxels)};
  left.change = voxels.second - voxels.first;
  left.soft_change = without.soft_volume - with.soft_volume;
  left.lmsd = without.lmsd;
  const auto kept_with = kept_components(with);
  for (std::size_t c = 0; c < kept_with.size(); ++c) {
    if (kept_with[c] && !kept_without[c]) left.lost.push_back(c);
    if (!kept_with[c] && kept_without[c]) left.gained.push_back(c);
  }
  return left;
}

LeftOut leave_fixed(const Reduction& reduction, const Solution& solution, const Options& options, int rater) {
  std::vector<double> times(static_cast<std::size_t>(reduction.raters), 1);
  times[static_cast<std::size_t>(rater)] = 0;
  const Solution without = solve_resampled(reduction, *solution.method, options, times);
  return compare_left_out(rater, compare_results(reduction, solution, without, options), solution, without);
}

/// Finds the component that holds a voxel of the union.
class ComponentFinder {
 public:
  explicit ComponentFinder(const Components& components) {
    for (std::size_t c = 0; c < components.list.size(); ++c)
      for (const Run& run : components.runs_of(components.list[c])) runs_.emplace_back(run.first, c);
    std::sort(runs_.begin(), runs_.end());
  }

  [[nodiscard]] std::size_t at(std::int64_t voxel) const {
    const auto next = std::upper_bound(runs_.begin(), runs_.end(), voxel,
                                       [](std::int64_t v, const auto& run) { return v < run.first; });
    return (next - 1)->second;
  }

 private:
  std::vector<std::pair<std::int64_t, std::size_t>> runs_;
};

LeftOut leave_exact(const Reduction& reduction, const Solution& solution, const VoxelSet& consensus,
                    const ComponentFinder& finder, Options options, int rater) {
  const Method& method = *solution.method;
  const Reduction less = without_rater(reduction, rater, method.needs, options);
  if (!options.weights.empty()) options.weights.erase(options.weights.begin() + rater);
  const Solution without = solve(less, method, options);
  const VoxelSet set = set_of_consensus(less, without, options);
  std::vector<bool> kept_without(reduction.components.list.size(), false);
  for (std::size_t c = 0; c < without.components.size(); ++c) {
    const Component& component = less.components.list[c];
    if (without.components[c].voxels > 0)  // it lies in one component of the larger union
      kept_without[finder.at(less.components.runs_of(component).front().first)] = true;
  }
  return compare(rater, {consensus.voxels, set.voxels, count_common(consensus, set)}, solution, without,
                 kept_without);
}

}  // namespace

void require_others(int raters) {
  if (raters < 2) throw InputError("leave-one-out needs at least two raters");
}

LeftOut compare_left_out(int rater, const CommonCounts& voxels, const Solution& with,
                         const Solution& without) {
  return compare(rater, voxels, with, without, kept_components(without));
}

Reduction without_rater(const Reduction& reduction, int rater, Needs needs, const Options& options) {
  require_others(reduction.raters);
  if (reduction.levels) return without_level_rater(reduction, rater, needs, options);
  const Raters all = reduction.raters == kMaxRaters ? ~Raters{0} : (Raters{1} << reduction.raters) - 1;
  Votes votes = rebuild_votes(reduction, all & ~(Raters{1} << rater));
  Reduction less = reduce(reduction.grid, votes, needs, options);
  if (needs == Needs::neighbours) less.votes = std::make_shared<Votes>(std::move(votes));
  return less;
}

std::vector<LeftOut> leave_one_out(const Reduction& reduction, const Solution& solution,
                                   const Options& options, LeaveOut mode) {
  require_others(reduction.raters);
  std::vector<LeftOut> list(static_cast<std::size_t>(reduction.raters));
  Options quiet = options;
  quiet.progress = {};
  quiet.certify = Certify::no;
  if (mode == LeaveOut::exact) {  // one after the other: reading voxels is parallel itself
    const VoxelSet consensus = set_of_consensus(reduction, solution, options);
    const ComponentFinder finder(reduction.components);
    for (int k = 0; k < reduction.raters; ++k)
      list[static_cast<std::size_t>(k)] = leave_exact(reduction, solution, consensus, finder, quiet, k);
    return list;
  }
  if (reduction.levels) {  // a map is parallel itself
    for (int k = 0; k < reduction.raters; ++k)
      list[static_cast<std::size_t>(k)] = leave_fixed(reduction, solution, quiet, k);
    return list;
  }
  with_threads(options.threads, [&] {
    parallel_for(reduction.raters, [&](std::int64_t k) {
      list[static_cast<std::size_t>(k)] = leave_fixed(reduction, solution, quiet, static_cast<int>(k));
    });
  });
  return list;
}

}  // namespace crema
