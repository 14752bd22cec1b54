// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/measures.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/agreement/confidence/level_raters.h"
#include "crema/agreement/detect_parts.h"
#include "crema/base/error.h"
#include "crema/base/parallel.h"
#include "crema/levels/solve_levels.h"
#include "crema/measure.h"
#include "crema/stop.h"

namespace crema {
namespace {

Measured number_of_outlier(const OutlierReport& report) {
  if (report.outlier) return static_cast<double>(*report.outlier);
  if (report.raters.size() < 2) return Undefined::one_rater;
  if (report.raters.size() == 2) return Undefined::two_raters;
  const bool nobody = std::none_of(report.raters.begin(), report.raters.end(),
                                   [](const RaterDistance& rater) { return rater.dice.defined(); });
  return nobody ? Undefined::nobody_drew : Undefined::tie;
}

MemoryAccount* memory_of(const AgreementStudy& study) {
  return study.consensuses.empty() ? nullptr : study.consensuses.front().evaluated.options.memory.get();
}

/// What the study holds of each component of each consensus.
std::int64_t component_bytes(const Reduction& reduction, const AgreementStudy& study) {
  const MeasureOptions& requested = study.requested;
  const std::int64_t per_rater = heap_block(std::int64_t{sizeof(double)} * reduction.raters);
  std::int64_t one = std::int64_t{sizeof(FoundWeights)} + std::int64_t{sizeof(Measured)} + per_rater;
  if (requested.flips) one += std::int64_t{sizeof(Stability)} + 2 * per_rater;
  return one * std::ssize(reduction.crowns) * std::ssize(study.consensuses);
}

std::int64_t bytes_of(const std::vector<VoxelSet>& sets) {
  std::int64_t bytes = 0;
  for (const VoxelSet& set : sets) bytes += heap_block(std::ssize(set.runs) * std::int64_t{sizeof(Run)});
  return bytes;
}

constexpr std::int64_t kPart = 6;  ///< of a run that is a part: itself, its number, its box, whom it meets

/// Bytes that it takes to find and compare the parts of the consensus and of as many raters as threads.
std::int64_t comparing_bytes(const std::vector<VoxelSet>& sets, int threads) {
  if (sets.empty()) return 0;
  const std::int64_t at_once = 1 + std::min<std::int64_t>(threads, std::ssize(sets));
  return kPart * at_once * bytes_of(sets) / std::ssize(sets);
}

/// The surfaces of all pairs of raters, and of each rater and each consensus, in one go: the distances to a
/// set are found once.
void add_surfaces(const Grid& grid, std::vector<VoxelSet> sets, std::size_t raters, AgreementStudy& study) {
  std::vector<SetPair> pairs = all_pairs(raters);
  const std::size_t among_raters = pairs.size();
  for (std::size_t m = raters; m < sets.size(); ++m)
    for (std::size_t k = 0; k < raters; ++k) pairs.emplace_back(k, m);
  std::vector<SurfaceDistances> found;
  if (study.requested.surfaces) {
    found = compare_surfaces(grid, sets, pairs,
                             {.tolerance = study.requested.surface_tolerance,
                              .area = study.requested.hd95 == Hd95::area,
                              .memory = memory_of(study)});
  } else {
    const Measured none = Undefined::not_requested;
    found.assign(pairs.size(), {none, none, none, none, none, none});
  }
  auto next = found.begin() + static_cast<std::ptrdiff_t>(among_raters);
  study.surfaces.assign(found.begin(), next);
  for (ConsensusStudy& one : study.consensuses) {
    one.surfaces.assign(next, next + static_cast<std::ptrdiff_t>(raters));
    next += static_cast<std::ptrdiff_t>(raters);
  }
}

/// Finds the set of each consensus, puts it behind those of the raters, and compares its parts with theirs,
/// which are found once where there are several and memory allows.
void add_detection(const Reduction& reduction, std::vector<VoxelSet>& sets, int threads,
                   AgreementStudy& study) {
  const std::size_t raters = sets.size();
  MemoryAccount* const memory = memory_of(study);
  const std::int64_t comparing = comparing_bytes(sets, threads), bytes = kPart * bytes_of(sets);
  if (memory != nullptr) memory->require("comparing the parts of the masks", comparing, "crop the images");
  std::vector<Parts> parts;
  HeldMemory held(memory);
  if (study.consensuses.size() > 1 && (memory == nullptr || memory->allows(comparing + bytes))) {
    held.take("the parts of the masks", bytes, "compare fewer methods at once");
    parts = parts_of(reduction, sets);
  }
  for (ConsensusStudy& one : study.consensuses) {
    VoxelSet set = set_of_consensus(reduction, one.evaluated.solution, one.evaluated.options);
    one.detection = parts.empty() ? detect(reduction, std::span(sets).first(raters), set)
                                  : detect_parts(reduction, parts, set);
    sets.push_back(std::move(set));
    throw_if_stopped(one.evaluated.options);
  }
}

std::vector<RaterOverlap> overlaps_of(const Reduction& reduction, const Solution& solution) {
  return solution.image ? compare_with_consensus(reduction, *solution.image)
                        : compare_with_consensus(reduction, solution);
}

Bootstrap bootstrap(const Reduction& reduction, const Evaluated& evaluated, const MeasureOptions& requested) {
  const auto& [counts, structure, replicas] = evaluated.joint;
  if (replicas)
    return replicas->bootstrap(*counts, structure, *evaluated.method, evaluated.options, requested.replicates,
                               requested.seed);
  return bootstrap(reduction, *evaluated.method, evaluated.options, requested.replicates, requested.seed);
}

void add_confidence(const Reduction& reduction, const MeasureOptions& requested, ConsensusStudy& study) {
  const auto& [name, method, solution, options, joint] = study.evaluated;
  if (method == nullptr) {
    if (requested.leave_out || requested.replicates > 0 || requested.flips || requested.uniqueness ||
        requested.review)
      throw UsageError(fmt::format(
          "{}: a consensus read from a file cannot be computed again; name a method instead.", name));
    study.margins.assign(reduction.crowns.size(), Undefined::from_elsewhere);
    for (const Crowns& crowns : reduction.crowns) {
      FoundWeights none{.reason = Undefined::from_elsewhere};
      for (const Subcrown& row : crowns.tally.rows) none.present |= row.raters;
      study.weights.push_back(none);
    }
    return;
  }
  if (reduction.levels && (requested.flips || requested.uniqueness || requested.review))
    throw UsageError(
        fmt::format("{}: flip weights, uniqueness and the list of decisions require masks; leave them out, "
                    "or cut the maps with {}.",
                    name, Sentence::setting("threshold", "0.5")));
  study.weights = reduction.levels ? find_level_weights(reduction, solution)
                                   : find_weights_of(reduction, solution, options);
  study.margins = reduction.levels ? measure_level_margins(reduction, solution, options)
                                   : measure_margins(reduction, solution, options);
  if (requested.flips) study.stability = measure_stability(reduction, solution, options);
  if (requested.leave_out) study.left_out = leave_one_out(reduction, study.evaluated, *requested.leave_out);
  if (requested.replicates > 0) study.bootstrap = bootstrap(reduction, study.evaluated, requested);
  if (requested.uniqueness) study.uniqueness = measure_uniqueness(reduction, *method, options);
  if (!requested.review) return;
  const bool known = requested.leave_out == LeaveOut::fixed || reduction.raters < 2;
  ReviewList list =
      make_review_list(reduction, solution, options, *requested.review,
                       known ? study.left_out : leave_one_out(reduction, study.evaluated, LeaveOut::fixed));
  study.review = std::move(list.items);
  study.review_all = list.all;
}

}  // namespace

std::vector<LeftOut> leave_one_out(const Reduction& reduction, const Evaluated& evaluated, LeaveOut mode) {
  const auto& [counts, structure, replicas] = evaluated.joint;
  if (replicas)
    return replicas->leave_one_out(*counts, structure, evaluated.solution, evaluated.options, mode);
  return leave_one_out(reduction, evaluated.solution, evaluated.options, mode);
}

std::int64_t ConsensusStudy::kept() const {
  return std::count_if(evaluated.solution.components.begin(), evaluated.solution.components.end(),
                       [](const Decision& decision) { return decision.soft_voxels > 0; });
}

const Measured& hd95_of(const SurfaceDistances& distances, Hd95 kind) {
  if (kind == Hd95::max) return distances.hd95;
  return kind == Hd95::pooled ? distances.hd95_pooled : distances.hd95_area;
}

Evaluated evaluate_image(const Reduction& reduction, std::string name, Image image, Distance distance,
                         const Options& options) {
  Evaluated evaluated{.name = std::move(name), .options = options};
  Solution& solution = evaluated.solution;
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c) {
    solution.components.push_back(reduction.levels
                                      ? measure_map(reduction, c, image, distance, options.weights)
                                      : measure_component(reduction, c, image, distance, options.weights));
    solution.lmsd += solution.components.back().criterion;
  }
  const Totals totals = measure_image(image);
  solution.voxels = totals.inside;
  solution.soft_volume = totals.sum;
  solution.entropy = totals.entropy;
  solution.image = std::make_shared<Image>(std::move(image));
  return evaluated;
}

