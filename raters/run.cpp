// SPDX-License-Identifier: Apache-2.0
#include "raters/run.h"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "crema/agreement/gap.h"
#include "crema/agreement/outlier.h"
#include "crema/agreement/warnings.h"
#include "crema/error.h"
#include "crema/parallel.h"
#include "raters/memory.h"
#include "raters/region.h"
#include "raters/stopwatch.h"

namespace crema::raters {
namespace {

std::int64_t allowed_memory(const Settings& settings) {
  return settings.max_memory > 0 ? settings.max_memory : default_memory();
}

Loaded read_files(const RaterFiles& raters, const Settings& settings, int threads, const Hooks& hooks) {
  const auto in_place = [](const files::Placement& placement) { return placement.identity; };
  const ReadingNeed need{
      .voxels = raters.reference.grid.voxels(),
      .raters = static_cast<int>(raters.headers.size()),
      .turned = !std::all_of(raters.placements.begin(), raters.placements.end(), in_place)};
  LoadOptions options{.read = read_options(settings)};
  options.threads = affordable_threads(need, threads, allowed_memory(settings));
  if (hooks.progress) options.progress = [&hooks](double share) { hooks.progress("reading", share); };
  options.stop = hooks.stop;
  return read_votes(raters, options);
}

/// A label that nobody has is a slip, not an empty consensus.
[[noreturn]] void refuse_label(const Source& source, double label) {
  throw InputError(fmt::format("{}: no rater has it{}; choose a label that is there.",
                               Sentence::setting("label", fmt::format("{}", label)),
                               source.describe ? ": " + source.describe() : ""));
}

/// What the settings, the grid and the hooks make of the options.
Options run_options(const Source& source, const Settings& settings, const Hooks& hooks) {
  Options options = options_for(settings, source.reference.grid);
  options.threads = thread_count(options.threads);
  options.memory = std::make_shared<MemoryAccount>(allowed_memory(settings));
  if (hooks.progress) options.progress = [&hooks](double share) { hooks.progress("counting", share); };
  options.stop = hooks.stop;
  return options;
}

/// What was found out about the weights that were searched for.
Warnings warnings_about(const WeightSearch& search, const Solution& solution) {
  if (search.converged) return {};
  if (solution.soft_volume == 0)
    return {fmt::format("{}: the consensus is empty, so that it says nothing about the raters' weights.",
                        solution.method->name)};
  return {
      fmt::format("{}: the weights did not settle in {} round{}; the last one still moved one of them by "
                  "{:.3g}. Fix them with {} to be independent of where the search stopped.",
                  solution.method->name, search.rounds, search.rounds == 1 ? "" : "s", search.change,
                  Sentence::setting("weights"))};
}

/// The options of one method: what it does not accept is not told.
Options options_of(const Case& counted, const Method& method) {
  Options options = counted.options;
  options.method = method.name;
  if (!accepts(method, Accept::weights)) options.weights.clear();
  if (!accepts(method, Accept::criterion)) options.certify = Certify::no;
  return options;
}

}  // namespace

int thread_count(int wanted) {
  return wanted > 0 ? wanted : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void check_weights(const Settings& settings, std::size_t raters) {
  const std::size_t count = settings.options.weights.size();
  if (count == 0 || count == raters) return;
  throw UsageError(fmt::format("{}: {} weight{} given for {} rater{}; give one for each.",
                               Sentence::setting("weights"), count, count == 1 ? " is" : "s are", raters,
                               raters == 1 ? "" : "s"));
}

Source from_files(RaterFiles raters) {
  Source source{.reference = raters.reference,
                .names = rater_names(raters),
                .warnings = raters.warnings,
                .repeats = raters.repeats};
  const auto files = std::make_shared<const RaterFiles>(std::move(raters));
  source.describe = [files] { return values_text(*files); };
  source.take = [files](const Settings& settings, int threads, const Hooks& hooks) {
    return read_files(*files, settings, threads, hooks);
  };
  return source;
}

Source from_memory(files::Header reference, std::vector<Mask> masks, std::vector<std::string> names,
                   std::vector<std::string> unchecked) {
  Source source{.reference = std::move(reference), .names = std::move(names)};
  source.take = [grid = source.reference.grid, masks = std::move(masks), unchecked = std::move(unchecked)](
                    const Settings& settings, int threads, const Hooks&) {
    const ReadingNeed need{.voxels = grid.voxels(), .raters = static_cast<int>(masks.size())};
    std::optional<Loaded> loaded;
    with_threads(affordable_threads(need, threads, allowed_memory(settings)),
                 [&] { loaded = take_masks(grid, masks, unchecked); });
    return std::move(*loaded);
  };
  return source;
}

Needs needs_of(std::span<const Method* const> methods) {
  Needs strongest = Needs::groups;
  for (const Method* method : methods) strongest = std::max(strongest, method->needs);
  return strongest;
}

Case count(const Source& source, const Settings& settings, Needs needs, const Hooks& hooks) {
  if (settings.labels || settings.regions)
    throw UsageError(fmt::format("{} is not taken here; choose one label with {}.",
                                 Sentence::setting(settings.regions ? "regions" : "labels"),
                                 Sentence::setting("label")));
  check_weights(settings, source.names.size());
  Case counted{.reference = source.reference, .names = source.names, .warnings = source.warnings};
  counted.options = run_options(source, settings, hooks);
  if (source.names.size() == 1)
    counted.warnings.push_back(fmt::format("{}: the only rater; the consensus is this mask.",
                                           files::printable(source.names.front())));
  const Stopwatch reading;
  if (!source.region.empty()) require_voxels(source.region, "the region");
  RegionMask region = read_region(settings, source.reference);
  append(counted.warnings, region.warnings);
  counted.region = std::move(region.voxels);
  counted.options.memory->hold(std::ssize(counted.region));
  counted.options.region.mask = source.region.empty() ? Mask(counted.region) : source.region;
  Loaded loaded = source.take(settings, counted.options.threads, hooks);
  append(counted.warnings, loaded.warnings);
  counted.reading = reading.seconds();
  const Stopwatch counting;
  counted.reduction = std::make_shared<Reduction>(
      reduce(source.reference.grid, std::move(loaded.votes), needs, counted.options));
  if (counted.reduction->lost > 0)
    counted.warnings.push_back(fmt::format(
        "{} voxels that raters drew lie outside the region and count as outside.", counted.reduction->lost));
  if (settings.label && !settings.threshold && counted.reduction->components.list.empty())
    refuse_label(source, *settings.label);
  append(counted.warnings, warnings_about_raters(*counted.reduction, counted.names, source.repeats));
  append(counted.warnings,
         warnings_about_outliers(*counted.reduction, counted.names, counted.options.memory.get()));
  counted.counting = counting.seconds();
  // The hooks are the caller's, whose methods are asked one by one.
  counted.options.progress = {};
  return counted;
}

Outcome solve_method(const Case& counted, const Method& method, const Settings& settings) {
  const Stopwatch watch;
  const Reduction& reduction = *counted.reduction;
  Outcome outcome{.options = options_of(counted, method)};
  if (settings.search_weights && accepts(method, Accept::weights)) {
    outcome.search = find_weights(reduction, method, outcome.options);
    outcome.options.weights = outcome.search->weights;
  }
  outcome.solution = solve(reduction, method, outcome.options);
  counted.options.memory->hold(decision_bytes(reduction));
  if (method.kind == Kind::soft) outcome.threshold = settings.threshold_output;
  if (outcome.search) append(outcome.warnings, warnings_about(*outcome.search, outcome.solution));
  append(outcome.warnings, warnings_about_estimate(reduction, outcome.solution, counted.names));
  if (settings.gap)
    append(outcome.warnings, warnings_about_gap(reduction, outcome.solution, outcome.options));
  outcome.solving = watch.seconds();
  return outcome;
}

Image paint_outcome(const Case& counted, Outcome& outcome, Image canvas) {
  const Stopwatch watch;
  outcome.paintable = !outcome.solution.image && !outcome.threshold;
  Image image = paint(*counted.reduction, outcome.solution, outcome.options, std::move(canvas));
  if (outcome.threshold) image = cut(std::move(image), *outcome.threshold, outcome.options.tie);
  outcome.painting = watch.seconds();
  return image;
}

}  // namespace crema::raters
