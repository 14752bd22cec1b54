// SPDX-License-Identifier: Apache-2.0
// Which labels were requested against those that occur.
#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/labels/regions.h"
#include "files/files.h"
#include "raters/read/labels.h"

namespace crema::raters {
namespace {

constexpr std::size_t kMaxListed = 12;

using Segments = std::vector<files::SegmentInfo>;

/// A table by label of what the structures are made of.
std::vector<bool> labels_of(const std::vector<Structure>& structures) {
  std::vector<bool> chosen(std::size_t{1} << 16, false);
  for (const Structure& structure : structures)
    for (const Label label : structure.labels) chosen[label] = true;
  return chosen;
}

/// "liver (1)", or the number alone where it has no name.
std::string name_of(Label label, const Segments& segments) {
  for (const files::SegmentInfo& segment : segments)
    if (segment.value == label) return fmt::format("{} ({})", files::printable(segment.name), label);
  return fmt::format("{}", label);
}

std::string list(const std::vector<Label>& labels, const Segments& segments) {
  if (labels.empty()) return "none";
  std::string text;
  for (std::size_t i = 0; i < std::min(kMaxListed, labels.size()); ++i) {
    const bool last = i + 1 == labels.size();
    text += fmt::format("{}{}", i == 0 ? "" : last ? " and " : ", ", name_of(labels[i], segments));
  }
  return labels.size() > kMaxListed ? text + " …" : text;
}

std::vector<Label> values_of(const std::vector<LabelExtent>& extents) {
  std::vector<Label> values;
  for (const LabelExtent& extent : extents) values.push_back(extent.label);
  return values;
}

bool occurs(const std::vector<Label>& there, Label label) {
  return std::binary_search(there.begin(), there.end(), label);
}

std::vector<Label> declared_in(const Segments& segments) {
  std::vector<Label> labels;
  for (const files::SegmentInfo& segment : segments) labels.push_back(static_cast<Label>(segment.value));
  return labels;
}

bool declared(const Segments& segments, Label label) {
  return std::any_of(segments.begin(), segments.end(),
                     [&](const files::SegmentInfo& one) { return one.value == label; });
}

/// A label that nobody has is a slip; in the table of a challenge it is a case without that part, and so it
/// is where the files declare a segment in which nobody drew.
void check_there(const LabelChoice& choice, std::string_view setting, const std::vector<Label>& there,
                 const SegmentLabels& declaring, Warnings& warnings) {
  const Segments& segments = declaring.labels;
  // Nobody drew anything, which is said of each rater.
  if (there.empty() && segments.empty() && declaring.left_out.empty()) return;
  for (const NamedLabels& named : choice.chosen)
    for (const Label label : named.labels) {
      if (occurs(there, label) || (there.empty() && declared(segments, label))) continue;
      const std::string text =
          fmt::format("{}: no rater uses label {}; labels in use: {}",
                      Sentence::setting(setting, choice.text), label, list(there, segments));
      if (!choice.preset && !declared(segments, label)) throw InputError(text + ".");
      const Warning warning(text + ".", WarningKind::missing_label);
      if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) warnings.push_back(warning);
    }
}

void warn_of_left_out(const std::vector<Structure>& structures, const std::vector<Label>& there,
                      const SegmentLabels& named, Warnings& warnings) {
  const Segments& segments = named.labels;
  if (!named.left_out.empty())
    warnings.push_back(
        {fmt::format("{} of the segments ({}{}) {} not chosen and count{} as background.",
                     named.left_out.size(), files::printable(named.left_out.front()),
                     named.left_out.size() > 1 ? " …" : "", named.left_out.size() == 1 ? "was" : "were",
                     named.left_out.size() == 1 ? "s" : ""),
         WarningKind::labels});
  const std::vector<bool> chosen = labels_of(structures);
  std::vector<Label> left;
  for (const Label label : there)
    if (!chosen[label]) left.push_back(label);
  if (left.empty()) return;
  warnings.push_back(
      {fmt::format("label{} {} also occur{} and count{} as background.", left.size() == 1 ? "" : "s",
                   list(left, segments), left.size() == 1 ? "s" : "", left.size() == 1 ? "s" : ""),
       WarningKind::labels});
}

/// One sentence per rater, however many labels it lacks.
void warn_of_missing(const std::vector<LabelExtent>& extents, const std::vector<Structure>& structures,
                     const Segments& segments, const std::vector<std::string>& names, Warnings& warnings) {
  const std::vector<bool> chosen = labels_of(structures);
  for (std::size_t k = 0; k < names.size(); ++k) {
    std::vector<Label> missing;
    std::size_t wanted = 0;
    for (const LabelExtent& extent : extents) {
      wanted += chosen[extent.label] ? 1U : 0U;
      if (chosen[extent.label] && (extent.raters >> k & 1) == 0) missing.push_back(extent.label);
    }
    if (missing.empty() && wanted > 0) continue;
    if (missing.size() == wanted)
      warnings.emplace_back(fmt::format("{}: uses none of the labels.", files::printable(names[k])),
                            WarningKind::empty_mask);
    else
      warnings.emplace_back(fmt::format("{}: did not draw label{} {}.", files::printable(names[k]),
                                        missing.size() == 1 ? "" : "s", list(missing, segments)),
                            WarningKind::labels);
  }
}

/// Voxels that lie beside each other with one label, in the mean.
double mean_run(const LabelRuns& map) {
  const auto add = [](std::int64_t sum, const LabelRun& run) { return sum + run.length; };
  const std::int64_t voxels = std::accumulate(map.runs().begin(), map.runs().end(), std::int64_t{0}, add);
  return static_cast<double>(voxels) / static_cast<double>(map.runs().size());
}

/// A file of many values that hardly anybody shares, or that change from voxel to voxel, is an image rather
/// than a label map.
void warn_of_images(const LabelMaps& maps, const std::vector<LabelExtent>& extents,
                    const std::vector<std::string>& names, Warnings& warnings) {
  constexpr std::size_t few = 32;
  constexpr double short_run = 2;
  for (std::size_t k = 0; k < names.size(); ++k) {
    std::size_t own = 0, alone = 0;
    for (const LabelExtent& extent : extents) {
      own += extent.raters >> k & 1;
      alone += extent.raters == std::uint64_t{1} << k ? 1U : 0U;
    }
    if (names.size() > 1 && own > few && 10 * alone > 9 * own)
      warnings.emplace_back(
          fmt::format("{}: {} of its {} labels occur in no other rater; if it is an image, leave it out.",
                      files::printable(names[k]), alone, own),
          WarningKind::unlike);
    else if (own > few && mean_run(maps.raters[k]) < short_run)
      warnings.emplace_back(
          fmt::format("{}: its {} labels change from voxel to voxel; if it is an image, leave it out.",
                      files::printable(names[k]), own),
          WarningKind::unlike);
  }
}

std::vector<Structure> from_labels(const LabelChoice& choice, const std::vector<Label>& there,
                                   const Segments& segments) {
  std::vector<Structure> structures;
  if (choice.all)
    for (const Label label : there) structures.push_back({label, "", {label}});
  for (const NamedLabels& named : choice.chosen)
    structures.push_back({named.labels.front(), named.name, named.labels});
  std::map<std::int64_t, const std::string*> names;
  for (const files::SegmentInfo& segment : segments) names.try_emplace(segment.value, &segment.name);
  for (Structure& structure : structures)
    if (const auto own = names.find(structure.value); structure.name.empty() && own != names.end())
      structure.name = *own->second;
  std::sort(structures.begin(), structures.end(),
            [](const Structure& a, const Structure& b) { return a.value < b.value; });
  return structures;
}

}  // namespace

