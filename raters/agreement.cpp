// SPDX-License-Identifier: Apache-2.0
#include "raters/agreement.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/error.h"
#include "crema/parallel.h"

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
const Solution* find_or_solve(const Case& counted, std::string_view name, const Settings& settings,
                              const std::vector<Outcome>& outcomes, std::vector<Outcome>& extra) {
  const Method& method = find_method(name);
  for (const Outcome& outcome : outcomes)
    if (&outcome.method() == &method) return &outcome.solution;
  extra.push_back(solve_method(counted, method, settings));
  return &extra.back().solution;
}

}  // namespace

Evaluated evaluate_method(const Case& counted, const Method& method, const Settings& settings,
                          Warnings& warnings) {
  Outcome outcome = solve_method(counted, method, settings);
  append(warnings, outcome.warnings);
  return {std::string(method.name), &method, std::move(outcome.solution), std::move(outcome.options)};
}

Evaluated evaluate_file(const Case& counted, ConsensusFile& file, const std::string& name,
                        const Settings& settings, Warnings& warnings) {
  const Reduction& reduction = *counted.reduction;
  const Distance distance = usual_distance(file, settings);
  const std::vector<float> levels = read_consensus(file, reduction.grid, distance, settings);
  append(warnings, file.warnings);
  Evaluated evaluated = evaluate_image(
      reduction, name, is_hard(distance) ? to_image<HardImage>(levels) : to_image<SoftImage>(levels),
      distance, counted.options);
  std::int64_t inside = 0;
  for (const Decision& decision : evaluated.solution.components) inside += decision.voxels;
  const std::int64_t outside = evaluated.solution.voxels - inside;
  if (outside > 0)
    warnings.push_back(fmt::format("{}: {} of its voxels {} drawn by no rater; {} in no component.", name,
                                   outside, outside == 1 ? "was" : "were",
                                   outside == 1 ? "it is" : "they are"));
  return evaluated;
}

Warnings warnings_about_size(const Case& counted) { return warnings_about_size(counted.reference); }

Warnings warnings_about_size(const files::Header& reference) {
  if (reference.measured) return {};
  return {"The files do not say how large a voxel is; distances and volumes are told for voxels of 1 mm."};
}

std::vector<double> common_weights(const Case& counted, const Settings& settings) {
  return settings.search_weights ? std::vector<double>{} : counted.options.weights;
}

std::vector<Outcome> solve_methods(const Case& counted, std::span<const Method* const> methods,
                                   const Settings& settings, Warnings& warnings) {
  std::vector<Outcome> outcomes;
  for (const Method* method : methods) {
    outcomes.push_back(solve_method(counted, *method, settings));
    append(warnings, outcomes.back().warnings);
  }
  return outcomes;
}

Comparison compare(const Case& counted, std::span<const Method* const> methods, const Settings& settings,
                   Warnings& warnings) {
  return compare(counted, solve_methods(counted, methods, settings, warnings), settings);
}

Comparison compare(const Case& counted, std::vector<Outcome> outcomes, const Settings& settings) {
  Comparison comparison{.outcomes = std::move(outcomes)};
  std::vector<Outcome> extra;
  extra.reserve(2);  // what was found in it stays where it is
  const References references{find_or_solve(counted, "majority", settings, comparison.outcomes, extra),
                              find_or_solve(counted, "average", settings, comparison.outcomes, extra)};
  std::vector<MethodResult> results;
  for (const Outcome& outcome : comparison.outcomes)
    results.push_back({&outcome.solution, &outcome.options, outcome.solving});
  with_threads(counted.options.threads, [&] {
    comparison.rows =
        compare_methods(*counted.reduction, results, references, common_weights(counted, settings));
    comparison.pairs = compare_method_pairs(*counted.reduction, results);
  });
  return comparison;
}

}  // namespace crema::raters
