// SPDX-License-Identifier: Apache-2.0
#include "raters/open/classes.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/text.h"
#include "crema/labels/regions.h"
#include "files/files.h"

namespace crema::raters {
namespace {

/// What is known of the maps.
struct Known {
  std::string rater;  ///< as a sentence names it
  std::int32_t channels = 1;
  const Settings& settings;
  const std::optional<DatasetLabels>& dataset;
};

std::string labels_setting(const Known& known) {
  return Sentence::setting("labels", known.settings.labels->text);
}

/// Channels of sigmoids, one for each region.
ClassPlan plan_regions(const Known& known, const std::vector<NamedLabels>& regions, const std::string& who,
                       Warnings& warnings) {
  if (static_cast<std::size_t>(known.channels) != regions.size())
    throw InputError(fmt::format(
        "{}: holds {}, but {} names {}; regions need one channel each, without a background, in the order of "
        "their names.",
        known.rater, counted(known.channels, "channel"), who, counted(std::ssize(regions), "region")));
  ClassPlan plan{.structures = nest(regions, warnings), .channels = known.channels};
  plan.regions = true;
  for (Structure& structure : plan.structures) {
    const auto own = std::find_if(regions.begin(), regions.end(),
                                  [&](const NamedLabels& region) { return region.name == structure.name; });
    structure.channel = static_cast<int>(own - regions.begin());
    if (known.dataset && !known.dataset->values.empty() && !known.settings.regions)
      structure.value = known.dataset->values[static_cast<std::size_t>(own - regions.begin())];
  }
  return plan;
}

/// The name of a class, where the data set has as many as there are channels.
std::string name_of(const Known& known, Label label) {
  if (!known.dataset) return "";
  for (const NamedLabels& own : known.dataset->classes)
    if (own.labels == std::vector<Label>{label}) return own.name;
  return "";
}

Label find_class(const Known& known, const std::string& name) {
  std::string there;
  if (known.dataset)
    for (const NamedLabels& own : known.dataset->classes) {
      if (own.name == name) return own.labels.front();
      there += (there.empty() ? "" : ", ") + printable(own.name);
    }
  throw InputError(fmt::format("{}: {}.", labels_setting(known),
                               there.empty()
                                   ? "the maps have no class names; give numbers, such as 1,2"
                                   : "there is no class " + printable(name) + "; there are " + there));
}

/// nnU-Net counts labels without gaps, one channel for each.
void compare_names(const Known& known, Warnings& warnings) {
  if (!known.dataset) return;
  std::vector<Label> named;
  for (const NamedLabels& own : known.dataset->classes) named.push_back(own.labels.front());
  bool same = std::ssize(named) == known.channels - 1;
  for (std::size_t i = 0; same && i < named.size(); ++i) same = named[i] == i + 1;
  if (!same)
    warnings.push_back({fmt::format("{} does not name exactly the {} classes that {} holds besides the "
                                    "background; check that it belongs to these maps.",
                                    files::printable(known.dataset->path), known.channels - 1, known.rater),
                        WarningKind::labels});
}

/// Softmax channels, the background first.
ClassPlan plan_labels(const Known& known, Warnings& warnings) {
  if (known.channels < 2)
    throw InputError(
        fmt::format("{}: holds one map, but {} needs one channel for the background and one for each "
                    "class; leave it out.",
                    known.rater, labels_setting(known)));
  compare_names(known, warnings);
  const LabelChoice& choice = *known.settings.labels;
  std::vector<NamedLabels> chosen = choice.chosen;
  for (std::int32_t c = 1; choice.all && c < known.channels; ++c)
    chosen.push_back({"", {static_cast<Label>(c)}});
  ClassPlan plan{.structures = {}, .channels = known.channels, .background = true};
  for (const NamedLabels& own : chosen) {
    const Label label = own.labels.empty() ? find_class(known, own.name) : own.labels.front();
    if (label >= known.channels)
      throw InputError(fmt::format("{}: unknown class {}; {} holds {}, the background and {} to {}.",
                                   labels_setting(known), label, known.rater,
                                   counted(known.channels, "channel"), 1, known.channels - 1));
    plan.structures.push_back({label, own.name.empty() ? name_of(known, label) : own.name, {label}});
  }
  std::sort(plan.structures.begin(), plan.structures.end(),
            [](const Structure& a, const Structure& b) { return a.value < b.value; });
  for (Structure& own : plan.structures) own.channel = own.value;
  return plan;
}

}  // namespace

ClassPlan plan_classes(const std::string& rater, std::int32_t channels, const Settings& settings,
                       const std::optional<DatasetLabels>& dataset, Warnings& warnings) {
  const Known known{files::printable(rater), channels, settings, dataset};
  if (settings.regions)
    return plan_regions(known, settings.regions->chosen, Sentence::setting("regions", settings.regions->text),
                        warnings);
  if (!dataset || !dataset->regions) {
    ClassPlan plan = plan_labels(known, warnings);
    plan.described = dataset.has_value();
    return plan;
  }
  if (!settings.labels->all)
    throw InputError(fmt::format("{}: {} declares the channels as regions; give {} for all of them, or {}.",
                                 labels_setting(known), files::printable(dataset->path),
                                 Sentence::setting("labels", "all"), Sentence::setting("regions")));
  return plan_regions(known, dataset->classes, files::printable(dataset->path), warnings);
}

}  // namespace crema::raters