std::vector<Structure> choose_structures(const LabelMaps& maps, const Settings& settings,
                                         const SegmentLabels& segments, const std::vector<std::string>& names,
                                         Warnings& warnings) {
  const std::vector<LabelExtent> extents = labels_in(maps);
  const std::vector<Label> there = values_of(extents);
  const LabelChoice& choice = settings.regions ? *settings.regions : *settings.labels;
  if (there.empty() && segments.labels.empty() && choice.all)
    throw InputError(fmt::format(
        "no rater uses any label; give other maps, or name labels, such as {}, for an empty consensus.",
        Sentence::setting("labels", "1,2")));
  if (there.size() > kMaxLabels)
    throw InputError(fmt::format("the maps hold {} labels, but at most {} can be fused; choose some with {}.",
                                 there.size(), kMaxLabels, Sentence::setting("labels")));
  check_there(choice, settings.regions ? "regions" : "labels", there, segments, warnings);
  std::vector<Structure> structures =
      settings.regions
          ? nest(choice.chosen, warnings)
          : from_labels(choice, there.empty() ? declared_in(segments.labels) : there, segments.labels);
  warn_of_left_out(structures, there, segments, warnings);
  warn_of_missing(extents, structures, segments.labels, names, warnings);
  warn_of_images(maps, extents, names, warnings);
  return structures;
}

}  // namespace crema::raters
