// SPDX-License-Identifier: Apache-2.0
#include "raters/labels.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/error.h"
#include "crema/parallel.h"
#include "crema/stop.h"
#include "raters/each_rater.h"
#include "raters/stopwatch.h"

namespace crema::raters {
namespace {

/// A map on the reference's grid is taken as it is read; one that lies otherwise is held until it is turned.
Warnings take_map(LabelRuns& runs, const RaterFiles& raters, std::size_t k, const LoadOptions& options) {
  const files::Header& header = raters.headers[k];
  if (raters.placements[k].identity)
    return files::stream_labels(header, options.read, [&](std::int64_t first, std::span<const Label> part) {
      throw_if_stopped(options.stop);
      runs.take(first, part);
    });
  std::vector<Label> map(static_cast<std::size_t>(header.grid.voxels()), 0);
  Warnings warnings =
      files::stream_labels(header, options.read, [&](std::int64_t first, std::span<const Label> part) {
        throw_if_stopped(options.stop);
        std::copy(part.begin(), part.end(), map.begin() + first);
      });
  runs.take(0, files::apply(raters.placements[k], raters.reference.grid, header.grid, std::move(map)));
  return warnings;
}

LoadOptions load_options(const RaterFiles& raters, const Settings& settings, int threads,
                         const Hooks& hooks) {
  const auto in_place = [](const files::Placement& placement) { return placement.identity; };
  const ReadingNeed need{
      .voxels = raters.reference.grid.voxels(),
      .raters = static_cast<int>(raters.headers.size()),
      .value_bytes = sizeof(Label),
      .turned = !std::all_of(raters.placements.begin(), raters.placements.end(), in_place)};
  LoadOptions options{.read = read_options(settings)};
  options.threads =
      affordable_threads(need, threads, settings.max_memory > 0 ? settings.max_memory : default_memory());
  if (hooks.progress) options.progress = [&hooks](double share) { hooks.progress("reading", share); };
  options.stop = hooks.stop;
  return options;
}

/// Three quarters of what labels take are runs, which nobody knows before; a case without any is refused.
std::shared_ptr<const LabelMaps> read_maps(const RaterFiles& raters, const LoadOptions& options,
                                           Warnings& warnings) {
  const std::size_t count = raters.headers.size();
  auto maps = std::make_shared<LabelMaps>(LabelMaps{raters.reference.grid, std::vector<LabelRuns>(count)});
  std::vector<Warnings> own(count);
  for_each_rater(count, {options.threads, options.progress},
                 [&](std::size_t k) { own[k] = take_map(maps->raters[k], raters, k, options); });
  for (const Warnings& some : own) append(warnings, some);
  return maps;
}

Needs needs_for(std::span<const Method* const> methods) {
  const Needs needs = needs_of(methods);
  return needs == Needs::neighbours ? Needs::distances : needs;
}

/// ITK marks what it leaves undecided with the label behind the largest one.
Label after_last(const LabelMaps& maps) {
  const Label last = labels_in(maps).back().label;
  if (last == 65535)
    throw InputError(fmt::format("no label is free for what ITK leaves undecided; choose one with {}.",
                                 Sentence::setting("undecided")));
  return static_cast<Label>(last + 1);
}

Options options_of(const LabelCase& counted, const Method& method) {
  Options options = counted.options;
  options.method = method.name;
  if (!accepts(method, Accept::weights)) options.weights.clear();
  if (!accepts(method, Accept::criterion)) options.certify = Certify::no;
  return options;
}

}  // namespace

bool wants_labels(const Settings& settings) { return settings.labels || settings.regions; }

LabelCase count_labels(const RaterFiles& raters, const Settings& settings,
                       std::span<const Method* const> methods, const Hooks& hooks) {
  LabelCase counted{.reference = raters.reference, .names = rater_names(raters), .warnings = raters.warnings};
  check_weights(settings, counted.names.size());
  counted.options = options_for(settings, raters.reference.grid);
  counted.options.threads = thread_count(counted.options.threads);
  counted.options.stop = hooks.stop;
  if (hooks.progress)
    counted.options.progress = [&hooks](double share) { hooks.progress("counting", share); };
  const Stopwatch reading;
  const LoadOptions load = load_options(raters, settings, counted.options.threads, hooks);
  const auto maps = read_maps(raters, load, counted.warnings);
  counted.reading = reading.seconds();
  const Stopwatch counting;
  std::vector<Structure> structures = choose_structures(*maps, settings, counted.names, counted.warnings);
  counted.counts = count_labels(maps, std::move(structures), needs_for(methods), counted.options);
  counted.counts.regions = settings.regions.has_value();
  if (settings.preset == "itk" && !counted.options.undecided) counted.options.undecided = after_last(*maps);
  counted.counting = counting.seconds();
  counted.options.progress = {};
  return counted;
}

LabelOutcome solve_labels(const LabelCase& counted, const Method& method) {
  const Stopwatch watch;
  LabelOutcome outcome{.options = options_of(counted, method), .consensus = {}};
  with_threads(counted.options.threads,
               [&] { outcome.consensus = crema::solve_labels(counted.counts, method, outcome.options); });
  outcome.solving = watch.seconds();
  return outcome;
}

}  // namespace crema::raters
