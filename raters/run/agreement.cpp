// SPDX-License-Identifier: Apache-2.0
#include "raters/run/agreement.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/parallel.h"
#include "crema/base/text.h"
#include "crema/records/units.h"
#include "crema/spatial/euclidean.h"
#include "raters/run/label_words.h"

namespace crema::raters {
namespace {

template <class Target>
Image to_image(const std::vector<float>& levels) {
  Target image(levels.size());
  for (std::size_t v = 0; v < levels.size(); ++v)
    if (levels[v] != 0) image[v] = static_cast<typename Target::value_type>(levels[v]);
  return image;
}

/// The outcome of a method among those at hand, or solved now.
const Outcome& find_or_solve(const Case& counted, std::string_view name, const Settings& settings,
                             const std::vector<Outcome>& outcomes, std::vector<Outcome>& extra) {
  const Method& method = find_method(name);
  for (const Outcome& outcome : outcomes)
    if (&outcome.method() == &method) return outcome;
  extra.push_back(solve_method(counted, method, settings));
  return extra.back();
}

/// Solutions with their images: those of a mask as they are, those of labels cut out of the label map.
std::vector<Solution> cut_out(const Case& counted, const std::vector<Outcome>& outcomes, std::size_t s) {
  std::vector<Solution> solutions;
  for (const Outcome& outcome : outcomes) solutions.push_back(solution_of(counted, outcome, s));
  return solutions;
}

StructureComparison compare_with(const Case& counted, const std::vector<Outcome>& outcomes,
                                 const Outcome& majority, const Outcome& average,
                                 const std::vector<double>& weights, std::size_t s) {
  const bool joint = counted.labelled();
  const std::vector<Solution> own = joint ? cut_out(counted, outcomes, s) : std::vector<Solution>();
  std::vector<MethodResult> results;
  for (std::size_t m = 0; m < outcomes.size(); ++m)
    results.push_back(
        {joint ? &own[m] : &outcomes[m].structures[s], &outcomes[m].options, outcomes[m].solving});
  const References references{&majority.structures[s], &average.structures[s]};
  StructureComparison found;
  found.rows = compare_methods(counted.reduction(s), results, references, weights);
  found.pairs = compare_method_pairs(counted.reduction(s), results);
  return found;
}

}  // namespace

Evaluated evaluate(const Case& counted, const Outcome& outcome, std::size_t s) {
  return {std::string(outcome.method().name), &outcome.method(), solution_of(counted, outcome, s),
          outcome.options, joint_part(counted, outcome, s)};
}

Evaluated evaluate(const Case& counted, Outcome&& outcome, std::size_t s) {
  if (outcome.joint) return evaluate(counted, outcome, s);
  return {std::string(outcome.method().name), &outcome.method(), std::move(outcome.structures[s]),
          outcome.options};
}

Evaluated evaluate(const Case& counted, const ConsensusFile& file, const std::string& name, std::size_t s,
                   Warnings& warnings) {
  const Reduction& reduction = counted.reduction(s);
  const std::vector<float> levels = levels_of(file, counted, s);
  Evaluated evaluated = evaluate_image(
      reduction, name, is_hard(file.distance) ? to_image<HardImage>(levels) : to_image<SoftImage>(levels),
      file.distance, counted.options);
  std::int64_t inside = 0;
  for (const Decision& decision : evaluated.solution.components) inside += decision.voxels;
  const std::int64_t outside = evaluated.solution.voxels - inside;
  if (outside > 0)
    warnings.push_back(
        {fmt::format(
             "{}: {} of its voxels{} {} marked by no rater; {} in no component.", name, outside,
             counted.labelled() ? fmt::format(" of label {}", files::printable(counted.label(s))) : "",
             outside == 1 ? "was" : "were", outside == 1 ? "it is" : "they are"),
         WarningKind::outside});
  return evaluated;
}

ConsensusFile read_candidate(const Case& counted, const std::filesystem::path& path,
                             const Settings& settings) {
  ConsensusFile file = open_consensus(path, counted.reference, settings);
  read_consensus(file, counted.reference.grid, Distance::jaccard, settings);
  return file;
}

CandidateIndex compare_candidate(const Case& counted, const ConsensusFile& file, std::size_t s) {
  return crema::compare_candidate(counted.reduction(s), to_image<HardImage>(levels_of(file, counted, s)));
}

Warnings warnings_about_candidate(const Case& counted, const ConsensusFile& file, const CandidateIndex& index,
                                  std::size_t s) {
  if (index.copies == 0) return {};
  const auto rater = static_cast<std::size_t>(std::countr_zero(index.copies));
  const std::string label =
      counted.label(s).empty() ? "" : fmt::format("label {}: ", printable(counted.label(s)));
  return {{fmt::format("{}{} is identical to rater {} ({}); if it is that rater's mask, it is compared with "
                       "itself and its index is too high.",
                       label, files::printable(file.header.path), rater + 1,
                       files::printable(counted.names[rater])),
           WarningKind::copy}};
}

AgreementStudy study(const Case& counted, std::size_t s, std::vector<Evaluated> evaluated,
                     const MeasureOptions& wanted) {
  AgreementStudy found =
      study_agreement(counted.reduction(s), std::move(evaluated), wanted, counted.options.threads);
  for (ConsensusStudy& one : found.consensuses) name_labels(counted, s, one.review);
  return found;
}

Warnings warnings_about_size(const files::Header& reference) {
  if (reference.grid.measured) return {};
  return {{fmt::format("The files do not state the size of a voxel; sizes and distances are in {}.",
                       length_unit(reference.grid)),
           WarningKind::no_spacing}};
}

Warnings warnings_about_shear(const Grid& grid) {
  try {
    right_angled_spacing(grid);
  } catch (const InputError&) {
    return {
        {"The axes of the grid are not at right angles but drawn as if they were: the picture is not to "
         "scale.",
         WarningKind::figure}};
  }
  return {};
}

std::vector<double> common_weights(const Case& counted, const Settings& settings) {
  return settings.search_weights ? std::vector<double>{} : counted.options.weights;
}

std::vector<Outcome> solve_methods(const Case& counted, std::span<const Method* const> methods,
                                   const Settings& settings, Warnings& warnings) {
  std::vector<Outcome> outcomes;
  for (const Method* method : keep_possible(counted, methods, warnings)) {
    outcomes.push_back(solve_method(counted, *method, settings));
    append(warnings, outcomes.back().warnings);
  }
  return outcomes;
}

std::vector<StructureComparison> compare_structures(const Case& counted, const std::vector<Outcome>& outcomes,
                                                    const Settings& settings) {
  std::vector<Outcome> extra;
  extra.reserve(2);  // what was found in it stays where it is
  const Outcome& majority = find_or_solve(counted, "majority", settings, outcomes, extra);
  const Outcome& average = find_or_solve(counted, "average", settings, outcomes, extra);
  const std::vector<double> weights = common_weights(counted, settings);
  std::vector<StructureComparison> found;
  with_threads(counted.options.threads, [&] {
    for (std::size_t s = 0; s < counted.structures(); ++s)
      found.push_back(compare_with(counted, outcomes, majority, average, weights, s));
  });
  return found;
}

Comparison compare(const Case& counted, std::span<const Method* const> methods, const Settings& settings,
                   Warnings& warnings) {
  Comparison comparison{.outcomes = solve_methods(counted, methods, settings, warnings), .structures = {}};
  comparison.structures = compare_structures(counted, comparison.outcomes, settings);
  return comparison;
}

}  // namespace crema::raters
