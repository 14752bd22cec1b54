// SPDX-License-Identifier: Apache-2.0
#include "crema/labels/settle/joint.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/text.h"
#include "crema/labels/classes.h"
#include "crema/labels/regions.h"
#include "crema/labels/separate.h"
#include "crema/labels/settle/hard.h"
#include "crema/labels/settle/places.h"
#include "crema/labels/settle/stretches.h"
#include "crema/labels/vectors.h"
#include "crema/measure.h"

namespace crema {
namespace {

/// What a component got of painted labels.
Decision decide(const Tally& tally, std::vector<std::int64_t> inside, Distance distance,
                const std::vector<double>& weights) {
  const Sums sums = sum_inside(tally, inside);
  Decision decision{
      .levels = {}, .inside = std::move(inside), .criterion = criterion(sums, distance, weights)};
  for (std::size_t r = 0; r < tally.rows.size(); ++r) {
    decision.voxels += decision.inside[r];
    decision.levels.push_back(static_cast<double>(decision.inside[r]) /
                              static_cast<double>(tally.rows[r].voxels));
  }
  decision.soft_voxels = sums.total;
  return decision;
}

/// What a component got of levels; their entropy is added up.
Decision decide(const Crowns& crowns, std::vector<std::int64_t> inside, const std::vector<float>& levels,
                Distance distance, const std::vector<double>& weights, double& entropy_sum) {
  const Tally& tally = crowns.tally;
  std::vector<double> total(tally.rows.size(), 0), squares(tally.rows.size(), 0);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const auto level = static_cast<double>(levels[i]);
    total[crowns.row_of_voxel[i]] += level;
    squares[crowns.row_of_voxel[i]] += level * level;
    entropy_sum += entropy(level);
  }
  Sums sums = sum_inside(tally, std::vector<std::int64_t>(tally.rows.size(), 0));
  Decision decision{.levels = {}, .inside = std::move(inside)};
  for (std::size_t r = 0; r < tally.rows.size(); ++r) {
    sums.total += total[r];
    sums.squares += squares[r];
    for (std::size_t k = 0; k < sums.size.size(); ++k)
      if ((tally.rows[r].raters >> k & 1) != 0) sums.overlap[k] += total[r];
    decision.voxels += decision.inside[r];
    decision.levels.push_back(total[r] / static_cast<double>(tally.rows[r].voxels));
  }
  decision.criterion = criterion(sums, distance, weights);
  decision.soft_voxels = sums.total;
  return decision;
}

std::vector<std::int64_t> inside_of(const StructureCounts& own, std::size_t c,
                                    const std::vector<Label>& shown, const LabelImage& image) {
  std::vector<std::int64_t> inside(own.reduction.crowns[c].tally.rows.size(), 0);
  if (shown.size() == 1) {
    for_each_voxel(own, c, [&, only = shown.front()](std::size_t voxel, std::uint32_t row) {
      inside[row] += image[voxel] == only ? 1 : 0;
    });
    return inside;
  }
  for_each_voxel(own, c, [&](std::size_t voxel, std::uint32_t row) {
    if (std::find(shown.begin(), shown.end(), image[voxel]) != shown.end()) ++inside[row];
  });
  return inside;
}

std::int64_t count_unlabelled(const LabelCounts& counts, const LabelImage& image) {
  const std::vector<Label> places = places_of_labels(counts);
  std::int64_t count = 0;
  for_each_stretch(*counts.maps, [&](std::int64_t first, std::int64_t length, std::span<const Label> said) {
    if (std::any_of(said.begin(), said.end(), [&](Label label) { return places[label] == 0; })) return;
    const auto* const begin = image.begin() + first;
    count += std::count(begin, begin + length, Label{0});
  });
  return count;
}

/// Methods that estimate something of the background, or of shapes, may label what nobody drew.
void recount_voxels(const std::vector<std::vector<Label>>& shown, LabelConsensus& consensus) {
  std::vector<std::int64_t> voxels(std::size_t{1} << 16, 0);
  for (const Label label : consensus.image) ++voxels[label];
  for (std::size_t s = 0; s < shown.size(); ++s) {
    consensus.labels[s].joint.voxels = 0;
    for (const Label value : shown[s]) consensus.labels[s].joint.voxels += voxels[value];
  }
}

/// What each label alone, or its part of the joint consensus, comes to: freedom to overlap costs nothing.
void compare_alone(LabelConsensus& consensus) {
  consensus.lmsd_alone = 0;
  for (LabelResult& result : consensus.labels) {
    const auto &alone = result.alone.components, &joint = result.joint.components;
    result.lmsd_alone = 0;
    for (std::size_t c = 0; c < joint.size(); ++c)
      result.lmsd_alone +=
          alone.empty() ? joint[c].criterion : std::min(alone[c].criterion, joint[c].criterion);
    consensus.lmsd_alone += result.lmsd_alone;
  }
}

LabelImage paint(const LabelCounts& counts, const Method& method, const Options& options,
                 LabelConsensus& consensus) {
  if (method.kind == Kind::soft) {
    for (std::size_t s = 0; s < counts.structures.size(); ++s)
      consensus.levels.push_back(levels_alone(counts.structures[s], consensus.labels[s].alone));
    return paint_levels(counts, options, consensus);
  }
  std::vector<Taken> taken;
  for (std::size_t s = 0; s < counts.structures.size(); ++s)
    taken.push_back(taken_by(counts.structures[s], consensus.labels[s].alone.components));
  return paint_disjoint(counts, all_structures(counts), taken, options, consensus);
}

/// Each region alone as a mask, then all of them nested.
LabelImage paint_regions(const LabelCounts& counts, const Method& method, const Options& options,
                         LabelConsensus& consensus) {
  std::vector<Taken> taken;
  for (const StructureCounts& own : counts.structures) {
    RegionAlone region = solve_region(own, *counts.maps, method, options_alone(own, method, options));
    add_alone(consensus, std::move(region.solution));
    taken.push_back(std::move(region.taken));
  }
  const auto paint_layer = [&](const std::vector<std::size_t>& chosen) {
    return paint_disjoint(counts, chosen, taken, options, consensus);
  };
  return paint_nested(counts, paint_layer, consensus);
}

LabelImage paint_estimate(const LabelCounts& counts, const Method& method, const Options& options,
                          LabelConsensus& consensus) {
  const LabelVectors vectors = count_vectors(counts);
  LabelEstimate& estimate = consensus.estimate.emplace();
  const std::vector<std::size_t> places = method.several == Several::simple
                                              ? solve_label_simple(vectors, options, estimate)
                                              : solve_label_staple(vectors, options, estimate);
  for (std::size_t r = 0; r < places.size(); ++r)
    if (places[r] == vectors.places) consensus.undecided += vectors.voxels[r];
  if (!estimate.converged)
    consensus.warnings.push_back(
        {fmt::format("{}: did not settle in {}; raise {}.", method.name,
                     counted(estimate.iterations, "iteration"), Sentence::setting("max_iterations")),
         WarningKind::not_converged});
  if (method.several != Several::simple && estimate.confusion.empty())
    consensus.warnings.push_back(
        {fmt::format("{}: the confusion matrices of {} are left out of the record, which holds at most 511.",
                     method.name, counted(std::ssize(counts.structures), "label")),
         WarningKind::output_format});
  return paint_vectors(counts, vectors, places, options.undecided.value_or(0));
}

/// What counts of masks say of one label.
Solution measure_counts(const LabelCounts& counts, std::size_t s, const std::vector<Label>& shown,
                        const Distance& distance, const std::vector<double>& weights,
                        const LabelConsensus& consensus) {
  Solution joint{.method = consensus.method};
  const auto& crowns = counts.structures[s].reduction.crowns;
  for (std::size_t c = 0; c < crowns.size(); ++c) {
    std::vector<std::int64_t> inside = inside_of(counts.structures[s], c, shown, consensus.image);
    joint.components.push_back(
        consensus.levels.empty()
            ? decide(crowns[c].tally, std::move(inside), distance, weights)
            : decide(crowns[c], std::move(inside), consensus.levels[s][c], distance, weights, joint.entropy));
    joint.soft_volume += joint.components.back().soft_voxels;
    joint.voxels += joint.components.back().voxels;
  }
  return joint;
}

}  // namespace

