// SPDX-License-Identifier: Apache-2.0
#include "crema/levels/solve_levels.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/parallel.h"
#include "crema/levels/layers.h"
#include "crema/levels/level_sums.h"
#include "crema/measure.h"
#include "crema/stop.h"
#include "crema/voxels/votes/votes.h"

namespace crema {
namespace {

/// A bound of all components needs one of each; those of 0 and 1 have it in any distance.
void keep_whole_proof(std::vector<LevelAnswer>& answers) {
  const auto proven = [](const LevelAnswer& answer) { return answer.certificate.has_value(); };
  if (std::all_of(answers.begin(), answers.end(), proven)) return;
  for (LevelAnswer& answer : answers) answer.certificate.reset();
}

/// Each component by itself; what belongs to none is empty.
std::vector<LevelAnswer> ask(PartSolver solver, const Reduction& reduction, const Method& method,
                             const Options& options, Warnings& /*warnings*/) {
  const SolveOptions own = solve_options(options);
  std::vector<LevelAnswer> answers(reduction.levels->parts.size());
  parallel_for(std::ssize(answers), [&](std::int64_t i) {
    const auto c = static_cast<std::size_t>(i);
    throw_if_stopped(options);
    const LevelComponent component = level_component(reduction, c);
    answers[c] = solver(component, method.distance, own);
    if (options.certify == Certify::yes && !answers[c].certificate)
      answers[c].certificate = certify_layers(component, method.distance, own);
  });
  keep_whole_proof(answers);
  return answers;
}

/// The whole support at once; the criterion is then of what each component got.
std::vector<LevelAnswer> ask(SupportSolver solver, const Reduction& reduction, const Method& method,
                             const Options& options, Warnings& warnings) {
  LevelField field = solver(*reduction.levels, solve_options(options));
  append(warnings, field.warnings);
  std::vector<LevelAnswer> answers(field.parts.size());
  for (std::size_t p = 0; p < field.parts.size(); ++p) {
    answers[p].x = std::move(field.parts[p]);
    if (p == reduction.levels->parts.size()) continue;
    const LevelPart& part = reduction.levels->parts[p];
    const Sums sums = sum_levels(part, reduction.raters, answers[p].x, method.distance);
    answers[p].criterion = criterion(sums, method.distance, options.weights);
  }
  return answers;
}

std::vector<LevelAnswer> ask(std::monostate /*none*/, const Reduction& /*reduction*/, const Method& method,
                             const Options& /*options*/, Warnings& /*warnings*/) {
  throw UsageError(fmt::format("{} takes masks, not levels; leave out {} or choose another method.",
                               method.name, Sentence::setting("probabilities", "True")));
}

/// Runs that are painted one after the other.
constexpr std::int64_t kRunsPerPiece = 1 << 12;

template <class Value>
void paint_runs(std::span<const Run> runs, const double* level, Canvas<Value>& image) {
  for (const Run& run : runs) {
    const double* const end = level + run.length;
    if (std::any_of(level, end, [](double own) { return own != 0; }))
      std::transform(
          level, end,
          image.paint(static_cast<std::size_t>(run.first), static_cast<std::size_t>(run.length)).begin(),
          [](double own) { return static_cast<Value>(own); });
    level = end;
  }
}

template <class Value>
void paint_part(const LevelPart& part, const std::vector<double>& x, Canvas<Value>& image) {
  std::vector<const double*> starts;  // of each piece
  const double* level = x.data();
  for (std::size_t r = 0; r < part.runs.size(); level += part.runs[r++].length)
    if (r % kRunsPerPiece == 0) starts.push_back(level);
  parallel_pieces(std::ssize(part.runs), kRunsPerPiece, [&](std::int64_t begin, std::int64_t end) {
    const auto runs =
        std::span(part.runs).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    paint_runs(runs, starts[static_cast<std::size_t>(begin / kRunsPerPiece)], image);
  });
}

Image paint_parts(const Reduction& reduction, const std::vector<LevelAnswer>& answers, Kind kind) {
  const auto voxels = static_cast<std::size_t>(reduction.grid.voxels());
  Image image = kind == Kind::hard ? Image(HardImage(voxels)) : Image(SoftImage(voxels));
  const auto& parts = reduction.levels->parts;
  parallel_for(std::ssize(answers), [&](std::int64_t i) {
    const auto p = static_cast<std::size_t>(i);
    const LevelPart& part = p < parts.size() ? parts[p] : reduction.levels->rest;
    if (kind == Kind::hard)
      paint_part(part, answers[p].x, std::get<HardImage>(image));
    else
      paint_part(part, answers[p].x, std::get<SoftImage>(image));
  });
  return image;
}

/// Rows are those of the core; sums are over the whole part.
Decision decide(const Reduction& reduction, std::size_t c, const Image& image, const Method& method,
                const LevelAnswer& answer) {
  Decision decision;
  std::int64_t voxels = 0;
  double sum = 0;
  parallel_for(2, [&](std::int64_t half) {
    if (half == 0) {
      decision = measure_component(reduction, c, image, method.distance, {});
      return;
    }
    for (const double level : answer.x) {
      voxels += static_cast<float>(level) > 0.5F ? 1 : 0;
      sum += level;
    }
  });
  decision.criterion = answer.criterion;
  decision.certificate = answer.certificate;
  decision.voxels = voxels;
  decision.soft_voxels = sum;
  return decision;
}

template <class Map>
std::vector<double> levels_in(const LevelPart& part, const Map& map) {
  std::vector<double> x;
  x.reserve(static_cast<std::size_t>(part.voxels));
  for (const Run& run : part.runs)
    for (std::int64_t v = run.first; v < run.first + run.length; ++v)
      x.push_back(static_cast<double>(map[static_cast<std::size_t>(v)]));
  return x;
}

std::vector<double> levels_of_map(const LevelPart& part, const Image& image) {
  return std::visit([&](const auto& map) { return levels_in(part, map); }, image);
}

/// A distance between masks sees what lies above ½.
double criterion_of(const LevelPart& part, int raters, std::vector<double> x, const Distance& distance,
                    const std::vector<double>& weights) {
  if (is_hard(distance))
    for (double& level : x) level = level > 0.5 ? 1 : 0;
  return criterion(sum_levels(part, raters, x, distance), distance, weights);
}

}  // namespace

LevelComponent level_component(const Reduction& reduction, std::size_t c) {
  return {.raters = reduction.raters,
          .part = reduction.levels->parts[c],
          .core = reduction.components.runs_of(reduction.components.list[c]),
          .crowns = reduction.crowns[c]};
}

Decision measure_map(const Reduction& reduction, std::size_t component, const Image& image,
                     const Distance& distance, const std::vector<double>& weights) {
  Decision decision = measure_component(reduction, component, image, distance, {});
  decision.criterion = criterion_of_map(reduction, component, image, distance, weights);
  decision.voxels = 0;
  decision.soft_voxels = 0;
  for (const double level : levels_of_map(reduction.levels->parts[component], image)) {
    decision.voxels += level > 0.5 ? 1 : 0;
    decision.soft_voxels += level;
  }
  return decision;
}

double criterion_of_map(const Reduction& reduction, std::size_t component, const Image& image,
                        const Distance& distance, const std::vector<double>& weights) {
  const LevelPart& part = reduction.levels->parts[component];
  return criterion_of(part, reduction.raters, levels_of_map(part, image), distance, weights);
}

CertifiedPart certify_part(const Reduction& reduction, std::size_t component, std::span<const float> map,
                           const Distance& distance, const SolveOptions& options) {
  const LevelPart& part = reduction.levels->parts[component];
  std::vector<double> x = levels_in(part, map);
  CertifiedPart found;
  for (const double level : x) {
    found.decision.voxels += level > 0.5 ? 1 : 0;
    found.decision.soft_voxels += level;
    found.touched += level > 0 ? 1 : 0;
  }
  found.decision.criterion = criterion_of(part, reduction.raters, std::move(x), distance, options.weights);
  const LevelComponent own = level_component(reduction, component);
  if (squares(distance)) {
    found.decision.certificate = Certificate{.lower_bound = 0, .proven = false, .nodes = 0};
    found.best_known = std::min(found.decision.criterion, solve_part(own, distance, options).criterion);
  } else {
    found.decision.certificate = certify_layers(own, distance, options);
  }
  return found;
}

Solution solve_levels(const Reduction& reduction, const Method& method, const Options& options) {
  Solution solution{.method = &method};
  auto answers = std::visit(
      [&](auto solver) { return ask(solver, reduction, method, options, solution.warnings); }, method.levels);
  solution.image = std::make_shared<Image>(paint_parts(reduction, answers, method.kind));
  solution.components.resize(reduction.levels->parts.size());
  solution.votes.resize(solution.components.size());
  parallel_for(std::ssize(solution.components), [&](std::int64_t i) {
    const auto c = static_cast<std::size_t>(i);
    solution.components[c] = decide(reduction, c, *solution.image, method, answers[c]);
    solution.votes[c] = std::move(answers[c].votes);
  });
  return solution;
}

}  // namespace crema
