// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/joint/replicas.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/agreement/confidence/level_raters.h"
#include "crema/agreement/confidence/resample.h"
#include "crema/base/error.h"
#include "crema/base/parallel.h"
#include "crema/labels/classes.h"
#include "crema/labels/settle/joint.h"
#include "crema/stop.h"

namespace crema {
namespace {

/// The label maps of these raters, of whom one may be named several times.
std::shared_ptr<const LabelMaps> maps_of(const LabelMaps& maps, const std::vector<std::size_t>& raters) {
  auto drawn = std::make_shared<LabelMaps>();
  drawn->grid = maps.grid;
  drawn->overlapping = maps.overlapping;
  for (const std::size_t k : raters) drawn->raters.push_back(maps.raters[k]);
  return drawn;
}

std::vector<Structure> structures_of(const LabelCounts& counts) {
  std::vector<Structure> list;
  for (const StructureCounts& own : counts.structures) list.push_back(own.structure);
  return list;
}

/// The case of these raters with components of its own.
LabelCounts count_again(const LabelCounts& counts, const std::vector<std::size_t>& raters, Needs needs,
                        const Options& options) {
  LabelCounts again;
  if (counts.of_levels()) {
    ClassLevels levels;
    for (const StructureCounts& own : counts.structures)
      levels.push_back(maps_of_level_raters(own.reduction, raters));
    again = count_classes(counts.grid(), structures_of(counts), std::move(levels), needs, options);
  } else {
    again = count_labels(maps_of(*counts.maps, raters), structures_of(counts), needs, options);
  }
  again.regions = counts.regions;
  return again;
}

/// The case of these raters on the components of all; those of masks matter to no method without weights.
LabelCounts count_drawn(const LabelCounts& counts, const std::vector<std::size_t>& raters, Needs needs,
                        const Options& options) {
  if (!counts.of_levels()) return count_again(counts, raters, needs, options);
  LabelCounts drawn{.maps = maps_of(*counts.maps, raters), .structures = {}, .regions = counts.regions};
  for (const StructureCounts& own : counts.structures)
    drawn.structures.push_back({.structure = own.structure,
                                .drawn = own.drawn,
                                .reduction = with_level_raters(own.reduction, raters)});
  return drawn;
}

/// What a label got, on the components that it has with all raters.
Solution part_of(const LabelCounts& all, const LabelCounts& now, const LabelConsensus& joint, std::size_t s) {
  const Reduction& reduction = all.structures[s].reduction;
  auto image = std::make_shared<Image>(image_of_label(now, joint, s));
  Solution part{.method = joint.method, .lmsd = joint.labels[s].joint.lmsd};
  std::visit(
      [&](const auto& map) {
        for (std::size_t p = 0; p < reduction.crowns.size(); ++p) {
          Decision& decision = part.components.emplace_back();
          for_each_in_part(reduction, p, [&](std::size_t voxel, std::size_t) {
            if (static_cast<double>(map[voxel]) > 0.5) ++decision.voxels;
          });
        }
        for_each_nonzero(map, [&](std::size_t, auto level) {
          part.soft_volume += static_cast<double>(level);
          if (static_cast<double>(level) > 0.5) ++part.voxels;
        });
      },
      std::as_const(*image));
  part.image = std::move(image);
  return part;
}

/// All labels when each rater counts so often.
template <class Use>
void solve_drawn(const LabelCounts& counts, const Method& method, Options options,
                 const std::vector<double>& times, Use use) {
  if (method.needs == Needs::neighbours) throw UsageError(needs_voxels(method));
  const bool weighted = accepts(method, Accept::weights);
  const std::vector<double> weights =
      multiply_weights(weighted ? options.weights : std::vector<double>{}, times);
  options.weights.clear();
  throw_if_stopped(options);
  if (weighted) {
    options.weights = weights;
    return use(counts, solve_labels(counts, method, options));
  }
  const LabelCounts drawn = count_drawn(counts, drawn_raters(weights), method.needs, options);
  use(drawn, solve_labels(drawn, method, options));
}

template <class Use>
void solve_without(const LabelCounts& counts, const Method& method, Options options, LeaveOut mode,
                   std::size_t rater, Use use) {
  const auto raters = static_cast<std::size_t>(counts.raters());
  if (mode == LeaveOut::fixed) {
    std::vector<double> times(raters, 1);
    times[rater] = 0;
    return solve_drawn(counts, method, options, times, use);
  }
  std::vector<std::size_t> others;
  for (std::size_t k = 0; k < raters; ++k)
    if (k != rater) others.push_back(k);
  if (!options.weights.empty())
    options.weights.erase(options.weights.begin() + static_cast<std::ptrdiff_t>(rater));
  throw_if_stopped(options);
  const LabelCounts less = count_again(counts, others, method.needs, options);
  use(less, solve_labels(less, method, options));
}

/// Without a word while it runs, and without a proof.
Options quiet(Options options) {
  options.progress = {};
  options.certify = Certify::no;
  return options;
}

}  // namespace

std::vector<LeftOut> JointReplicas::leave_one_out(const LabelCounts& counts, std::size_t s,
                                                  const Solution& solution, const Options& options,
                                                  LeaveOut mode) {
  require_others(counts.raters());
  const std::lock_guard lock(mutex_);
  if (mode_ != mode) {
    mode_.reset();
    without_.assign(static_cast<std::size_t>(counts.raters()), {});
    with_threads(options.threads, [&] {
      for (std::size_t k = 0; k < without_.size(); ++k)
        solve_without(counts, *solution.method, quiet(options), mode, k,
                      [&](const LabelCounts& now, const LabelConsensus& joint) {
                        for (std::size_t label = 0; label < counts.structures.size(); ++label) {
                          Solution part = part_of(counts, now, joint, label);
                          VoxelSet set = set_of_image(counts.grid(), *part.image);
                          part.image.reset();
                          without_[k].push_back({std::move(part), std::move(set)});
                        }
                      });
    });
    mode_ = mode;
  }
  const VoxelSet with = set_of_consensus(counts.structures[s].reduction, solution, options);
  std::vector<LeftOut> list;
  for (std::size_t k = 0; k < without_.size(); ++k) {
    const auto& [without, set] = without_[k][s];
    list.push_back(compare_left_out(static_cast<int>(k), {with.voxels, set.voxels, count_common(with, set)},
                                    solution, without));
  }
  return list;
}

Bootstrap JointReplicas::bootstrap(const LabelCounts& counts, std::size_t s, const Method& method,
                                   const Options& options, int replicates, std::uint64_t seed) {
  require_replicates(replicates);
  const std::lock_guard lock(mutex_);
  if (bootstraps_.empty() || drawn_ != std::pair(replicates, seed)) {
    std::vector<Collector> collectors;
    for (const StructureCounts& own : counts.structures) collectors.emplace_back(own.reduction, Keeps::image);
    with_threads(options.threads, [&] {
      for (int b = 0; b < replicates; ++b)
        solve_drawn(counts, method, quiet(options), draw_weighted(options, method, counts.raters(), seed, b),
                    [&](const LabelCounts& now, const LabelConsensus& joint) {
                      for (std::size_t label = 0; label < collectors.size(); ++label)
                        collectors[label].add(part_of(counts, now, joint, label));
                    });
    });
    bootstraps_.clear();
    for (Collector& collector : collectors) bootstraps_.push_back(collector.finish(seed));
    drawn_ = {replicates, seed};
  }
  return bootstraps_[s];
}

}  // namespace crema
