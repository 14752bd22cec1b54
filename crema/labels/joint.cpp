// SPDX-License-Identifier: Apache-2.0
#include "crema/labels/joint.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "crema/error.h"
#include "crema/labels/hard.h"
#include "crema/labels/regions.h"
#include "crema/labels/separate.h"
#include "crema/labels/stretches.h"
#include "crema/labels/vectors.h"

namespace crema {
namespace {

void add_alone(LabelConsensus& consensus, Solution alone) {
  consensus.lmsd_alone += alone.lmsd;
  if (alone.lower_bound) {
    consensus.lower_bound = consensus.lower_bound.value_or(0) + *alone.lower_bound;
    consensus.unproven += alone.unproven;
  }
  consensus.labels.push_back({.alone = std::move(alone), .criterion = {}, .soft_voxels = {}});
}

Options options_alone(const Method& method, const Options& options) {
  Options own = options;
  own.method = method.name;
  own.region = {};
  return own;
}

/// Sums of the levels of a component as they were painted.
Sums sum_levels(const Tally& tally, const std::vector<std::uint32_t>& rows,
                const std::vector<float>& levels) {
  std::vector<double> total(tally.rows.size(), 0), squares(tally.rows.size(), 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto level = static_cast<double>(levels[i]);
    total[rows[i]] += level;
    squares[rows[i]] += level * level;
  }
  Sums sums = sum_inside(tally, std::vector<std::int64_t>(tally.rows.size(), 0));
  for (std::size_t r = 0; r < tally.rows.size(); ++r) {
    sums.total += total[r];
    sums.squares += squares[r];
    for (std::size_t k = 0; k < sums.size.size(); ++k)
      if ((tally.rows[r].raters >> k & 1) != 0) sums.overlap[k] += total[r];
  }
  return sums;
}

/// The labels that a structure's voxels have in the image: its own, and those of what lies inside it.
std::vector<Label> shown_as(const LabelCounts& counts, std::size_t s) {
  std::vector<Label> shown;
  for (std::size_t i = 0; i < counts.structures.size(); ++i) {
    int outer = static_cast<int>(i);
    while (outer != Structure::kNone && outer != static_cast<int>(s))
      outer = counts.structures[static_cast<std::size_t>(outer)].structure.parent;
    if (outer != Structure::kNone) shown.push_back(counts.structures[i].structure.value);
  }
  return shown;
}

std::vector<std::int64_t> inside_of(const LabelCounts& counts, std::size_t s, std::size_t c,
                                    const LabelImage& image) {
  const StructureCounts& own = counts.structures[s];
  const std::vector<Label> shown = shown_as(counts, s);
  std::vector<std::int64_t> inside(own.reduction.crowns[c].tally.rows.size(), 0);
  if (shown.size() == 1) {
    for_each_voxel(counts.grid(), own, c, [&, only = shown.front()](std::size_t voxel, std::uint32_t row) {
      inside[row] += image[voxel] == only ? 1 : 0;
    });
    return inside;
  }
  for_each_voxel(counts.grid(), own, c, [&](std::size_t voxel, std::uint32_t row) {
    if (std::find(shown.begin(), shown.end(), image[voxel]) != shown.end()) ++inside[row];
  });
  return inside;
}

std::int64_t count_unlabelled(const LabelCounts& counts, const LabelImage& image) {
  std::int64_t count = 0;
  for_each_stretch(*counts.maps, [&](std::int64_t first, std::int64_t length, std::span<const Label> said) {
    if (std::any_of(said.begin(), said.end(), [](Label label) { return label == 0; })) return;
    const auto* const begin = image.begin() + first;
    count += std::count(begin, begin + length, Label{0});
  });
  return count;
}

LabelImage paint(const LabelCounts& counts, const Method& method, const Options& options,
                 LabelConsensus& consensus) {
  if (counts.nested()) return paint_nested(counts, options, consensus);
  if (method.kind == Kind::soft) return paint_levels(counts, options, consensus);
  std::vector<std::size_t> all(counts.structures.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return paint_disjoint(counts, all, options, consensus);
}

/// Methods that look at what all raters say of a voxel at once, not at one label alone.
bool looks_at_vectors(const Method& method) {
  return method.aim == Aim::performance || (method.aim == Aim::vote && method.kind == Kind::hard);
}

LabelImage paint_estimate(const LabelCounts& counts, const Method& method, const Options& options,
                          LabelConsensus& consensus) {
  const LabelVectors vectors = count_vectors(counts);
  LabelEstimate& estimate = consensus.estimate.emplace();
  const std::vector<std::size_t> places = accepts(method, Accept::drop_below)
                                              ? solve_label_simple(vectors, options, estimate)
                                              : solve_label_staple(vectors, options, estimate);
  for (std::size_t r = 0; r < places.size(); ++r)
    if (places[r] == vectors.places) consensus.undecided += vectors.voxels[r];
  if (!estimate.converged)
    consensus.warnings.push_back(fmt::format("{}: did not settle in {} iteration{}; raise {}.", method.name,
                                             estimate.iterations, estimate.iterations == 1 ? "" : "s",
                                             Sentence::setting("max_iterations")));
  return paint_vectors(counts, vectors, places, options.undecided.value_or(0));
}

}  // namespace

void measure_labels(const LabelCounts& counts, Distance distance, const std::vector<double>& weights,
                    LabelConsensus& consensus) {
  consensus.labels.resize(counts.structures.size());
  for (std::size_t s = 0; s < counts.structures.size(); ++s) {
    LabelResult& result = consensus.labels[s];
    const auto& crowns = counts.structures[s].reduction.crowns;
    for (std::size_t c = 0; c < crowns.size(); ++c) {
      const std::vector<std::int64_t> inside = inside_of(counts, s, c, consensus.image);
      const Sums sums = consensus.levels.empty()
                            ? sum_inside(crowns[c].tally, inside)
                            : sum_levels(crowns[c].tally, crowns[c].row_of_voxel, consensus.levels[s][c]);
      result.criterion.push_back(criterion(sums, distance, weights));
      result.soft_voxels.push_back(sums.total);
      result.lmsd += result.criterion.back();
      result.soft_volume += sums.total;
      for (const std::int64_t voxels : inside) result.voxels += voxels;
    }
    consensus.lmsd += result.lmsd;
  }
  consensus.unlabelled = count_unlabelled(counts, consensus.image);
}

LabelConsensus solve_labels(const LabelCounts& counts, const Method& method, const Options& options) {
  LabelConsensus consensus{.method = &method, .image = {}, .labels = {}};
  if (!accepts(method, Accept::labels))
    throw UsageError(fmt::format("{} does not fuse several labels", method.name));
  if (counts.maps->overlapping) return solve_separately(counts, method, options);
  if (looks_at_vectors(method) && !counts.nested()) {
    consensus.image = method.aim == Aim::vote ? plurality(counts, options, consensus)
                                              : paint_estimate(counts, method, options, consensus);
    measure_labels(counts, row_of(method.distance).twin, options.weights, consensus);
    consensus.lmsd_alone = consensus.lmsd;
    return consensus;
  }
  if (method.aim == Aim::shape && !counts.nested()) {
    consensus.image = paint_by_distance(counts, options);
    measure_labels(counts, row_of(method.distance).twin, options.weights, consensus);
    consensus.lmsd_alone = consensus.lmsd;
    return consensus;
  }
  if (method.aim == Aim::performance || method.aim == Aim::shape)
    throw UsageError(fmt::format("{} fuses labels, but not regions inside each other", method.name));
  for (const StructureCounts& own : counts.structures)
    add_alone(consensus, solve(own.reduction, method, options_alone(method, options)));
  consensus.image = paint(counts, method, options, consensus);
  measure_labels(counts, counts.nested() ? row_of(method.distance).twin : method.distance, options.weights,
                 consensus);
  return consensus;
}

}  // namespace crema