void add_alone(LabelConsensus& consensus, Solution alone) {
  append(consensus.warnings, alone.warnings);
  if (alone.lower_bound) {
    consensus.lower_bound = consensus.lower_bound.value_or(0) + *alone.lower_bound;
    consensus.unproven += alone.unproven;
  }
  consensus.labels.push_back({.alone = std::move(alone), .joint = {}});
}

Options options_alone(const StructureCounts& counts, const Method& method, const Options& options) {
  Options own = options;
  own.threads = threads_for(counts, options.threads);
  own.method = method.name;
  own.region = {};
  return own;
}

namespace {

/// Whether a label has voxels only where some rater gave it: a class may have some where no rater reached one
/// half.
bool stays_inside(const LabelCounts& counts, const LabelConsensus& consensus) {
  if (counts.of_levels() || consensus.method == nullptr || consensus.undecided > 0) return false;
  return consensus.method->several != Several::staple && consensus.method->several != Several::shape;
}

}  // namespace

Image image_of_label(const LabelCounts& counts, const LabelConsensus& consensus, std::size_t s) {
  if (!consensus.levels.empty()) {
    SoftImage levels(static_cast<std::size_t>(counts.grid().voxels()));
    for (std::size_t p = 0; p < consensus.levels[s].size(); ++p)
      for_each_in_part(counts.structures[s].reduction, p,
                       [&](std::size_t voxel, std::size_t i) { levels[voxel] = consensus.levels[s][p][i]; });
    return levels;
  }
  const std::vector<Label> values = values_shown(counts, s);
  const LabelImage& map =
      consensus.layers.empty() ? consensus.image : consensus.layers[consensus.layer_of[s]];
  HardImage mask(map.size());
  const auto look_at = [&](std::size_t voxel) {
    if (map[voxel] != 0 && std::find(values.begin(), values.end(), map[voxel]) != values.end())
      mask[voxel] = 1;
  };
  if (stays_inside(counts, consensus))  // not the whole image for each of thousands of labels
    for (std::size_t c = 0; c < counts.structures[s].reduction.crowns.size(); ++c)
      for_each_voxel(counts.structures[s], c, [&](std::size_t voxel, std::uint32_t) { look_at(voxel); });
  else
    for_each_nonzero(map, [&](std::size_t voxel, Label) { look_at(voxel); });
  return mask;
}

