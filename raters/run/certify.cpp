// SPDX-License-Identifier: Apache-2.0
#include "raters/run/certify.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/text.h"
#include "crema/counts/solvers.h"
#include "crema/labels/settle/places.h"

namespace crema::raters {
namespace {

/// --threshold is about the raters.
files::ReadOptions options_of(const Settings& settings) {
  return {.threshold = settings.consensus_threshold,
          .threshold_setting = "consensus_threshold",
          .takes_label = false,
          .max_memory = settings.max_memory};
}

/// --label takes the same label of a consensus that has several; one that is a mask is that mask.
files::ReadOptions options_for(const ConsensusFile& file, const Settings& settings) {
  files::ReadOptions options = options_of(settings);
  if (!settings.label || options.threshold || wants_labels(settings)) return options;
  try {
    files::stream_mask(file.header, options, [](std::int64_t, Mask) {});
  } catch (const LabelsError&) {
    options.label = settings.label;
  } catch (const InputError&) {  // whoever reads it says so
  }
  return options;
}

Distance usual_distance(const ConsensusFile& file, const files::ReadOptions& strict) {
  if (strict.threshold) return Distance::jaccard;
  try {
    files::stream_mask(file.header, strict, [](std::int64_t, Mask) {});
  } catch (const InputError&) {
    try {
      files::read_map(file.header, strict);
      return Distance::soergel;
    } catch (const InputError&) {  // neither: the refusal of a mask says more
      return Distance::jaccard;
    }
  }
  return Distance::jaccard;
}

void read_levels(ConsensusFile& file, const Grid& grid, const files::ReadOptions& strict) {
  if (is_hard(file.distance) || strict.threshold) {
    files::MaskFile mask = files::read_mask(file.header, strict);
    append(file.warnings, mask.warnings);
    const auto placed = files::apply(file.placement, grid, file.header.grid, std::move(mask.voxels));
    file.levels.assign(placed.begin(), placed.end());
    return;
  }
  files::MapFile map = files::read_map(file.header, strict);
  append(file.warnings, map.warnings);
  file.levels = files::apply(file.placement, grid, file.header.grid, std::move(map.levels));
}

void read_labels(ConsensusFile& file, const Grid& grid, const files::ReadOptions& strict) {
  std::vector<Label> map(static_cast<std::size_t>(file.header.grid.voxels()), 0);
  append(file.warnings,
         files::stream_labels(file.header, strict, [&](std::int64_t first, std::span<const Label> part) {
           std::copy(part.begin(), part.end(), map.begin() + first);
         }));
  file.labels = files::apply(file.placement, grid, file.header.grid, std::move(map));
}

/// Whether it holds levels of classes: several channels, or a .npz of which one is chosen.
bool holds_classes(const ConsensusFile& file, const Settings& settings) {
  if (!settings.probabilities) return false;
  return file.header.channels > 1 || (settings.label && file.header.format == files::Format::npz);
}

void read_classes(ConsensusFile& file, const Grid& grid, std::optional<Distance> distance,
                  const Settings& settings) {
  const bool several = wants_labels(settings);
  const std::optional<double>& threshold = settings.consensus_threshold;
  file.distance = distance.value_or(threshold ? Distance::jaccard : Distance::soergel);
  std::vector<float> levels(static_cast<std::size_t>(file.header.grid.voxels() * file.header.channels), 0);
  append(file.warnings, files::stream_levels(file.header,
                                             {.label = several ? std::nullopt : settings.label,
                                              .channels = several,
                                              .max_memory = settings.max_memory},
                                             [&](std::int64_t first, std::span<const float> part) {
                                               std::copy(part.begin(), part.end(), levels.begin() + first);
                                             }));
  if (threshold)
    for (float& level : levels) level = static_cast<double>(level) > *threshold ? 1 : 0;
  const auto between = [](float level) { return level != 0 && level != 1; };
  if (is_hard(file.distance) && std::any_of(levels.begin(), levels.end(), between))
    throw UsageError(fmt::format("{} compares masks, but {} holds levels; choose soergel or dice1.",
                                 to_string(file.distance), files::printable(file.header.path)));
  if (several)
    file.classes = std::move(levels);
  else
    file.levels = files::apply(file.placement, grid, file.header.grid, std::move(levels));
}

/// The channel of a structure: as crema writes those that were chosen, or as in the raters' maps.
std::int32_t channel_of(const ConsensusFile& file, const LabelCounts& counts, std::size_t s) {
  const std::int32_t own = counts.structures[s].structure.channel, background = counts.nested() ? 0 : 1;
  const auto before =
      std::count_if(counts.structures.begin(), counts.structures.end(),
                    [&](const StructureCounts& other) { return other.structure.channel < own; });
  if (file.header.channels == std::ssize(counts.structures) + background)
    return static_cast<std::int32_t>(before) + background;
  if (own < file.header.channels) return own;
  throw InputError(
      fmt::format("{}: holds {}, but the raters have a class in channel {}; give levels of the "
                  "same classes.",
                  files::printable(file.header.path), crema::counted(file.header.channels, "channel"), own));
}

/// The values that show a structure in the consensus: those of the segments of its name, where the file has
/// names, else those that crema itself would write.
std::vector<Label> values_of(const ConsensusFile& file, const LabelCounts& counts, std::size_t s) {
  std::vector<Label> values;
  for (const files::SegmentInfo& segment : file.header.segments)
    if (segment.name == counts.structures[s].structure.name)
      values.push_back(static_cast<Label>(segment.value));
  return values.empty() ? values_shown(counts, s) : values;
}

std::string listed(const std::vector<bool>& labels) {
  constexpr std::size_t kShown = 12;
  std::vector<std::size_t> numbers;
  for (std::size_t label = 1; label < labels.size(); ++label)
    if (labels[label]) numbers.push_back(label);
  const std::string more = numbers.size() > kShown ? " …" : "";
  numbers.resize(std::min(numbers.size(), kShown));
  return fmt::format("{}{}", fmt::join(numbers, ", "), more);
}

/// A consensus that has labels, but none of the raters', is one of something else.
void require_common_labels(const ConsensusFile& file, const LabelCounts& counts) {
  std::vector<bool> there(std::size_t{1} << 16, false), known = there;
  for (const Label label : file.labels) there[label] = true;
  for (std::size_t s = 0; s < counts.structures.size(); ++s)
    for (const Label label : values_of(file, counts, s)) known[label] = true;
  there[0] = false;
  bool any = false;
  for (std::size_t label = 1; label < there.size(); ++label) {
    if (there[label] && known[label]) return;
    any = any || there[label];
  }
  if (any)
    throw InputError(
        fmt::format("{}: has only labels that no rater has ({}; the raters have {}); give a consensus of the "
                    "same labels.",
                    files::printable(file.header.path), listed(there), listed(known)));
}

}  // namespace

ConsensusFile open_consensus(const std::filesystem::path& path, const files::Header& reference,
                             const Settings& settings) {
  const files::ReadOptions options{.channels = settings.probabilities && wants_labels(settings),
                                   .max_memory = settings.max_memory};
  ConsensusFile file{wants_labels(settings) ? open_labels_beside(path, options)
                                            : open_beside(path, settings.segment, options),
                     {},
                     {}};
  file.placement = files::place(reference, file.header);
  append(file.warnings, file.header.warnings);
  append(file.warnings, file.placement.warnings);
  if (!wants_labels(settings)) append(file.warnings, compare_names(path, file.header, reference, settings));
  return file;
}

void read_consensus(ConsensusFile& file, const Grid& grid, std::optional<Distance> distance,
                    const Settings& settings) {
  if (holds_classes(file, settings)) return read_classes(file, grid, distance, settings);
  const files::ReadOptions strict = options_for(file, settings);
  if (wants_labels(settings)) {
    file.distance = distance.value_or(Distance::jaccard);
    if (!is_hard(file.distance))
      throw UsageError(fmt::format(
          "{} compares levels, but {} is a label map; choose a distance between masks, such as jaccard.",
          to_string(file.distance), files::printable(file.header.path)));
    return read_labels(file, grid, strict);
  }
  file.distance = distance ? *distance : usual_distance(file, strict);
  read_levels(file, grid, strict);
}

std::vector<float> levels_of(const ConsensusFile& file, const Case& counted, std::size_t s) {
  if (!file.classes.empty()) {
    const std::int64_t voxels = file.header.grid.voxels();
    const auto first = file.classes.begin() + voxels * channel_of(file, counted.counts, s);
    return files::apply(file.placement, counted.reference.grid, file.header.grid,
                        std::vector<float>(first, first + voxels));
  }
  if (file.labels.empty()) return file.levels;
  require_common_labels(file, counted.counts);
  std::vector<bool> shown(std::size_t{1} << 16, false);
  for (const Label value : values_of(file, counted.counts, s)) shown[value] = true;
  shown[0] = false;
  std::vector<float> levels(file.labels.size(), 0);
  for (std::size_t v = 0; v < levels.size(); ++v)
    if (shown[file.labels[v]]) levels[v] = 1;
  return levels;
}

MapCertificate certify(const Case& counted, std::size_t s, std::span<const float> levels,
                       const std::string& name, Distance distance, Warnings& warnings) {
  MapCertificate certificate =
      certify_map(counted.reduction(s), levels, distance.with(counted.options.tversky), counted.options);
  const bool one = certificate.outside == 1;
  if (certificate.outside > 0)
    warnings.push_back(
        {fmt::format(
             "{}: {} of its voxels{} lie{} outside all raters' masks; no criterion counts {}.", name,
             certificate.outside,
             counted.labelled() ? fmt::format(" of label {}", files::printable(counted.label(s))) : "",
             one ? "s" : "", one ? "it" : "them"),
         WarningKind::outside});
  return certificate;
}

void check_certify(const Settings& settings, const std::optional<Distance>& distance) {
  for (const std::string_view name : {"alpha", "beta"})
    if (was_given(settings, name) && !(distance && takes_settings(*distance))) {
      std::vector<std::string_view> names;
      for (const DistanceRow& row : kDistances)
        if (takes_settings(row.distance)) names.push_back(row.name);
      throw UsageError(fmt::format("{} applies to the distances {} only.", find_setting(name).marked(),
                                   fmt::join(names, " and ")));
    }
  if (settings.search_weights)
    throw UsageError(
        fmt::format("{}: weights can only be derived together with a consensus, but this one is given; give "
                    "one number per rater, or none.",
                    Sentence::setting("weights", "auto")));
}

}  // namespace crema::raters
