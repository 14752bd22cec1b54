// SPDX-License-Identifier: Apache-2.0
#include "raters/read/labels.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/text.h"
#include "crema/stop.h"
#include "raters/read/each_rater.h"

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
    warnings.push_back({fmt::format("{}: {} in several segments; each segment is fused alone.",
                                    files::printable(raters.headers[k].path),
                                    crema::counted(shared[k], "voxel is", "voxels are")),
                        WarningKind::labels});
  }
  return maps;
}

/// Only each segment alone makes sense of segments that overlap.
void check_overlapping(const Settings& settings) {
  if (settings.regions)
    throw InputError(fmt::format(
        "{}: segments overlap, but regions need labels that exclude each other; fuse the segments with {}.",
        Sentence::setting("regions", settings.regions->text), Sentence::setting("labels", "all")));
  if (!settings.preset.empty())
    throw InputError(fmt::format("{}: segments overlap, which ITK cannot fuse; leave it out.",
                                 Sentence::setting("preset", settings.preset)));
}

}  // namespace

LoadedLabels read_labels(const RaterFiles& raters, Settings& settings, int threads, const Hooks& hooks) {
  const LoadOptions load = load_options(raters, settings, threads, {.turned = sizeof(Label)}, hooks);
  LoadedLabels loaded;
  loaded.segments = name_segments(raters.headers, settings, loaded.warnings);
  loaded.maps = read_maps(raters, load, loaded.segments, loaded.warnings);
  if (loaded.maps->overlapping) check_overlapping(settings);
  return loaded;
}

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
    files::SegmentInfo segment = same ? *known : files::SegmentInfo{.name = name, .id = name, .colour = {}};
    segment.name = name;
    segment.layer = 0;
    segment.value = structure.value;
    all.push_back(std::move(segment));
  }
  return all;
}

}  // namespace crema::raters
