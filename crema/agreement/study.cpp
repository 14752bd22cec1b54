// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/study.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/error.h"
#include "crema/measure.h"
#include "crema/parallel.h"

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

/// The surfaces of all pairs of raters, and of each rater and each consensus, in one go: the distances to a
/// set are found once.
void add_surfaces(const Grid& grid, std::vector<VoxelSet> sets, std::size_t raters, AgreementStudy& study) {
  std::vector<SetPair> pairs = all_pairs(raters);
  const std::size_t among_raters = pairs.size();
  for (std::size_t m = raters; m < sets.size(); ++m)
    for (std::size_t k = 0; k < raters; ++k) pairs.emplace_back(k, m);
  std::vector<SurfaceDistances> found;
  if (study.asked.surfaces) {
    found = compare_surfaces(grid, sets, pairs,
                             {.tolerance = study.asked.tolerance, .area = study.asked.hd95 == Hd95::area});
  } else {
    const Measured none = Undefined::not_asked;
    found.assign(pairs.size(), {none, none, none, none, none, none});
  }
  auto next = found.begin() + static_cast<std::ptrdiff_t>(among_raters);
  study.surfaces.assign(found.begin(), next);
  for (ConsensusStudy& one : study.consensuses) {
    one.surfaces.assign(next, next + static_cast<std::ptrdiff_t>(raters));
    next += static_cast<std::ptrdiff_t>(raters);
  }
}

std::vector<RaterOverlap> overlaps_of(const Reduction& reduction, const Solution& solution) {
  return solution.image ? compare_with_consensus(reduction, *solution.image)
                        : compare_with_consensus(reduction, solution);
}

void add_confidence(const Reduction& reduction, const StudyOptions& asked, ConsensusStudy& study) {
  const auto& [name, method, solution, options] = study.evaluated;
  if (method == nullptr) {
    if (asked.leave_out || asked.replicates > 0 || asked.flips || asked.review)
      throw UsageError(
          fmt::format("{}: no method can be asked again for a consensus that was read from a "
                      "file; name a method instead.",
                      name));
    study.margins.assign(reduction.crowns.size(), Undefined::from_elsewhere);
    for (const Crowns& crowns : reduction.crowns) {
      FoundWeights none{.reason = Undefined::from_elsewhere};
      for (const Subcrown& row : crowns.tally.rows) none.present |= row.raters;
      study.weights.push_back(none);
    }
    return;
  }
  study.weights = find_weights_of(reduction, solution, options);
  study.margins = measure_margins(reduction, solution, options);
  if (asked.flips) study.stability = measure_stability(reduction, solution, options);
  if (asked.leave_out) study.left_out = leave_one_out(reduction, solution, options, *asked.leave_out);
  if (asked.replicates > 0)
    study.bootstrap = bootstrap(reduction, *method, options, asked.replicates, asked.seed);
  if (asked.review) study.review = make_review_list(reduction, solution, options, *asked.review);
}

}  // namespace

std::int64_t ConsensusStudy::kept() const {
  return std::count_if(evaluated.solution.components.begin(), evaluated.solution.components.end(),
                       [](const Decision& decision) { return decision.soft_voxels > 0; });
}

std::string_view to_string(Hd95 kind) {
  constexpr std::array<std::string_view, 3> names{"max", "pooled", "area"};
  return names[static_cast<std::size_t>(kind)];
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
    solution.components.push_back(measure_component(reduction, c, image, distance, options.weights));
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
                               const StudyOptions& asked, int threads) {
  AgreementStudy study{.asked = asked};
  study.positive_agreement = positive_agreement(reduction);
  study.chance = chance_corrected(reduction, asked.region);
  study.moves = follow_background(reduction);
  study.pairs = compare_pairs(reduction);
  study.outlier = find_outlier(reduction);
  study.outlier_rater = number_of_outlier(study.outlier);
  study.suspicions = find_suspicions(reduction);
  for (Evaluated& one : evaluated) study.consensuses.push_back({.evaluated = std::move(one)});
  for (ConsensusStudy& one : study.consensuses) {
    one.overlaps = overlaps_of(reduction, one.evaluated.solution);
    one.lesions = compare_lesions(reduction, one.evaluated.solution);
    add_confidence(reduction, asked, one);
  }
  with_threads(threads, [&] {
    auto sets = sets_of_raters(reduction);
    const std::size_t raters = sets.size();
    for (ConsensusStudy& one : study.consensuses) {
      VoxelSet set = set_of_consensus(reduction, one.evaluated.solution, one.evaluated.options);
      one.detection = detect(reduction, std::span(sets).first(raters), set);
      sets.push_back(std::move(set));
    }
    add_surfaces(reduction.grid, std::move(sets), raters, study);
  });
  return study;
}

}  // namespace crema
