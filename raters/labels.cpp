// SPDX-License-Identifier: Apache-2.0
#include "raters/labels.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "crema/error.h"
#include "crema/parallel.h"
#include "crema/stop.h"
#include "raters/each_rater.h"
#include "raters/stopwatch.h"

namespace crema::raters {
namespace {

/// Labels of one layer of a segmentation, by what is stored; 0 for those that are not wanted.
std::vector<Label> table_of(const std::vector<StoredLabel>& stored, std::int64_t layer) {
  std::vector<Label> table(std::size_t{1} << 16, 0);
  for (const StoredLabel& own : stored)
    if (own.layer == layer) table[own.stored] = own.label;
  return table;
}

/// Hands on what the table makes of each part.
files::LabelSink renaming(const std::vector<Label>& table, const files::LabelSink& sink) {
  return [&table, &sink, renamed = std::vector<Label>()](std::int64_t first,
                                                         std::span<const Label> part) mutable {
    renamed.resize(part.size());
    for (std::size_t i = 0; i < part.size(); ++i) renamed[i] = table[part[i]];
    sink(first, renamed);
  };
}

/// A map on the reference's grid is taken as it is read; one that lies otherwise is held until it is turned.
Warnings take_map(LabelRuns& runs, const RaterFiles& raters, std::size_t k, const LoadOptions& options,
                  const std::vector<Label>* table) {
  const files::Header& header = raters.headers[k];
  const bool identity = raters.placements[k].identity;
  std::vector<Label> map(identity ? 0 : static_cast<std::size_t>(header.grid.voxels()), 0);
  const files::LabelSink keep = [&](std::int64_t first, std::span<const Label> part) {
    throw_if_stopped(options.stop);
    identity ? runs.take(first, part) : (void)std::copy(part.begin(), part.end(), map.begin() + first);
  };
  Warnings warnings =
      files::stream_labels(header, options.read, table != nullptr ? renaming(*table, keep) : keep);
  if (!identity)
    runs.take(0, files::apply(raters.placements[k], raters.reference.grid, header.grid, std::move(map)));
  return warnings;
}

/// The wanted segments of one rater, layer by layer. Returns how many voxels have several of them.
std::int64_t take_segments(LabelRuns& runs, const RaterFiles& raters, std::size_t k, LoadOptions options,
                           const std::vector<StoredLabel>& stored) {
  if (raters.headers[k].blank) return 0;
  std::set<std::int64_t> layers;
  for (const StoredLabel& own : stored) layers.insert(own.layer);
  for (const std::int64_t layer : layers) {
    options.read.layer = layer;
    const std::vector<Label> table = table_of(stored, layer);
    take_map(runs, raters, k, options, &table);
  }
  return layers.size() > 1 ? runs.sort() : 0;
}

std::int64_t allowed_memory(const Settings& settings) {
  return settings.max_memory > 0 ? settings.max_memory : default_memory();
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
  options.threads = affordable_threads(need, threads, allowed_memory(settings));
  if (hooks.progress) options.progress = [&hooks](double share) { hooks.progress("reading", share); };
  options.stop = hooks.stop;
  return options;
}

/// Three quarters of what labels take are runs, which nobody knows before; a case without any is refused.
std::shared_ptr<const LabelMaps> read_maps(const RaterFiles& raters, const LoadOptions& options,
                                           const SegmentLabels& segments, Warnings& warnings) {
  const std::size_t count = raters.headers.size();
  auto maps = std::make_shared<LabelMaps>(LabelMaps{raters.reference.grid, std::vector<LabelRuns>(count)});
  std::vector<Warnings> own(count);
  std::vector<std::int64_t> shared(count, 0);
  for_each_rater(count, {options.threads, options.progress}, [&](std::size_t k) {
    if (raters.headers[k].segments.empty())
      own[k] = take_map(maps->raters[k], raters, k, options, nullptr);
    else
      shared[k] = take_segments(maps->raters[k], raters, k, options, segments.of_rater[k]);
  });
  for (const Warnings& some : own) append(warnings, some);
  for (std::size_t k = 0; k < count; ++k) {
    if (shared[k] == 0) continue;
    maps->overlapping = true;
    warnings.push_back(fmt::format("{}: {} voxel{} in several segments; each segment is fused alone.",
                                   files::printable(raters.headers[k].path), shared[k],
                                   shared[k] == 1 ? " is" : "s are"));
  }
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

/// Only each segment alone makes sense of segments that overlap.
void check_overlapping(const Settings& settings) {
  if (settings.regions)
    throw InputError(fmt::format(
        "{}: segments overlap, but regions are made of labels that exclude each "
        "other; fuse the segments with {}.",
        Sentence::setting("regions", settings.regions->text), Sentence::setting("labels", "all")));
  if (!settings.preset.empty())
    throw InputError(fmt::format("{}: segments overlap, which ITK cannot fuse; leave it out.",
                                 Sentence::setting("preset", settings.preset)));
}

/// Each label as a segment: name and colour of the input, where it had them.
std::vector<files::SegmentInfo> segments_of(const LabelCounts& counts, const SegmentLabels& segments) {
  std::vector<files::SegmentInfo> all;
  for (const StructureCounts& own : counts.structures) {
    const Structure& structure = own.structure;
    const auto known =
        std::find_if(segments.labels.begin(), segments.labels.end(),
                     [&](const files::SegmentInfo& segment) { return segment.value == structure.value; });
    const bool same = known != segments.labels.end() && known->name == structure.name;
    const std::string name =
        structure.name.empty() ? fmt::format("label {}", structure.value) : structure.name;
    all.push_back({name, same ? known->id : name, same ? known->colour : "", 0, structure.value});
  }
  return all;
}

Options options_of(const LabelCase& counted, const Method& method) {
  Options options = counted.options;
  options.method = method.name;
  if (!accepts(method, Accept::weights)) options.weights.clear();
  if (!accepts(method, Accept::criterion)) options.certify = Certify::no;
  return options;
}

LabelCase begin(const files::Header& reference, std::vector<std::string> names, const Settings& settings,
                const Hooks& hooks) {
  LabelCase counted{.reference = reference, .names = std::move(names)};
  check_weights(settings, counted.names.size());
  counted.options = options_for(settings, reference.grid);
  counted.options.threads = thread_count(counted.options.threads);
  counted.options.memory = std::make_shared<MemoryAccount>(allowed_memory(settings));
  counted.options.stop = hooks.stop;
  if (hooks.progress)
    counted.options.progress = [&hooks](double share) { hooks.progress("counting", share); };
  return counted;
}

void count_maps(LabelCase& counted, const std::shared_ptr<const LabelMaps>& maps,
                const SegmentLabels& segments, const Settings& settings,
                std::span<const Method* const> methods) {
  const Stopwatch counting;
  for (const LabelRuns& runs : maps->raters)
    counted.options.memory->hold(static_cast<std::int64_t>(runs.runs().size_bytes()));
  std::vector<Structure> structures =
      choose_structures(*maps, settings, segments, counted.names, counted.warnings);
  counted.counts = count_labels(maps, std::move(structures), needs_for(methods), counted.options);
  counted.counts.regions = settings.regions.has_value();
  if (settings.preset == "itk" && !counted.options.undecided) counted.options.undecided = after_last(*maps);
  counted.reference.segments = segments_of(counted.counts, segments);
  counted.counting = counting.seconds();
  counted.options.progress = {};
}

}  // namespace

bool wants_labels(const Settings& settings) { return settings.labels || settings.regions; }

LabelCase count_labels(const RaterFiles& raters, const Settings& settings,
                       std::span<const Method* const> methods, const Hooks& hooks) {
  LabelCase counted = begin(raters.reference, rater_names(raters), settings, hooks);
  counted.warnings = raters.warnings;
  const Stopwatch reading;
  const LoadOptions load = load_options(raters, settings, counted.options.threads, hooks);
  Settings resolved = settings;
  const SegmentLabels segments = name_segments(raters.headers, resolved, counted.warnings);
  const auto maps = read_maps(raters, load, segments, counted.warnings);
  if (maps->overlapping) check_overlapping(settings);
  counted.reading = reading.seconds();
  count_maps(counted, maps, segments, resolved, methods);
  return counted;
}

LabelCase count_labels(const LabelSource& source, const Settings& settings,
                       std::span<const Method* const> methods, const Hooks& hooks) {
  LabelCase counted = begin(source.reference, source.names, settings, hooks);
  counted.warnings = source.warnings;
  Settings resolved = settings;
  const SegmentLabels segments = name_segments({}, resolved, counted.warnings);
  count_maps(counted, source.maps, segments, resolved, methods);
  return counted;
}

LabelOutcome solve_labels(const LabelCase& counted, const Method& method) {
  const Stopwatch watch;
  // The image, and the file that is made of it.
  counted.options.memory->require("painting the labels", 2 * counted.counts.grid().voxels(),
                                  "crop the images");
  LabelOutcome outcome{.options = options_of(counted, method), .consensus = {}};
  with_threads(counted.options.threads,
               [&] { outcome.consensus = crema::solve_labels(counted.counts, method, outcome.options); });
  outcome.solving = watch.seconds();
  return outcome;
}

}  // namespace crema::raters