void measure_labels(const LabelCounts& counts, const Distance& distance, const std::vector<double>& weights,
                    LabelConsensus& consensus) {
  consensus.labels.resize(counts.structures.size());
  const std::vector<std::vector<Label>> shown = values_shown(counts);
  for (std::size_t s = 0; s < counts.structures.size(); ++s) {
    const LabelResult& known = consensus.labels[s];
    Solution joint = counts.of_levels() ? measure_class(counts, s, shown[s], distance, weights, consensus)
                                        : measure_counts(counts, s, shown[s], distance, weights, consensus);
    joint.lower_bound = known.alone.lower_bound;  // which holds for whatever the label gets
    joint.unproven = known.alone.unproven;
    for (const Decision& decision : joint.components) joint.lmsd += decision.criterion;
    consensus.lmsd += joint.lmsd;
    consensus.labels[s].joint = std::move(joint);
  }
  compare_alone(consensus);
  if (consensus.method != nullptr && consensus.method->aim != Aim::distance && consensus.levels.empty())
    recount_voxels(shown, consensus);
  consensus.unlabelled = count_unlabelled(counts, consensus.image);
}

LabelConsensus solve_labels(const LabelCounts& counts, const Method& method, const Options& options) {
  LabelConsensus consensus{.method = &method, .image = {}, .labels = {}};
  if (counts.of_levels()) return solve_classes(counts, method, options);
  const Distance distance = method.distance.with(options.tversky), twin = twin_of(distance);
  if (!accepts(method, Accept::labels) && !counts.nested())
    throw UsageError(fmt::format("{} does not fuse several labels", method.name));
  if (counts.overlapping()) return solve_separately(counts, method, options);
  if (counts.nested()) {
    consensus.image = paint_regions(counts, method, options, consensus);
    measure_labels(counts, twin, options.weights, consensus);
    return consensus;
  }
  if (method.several != Several::settled) {
    consensus.image = method.several == Several::plurality ? plurality(counts, options, consensus)
                      : method.several == Several::shape   ? paint_by_distance(counts, options)
                                                         : paint_estimate(counts, method, options, consensus);
    measure_labels(counts, twin, options.weights, consensus);
    return consensus;
  }
  for (const StructureCounts& own : counts.structures)
    add_alone(consensus, solve(own.reduction, method, options_alone(own, method, options)));
  consensus.image = paint(counts, method, options, consensus);
  measure_labels(counts, distance, options.weights, consensus);
  return consensus;
}

}  // namespace crema