AgreementStudy study_agreement(const Reduction& reduction, std::vector<Evaluated> evaluated,
                               const MeasureOptions& requested, int threads) {
  AgreementStudy study{.requested = requested, .grid = reduction.grid};
  study.positive_agreement = positive_agreement(reduction);
  study.chance = chance_corrected(reduction, requested.region);
  study.moves = follow_background(reduction);
  study.pairs = compare_pairs(reduction);
  if (reduction.levels) with_threads(threads, [&] { study.level_pairs = compare_level_pairs(reduction); });
  study.outlier = find_outlier(reduction);
  study.outlier_rater = number_of_outlier(study.outlier);
  study.suspicions = find_suspicions(reduction);
  for (Evaluated& one : evaluated) study.consensuses.push_back({.evaluated = std::move(one)});
  HeldMemory held(memory_of(study));
  held.take("agreement by component", component_bytes(reduction, study), "crop the images");
  for (ConsensusStudy& one : study.consensuses) {
    one.overlaps = overlaps_of(reduction, one.evaluated.solution);
    if (reduction.levels)
      with_threads(threads,
                   [&] { one.level_scores = score_levels(reduction, *one.evaluated.solution.image); });
    one.lesions = compare_lesions(reduction, one.evaluated.solution);
    add_confidence(reduction, requested, one);
    throw_if_stopped(one.evaluated.options);
  }
  with_threads(threads, [&] {
    // As if every rater had drawn each run of the union: the sets are not there yet to be counted.
    const std::int64_t expected =
        2 * reduction.raters * std::ssize(reduction.components.runs) * std::int64_t{sizeof(Run)};
    if (MemoryAccount* const memory = memory_of(study))
      memory->require("finding the surfaces of the masks", expected, without_surfaces());
    auto sets = sets_of_raters(reduction);
    held.take("finding the surfaces of the masks", 2 * bytes_of(sets), without_surfaces());
    const std::size_t raters = sets.size();
    add_detection(reduction, sets, threads, study);
    add_surfaces(reduction.grid, std::move(sets), raters, study);
  });
  return study;
}

}  // namespace crema
