// SPDX-License-Identifier: Apache-2.0
// From raters to the counts of a case.
#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "crema/agreement/warnings/outlier.h"
#include "crema/agreement/warnings/warnings.h"
#include "crema/base/error.h"
#include "crema/base/memory.h"
#include "crema/base/text.h"
#include "crema/levels/reduce_levels.h"
#include "raters/open/region.h"
#include "raters/read/labels.h"
#include "raters/read/levels.h"
#include "raters/run/about.h"
#include "raters/run/stopwatch.h"

namespace crema::raters {
namespace {

/// A label that nobody has is a slip, not an empty consensus.
[[noreturn]] void refuse_label(const Source& source, const Settings& settings) {
  const bool values = source.describe && settings.palette.empty();  // colours have none
  throw InputError(fmt::format("{}: no rater uses this label{}.",
                               Sentence::setting("label", fmt::format("{}", *settings.label)),
                               values ? "; " + source.describe() : ""));
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

void take_region(Case& counted, const Source& source, const Settings& settings) {
  if (!source.region.empty()) require_voxels(source.region, "the region");
  RegionMask region = read_region(settings, source.reference);
  append(counted.warnings, region.warnings);
  counted.region = std::move(region.voxels);
  counted.options.memory->hold(std::ssize(counted.region));
  counted.options.region.mask = source.region.empty() ? Mask(counted.region) : source.region;
}

/// A mask is one structure without a name.
void count_masks(Case& counted, const Source& source, const Settings& settings, Needs needs,
                 const Hooks& hooks) {
  const Stopwatch reading;
  Loaded loaded = source.take(settings, counted.options.threads, hooks);
  append(counted.warnings, loaded.warnings);
  counted.reading += reading.seconds();
  const Stopwatch counting;
  StructureCounts only{.structure = {.value = 1, .name = {}, .labels = {1}}};
  only.reduction = reduce(source.reference.grid, std::move(loaded.votes), needs, counted.options);
  if (settings.label && !settings.threshold && only.reduction.components.list.empty())
    refuse_label(source, settings);
  counted.counts.structures.push_back(std::move(only));
  counted.counting = counting.seconds();
}

/// One map per rater is one structure, without a name; of several classes each is one. Counts are those of
/// the cores.
void count_levels(Case& counted, const Source& source, const Settings& settings, Needs needs,
                  const Hooks& hooks) {
  if (!source.take_levels)
    throw UsageError(fmt::format("{}: the raters gave masks, not levels; leave it out.",
                                 Sentence::setting("probabilities", "True")));
  const Stopwatch reading;
  LoadedLevels loaded = source.take_levels(settings, counted.options.threads, hooks);
  append(counted.warnings, loaded.warnings);
  append(counted.warnings, check_levels(loaded, settings.options.floor, counted.names));
  counted.reading += reading.seconds();
  const Stopwatch counting;
  counted.options.blocks = Blocks::group;  // layers are solved as groups
  const Grid& grid = source.reference.grid;
  if (wants_labels(settings)) {
    counted.counts = count_classes(grid, std::move(loaded.plan.structures), std::move(loaded.levels), needs,
                                   counted.options);
    counted.counts.regions = loaded.plan.regions;
    counted.reference.segments = segments_of(counted.counts, {});
  } else {
    StructureCounts only{.structure = std::move(loaded.plan.structures.front())};
    only.reduction =
        reduce_levels(grid, std::move(loaded.levels.front()), settings.options.floor, needs, counted.options);
    counted.counts.structures.push_back(std::move(only));
  }
  counted.counting = counting.seconds();
}

/// ITK marks what it leaves undecided with the label behind the largest one.
Label after_last(const LabelMaps& maps) {
  const Label last = labels_in(maps).back().label;
  if (last == 65535)
    throw InputError(fmt::format("no label is free for voxels that ITK leaves undecided; choose one with {}.",
                                 Sentence::setting("undecided")));
  return static_cast<Label>(last + 1);
}

/// Neighbours are looked at where each structure is fused alone; joint methods have the maps for that.
Needs needs_for(const LabelMaps& maps, const Settings& settings, Needs needs) {
  const bool alone = settings.regions || maps.overlapping;
  return needs == Needs::neighbours && !alone ? Needs::distances : needs;
}

void count_maps(Case& counted, const Source& source, Settings settings, Needs needs, const Hooks& hooks) {
  if (!source.take_labels)
    throw UsageError(fmt::format("{}: the raters gave masks, not labels; leave it out.",
                                 Sentence::setting(settings.regions ? "regions" : "labels")));
  const Stopwatch reading;
  const LoadedLabels loaded = source.take_labels(settings, counted.options.threads, hooks);
  append(counted.warnings, loaded.warnings);
  counted.reading += reading.seconds();
  const Stopwatch counting;
  for (const LabelRuns& runs : loaded.maps->raters)
    counted.options.memory->hold(static_cast<std::int64_t>(runs.runs().size_bytes()));
  counted.counts = count_labels(
      loaded.maps,
      choose_structures(*loaded.maps, settings, loaded.segments, counted.names, counted.warnings),
      needs_for(*loaded.maps, settings, needs), counted.options);
  counted.counts.regions = settings.regions.has_value();
  if (settings.preset == "itk" && !counted.options.undecided)
    counted.options.undecided = after_last(*loaded.maps);
  counted.reference.segments = segments_of(counted.counts, loaded.segments);
  counted.counting = counting.seconds();
}

std::int64_t count_unlike(const Warnings& warnings) {
  return std::count_if(warnings.begin(), warnings.end(),
                       [](const Warning& warning) { return warning.kind == WarningKind::unlike; });
}

/// A mask that turned out unlike the others says more than the values that it was cut from.
void say_once(Warnings& of_values, const Warnings& of_masks) {
  if (count_unlike(of_masks) >= count_unlike(of_values))
    std::erase_if(of_values, [](const Warning& warning) { return warning.kind == WarningKind::unlike; });
}

/// What a careful reader would ask about the raters, of every structure.
void warn_of_raters(Case& counted, const Source& source, const Settings& settings) {
  const Stopwatch watch;
  std::int64_t lost = 0;
  std::vector<Warnings> found(counted.structures());
  std::vector<const Reduction*> all;
  for (std::size_t s = 0; s < counted.structures(); ++s) {
    const Reduction& reduction = counted.reduction(s);
    all.push_back(&reduction);
    lost += reduction.lost;
    found[s] = warnings_about_raters(reduction, counted.names);
    append(found[s], warnings_about_outliers(reduction, counted.names, counted.options.memory.get(),
                                             settings.threshold ? Origins::cut : Origins::drawn));
  }
  if (lost > 0)
    counted.warnings.push_back({fmt::format("{} marked by raters {} outside the region and {} as outside.",
                                            crema::counted(lost, "voxel"), lost == 1 ? "lies" : "lie",
                                            lost == 1 ? "counts" : "count"),
                                WarningKind::region});
  if (!counted.labelled()) say_once(counted.warnings, found.front());
  append(counted.warnings, warnings_about_copies(all, counted.names, source.repeats));
  append(counted.warnings, about_structures(counted, found));
  counted.counting += watch.seconds();
}

}  // namespace

bool wants_labels(const Settings& settings) { return settings.labels || settings.regions; }

int thread_count(int wanted) {
  return wanted > 0 ? wanted : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void check_weights(const Settings& settings, std::size_t raters) {
  const std::size_t count = settings.options.weights.size();
  if (count == 0 || count == raters) return;
  throw UsageError(fmt::format("{}: {} given for {}; give one for each.", Sentence::setting("weights"),
                               crema::counted(count, "weight is", "weights are"),
                               crema::counted(raters, "rater")));
}

Needs needs_of(std::span<const Method* const> methods) {
  Needs strongest = Needs::groups;
  for (const Method* method : methods) strongest = std::max(strongest, method->needs);
  return strongest;
}

std::string Case::label(std::size_t s) const {
  const Structure& structure = counts.structures[s].structure;
  if (!labelled()) return structure.name;
  return structure.name.empty() ? fmt::format("{}", structure.value) : structure.name;
}

Case count(const Source& source, const Settings& settings, Needs needs, const Hooks& hooks) {
  check_weights(settings, source.names.size());
  Case counted{.reference = source.reference, .names = source.names, .warnings = source.warnings};
  counted.options = run_options(source, settings, hooks);
  if (source.names.size() == 1)
    counted.warnings.push_back({fmt::format("{}: is the only rater; a consensus needs at least two.",
                                            files::printable(source.names.front())),
                                WarningKind::one_rater});
  const Stopwatch reading;
  take_region(counted, source, settings);
  counted.reading = reading.seconds();
  if (settings.probabilities)
    count_levels(counted, source, settings, needs, hooks);
  else if (wants_labels(settings))
    count_maps(counted, source, settings, needs, hooks);
  else
    count_masks(counted, source, settings, needs, hooks);
  warn_of_raters(counted, source, settings);
  // The hooks are the caller's, who runs the methods one by one.
  counted.options.progress = {};
  return counted;
}

Case load(const CaseRequest& request, const Hooks& hooks) {
  const Warnings unfit = check(request.settings, request.methods);
  RaterFiles files = open_raters(request.paths, request.settings, request.absent, request.lacking);
  if (request.opened) request.opened(files.reference);
  Case counted = count(from_files(std::move(files)), request.settings,
                       std::max(request.needs, needs_of(request.methods)), hooks);
  append(counted.warnings, unfit);
  return counted;
}

}  // namespace crema::raters
