// SPDX-License-Identifier: Apache-2.0
// From the counts of a case to what methods answer.
#include "raters/run/run.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/agreement/measures.h"
#include "crema/agreement/warnings/gap.h"
#include "crema/agreement/warnings/warnings.h"
#include "crema/base/parallel.h"
#include "crema/base/text.h"
#include "crema/labels/separate.h"
#include "raters/run/about.h"
#include "raters/run/memory.h"
#include "raters/run/stopwatch.h"

namespace crema::raters {
namespace {

/// What a search for weights has to say.
Warnings warnings_about(const WeightSearch& search, const Solution& solution) {
  if (search.converged) return {};
  if (solution.soft_volume == 0)
    return {{fmt::format("{}: the consensus is empty, so no weights can be derived from it.",
                         solution.method->name),
             WarningKind::weights}};
  return {{fmt::format("{}: the weights did not settle in {}; the last round still moved one by {:.3g}. To "
                       "be independent of where the search stopped, fix them with {}.",
                       solution.method->name, crema::counted(search.rounds, "round"), search.change,
                       Sentence::setting("weights")),
           WarningKind::weights}};
}

/// The options of one method, without those that it does not accept.
Options options_of(const Case& counted, const Method& method) {
  Options options = counted.options;
  options.method = method.name;
  if (!accepts(method, Accept::weights)) options.weights.clear();
  const bool levels = counted.reduction(0).levels != nullptr;
  if (!accepts(method, levels ? Accept::criterion | Accept::proof : Accept::criterion))
    options.certify = Certify::no;
  return options;
}

void solve_mask(const Case& counted, const Method& method, const Settings& settings, Outcome& outcome) {
  const Reduction& reduction = counted.reduction(0);
  if (settings.search_weights && accepts(method, Accept::weights)) {
    outcome.search = find_weights(reduction, method, outcome.options);
    outcome.options.weights = outcome.search->weights;
  }
  const std::int64_t bytes = decision_bytes(reduction);
  counted.options.memory->require(fmt::format("deciding by {}", method.name),
                                  bytes + solving_bytes(counted, method), "crop the images");
  outcome.structures.push_back(solve(reduction, method, outcome.options));
  counted.options.memory->hold(bytes);
  if (method.kind == Kind::soft) outcome.threshold = settings.threshold_output;
  if (outcome.search) append(outcome.warnings, warnings_about(*outcome.search, outcome.structures.front()));
}

void solve_labelled(const Case& counted, const Method& method, Outcome& outcome) {
  // The image, and the file that is made of it.
  counted.options.memory->require(
      "painting the labels",
      std::max(2 * counted.counts.grid().voxels(), decision_bytes(counted) + solving_bytes(counted, method)),
      "crop the images");
  with_threads(counted.options.threads,
               [&] { outcome.joint = solve_labels(counted.counts, method, outcome.options); });
  for (LabelResult& label : outcome.joint->labels) outcome.structures.push_back(std::move(label.joint));
  outcome.replicas = std::make_shared<JointReplicas>();
  append(outcome.warnings, outcome.joint->warnings);
}

/// A joint result gives way to other labels: what a label could have is reported of the label alone.
const Solution& free_solution(const Outcome& outcome, std::size_t s) {
  if (!outcome.joint || outcome.joint->labels[s].alone.method == nullptr) return outcome.structures[s];
  return outcome.joint->labels[s].alone;
}

void warn_of_result(const Case& counted, const Settings& settings, Outcome& outcome) {
  std::vector<Warnings> found(counted.structures());
  for (std::size_t s = 0; s < counted.structures(); ++s) {
    const Reduction& reduction = counted.reduction(s);
    const Solution& alone = free_solution(outcome, s);
    const bool together = outcome.joint && outcome.joint->estimate;
    found[s] = warnings_about_estimate(
        reduction, outcome.structures[s], counted.names,
        together ? performance_against(reduction, outcome.structures[s]) : alone.performance);
    if (settings.gap && !reduction.levels)
      append(found[s], warnings_about_gap(reduction, alone, outcome.options));
  }
  if (outcome.joint && outcome.joint->estimate)
    append(outcome.warnings,
           warnings_about_dropped(outcome.method(), outcome.joint->estimate->dropped, counted.names));
  append(outcome.warnings, about_structures(counted, found));
}

}  // namespace

double Outcome::lmsd() const {
  double sum = 0;
  for (const Solution& solution : structures) sum += solution.lmsd;
  return sum;
}

std::vector<const Method*> keep_possible(const Case& counted, std::span<const Method* const> methods,
                                         Warnings& warnings) {
  std::vector<const Method*> kept, others;
  for (const Method* method : methods)
    (!counted.counts.overlapping() || fuses_separately(*method) ? kept : others).push_back(method);
  if (kept.empty()) return others;
  if (!others.empty())
    warnings.push_back({fmt::format("{} {} one label per voxel, but segments overlap; {} left out.",
                                    list_names(others, " and "), others.size() == 1 ? "needs" : "need",
                                    others.size() == 1 ? "it is" : "they are"),
                        WarningKind::setting});
  return kept;
}

Outcome solve_method(const Case& counted, const Method& method, const Settings& settings) {
  const Stopwatch watch;
  Outcome outcome{.options = options_of(counted, method)};
  if (counted.labelled())
    solve_labelled(counted, method, outcome);
  else
    solve_mask(counted, method, settings, outcome);
  warn_of_result(counted, settings, outcome);
  outcome.solving = watch.seconds();
  return outcome;
}

Solution solution_of(const Case& counted, const Outcome& outcome, std::size_t s) {
  if (!outcome.joint) return outcome.structures[s];
  const Method& method = outcome.method();
  Solution solution = evaluate_image(counted.reduction(s), std::string(method.name),
                                     image_of_label(counted.counts, *outcome.joint, s),
                                     method.distance.with(outcome.options.tversky), outcome.options)
                          .solution;
  solution.method = &method;
  solution.lower_bound = outcome.structures[s].lower_bound;
  solution.votes = outcome.structures[s].votes;
  solution.unproven = outcome.structures[s].unproven;
  return solution;
}

JointPart joint_part(const Case& counted, const Outcome& outcome, std::size_t s) {
  return {&counted.counts, s, outcome.replicas};
}

Outcome only(const Case& counted, const Outcome& outcome, std::size_t s) {
  if (!outcome.joint) return outcome;
  Outcome own{.options = outcome.options};
  own.structures.push_back(solution_of(counted, outcome, s));
  own.solving = outcome.solving;
  return own;
}

}  // namespace crema::raters
