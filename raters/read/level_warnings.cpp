// SPDX-License-Identifier: Apache-2.0
// What a careful reader would say of maps of levels.
#include <algorithm>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/levels/level_maps.h"
#include "raters/read/levels.h"

namespace crema::raters {
namespace {

constexpr std::size_t kMaxClasses = 12;

float highest(const SparseLevels& map) {
  const auto values = map.values();
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

/// One map per rater.
Warnings about_map(const SparseLevels& map, double floor, const std::string& name) {
  if (map.values().empty())
    return {{fmt::format("{}: no level reaches the floor of {:g}; the map counts as empty.",
                         files::printable(name), floor),
             WarningKind::empty_mask}};
  if (highest(map) >= kCoreLevel) return {};
  return {{fmt::format(
               "{}: no level reaches 0.5, the highest is {:.3g}; for distances the rater counts as empty.",
               files::printable(name), highest(map)),
           WarningKind::empty_mask}};
}

/// One sentence per rater, however many classes it lacks.
Warnings about_classes(const LoadedLevels& loaded, std::size_t k, const std::string& name) {
  std::vector<std::string> missing;
  std::size_t wanted = 0;
  for (std::size_t s = 0; s < loaded.levels.size(); ++s) {
    const auto reaches = [](const SparseLevels& map) { return highest(map) >= kCoreLevel; };
    if (std::none_of(loaded.levels[s].begin(), loaded.levels[s].end(), reaches)) continue;
    ++wanted;
    const Structure& own = loaded.plan.structures[s];
    if (!reaches(loaded.levels[s][k]))
      missing.push_back(own.name.empty() ? fmt::format("{}", own.value) : files::printable(own.name));
  }
  if (missing.empty()) return {};
  if (missing.size() == wanted)
    return {{fmt::format("{}: no level of any class reaches 0.5; for distances the rater counts as empty.",
                         files::printable(name)),
             WarningKind::empty_mask}};
  const bool many = missing.size() > kMaxClasses;
  if (many) missing.resize(kMaxClasses);
  return {{fmt::format("{}: no level reaches 0.5 in class{} {}{}.", files::printable(name),
                       missing.size() == 1 ? "" : "es", fmt::join(missing, ", "), many ? " …" : ""),
           WarningKind::labels}};
}

/// Structures that nobody marks are empty.
void warn_of_empty(const LoadedLevels& loaded, Warnings& warnings) {
  for (std::size_t s = 0; s < loaded.levels.size(); ++s) {
    float most = 0;
    for (const SparseLevels& map : loaded.levels[s]) most = std::max(most, highest(map));
    const Structure& own = loaded.plan.structures[s];
    if (most < kCoreLevel)
      warnings.push_back(
          {fmt::format("class {}: no level of any rater reaches 0.5; methods that minimise a distance leave "
                       "it empty.",
                       own.name.empty() ? fmt::format("{}", own.value) : files::printable(own.name)),
           WarningKind::missing_label});
  }
}

}  // namespace

Warnings check_levels(const LoadedLevels& loaded, double floor, const std::vector<std::string>& names) {
  const auto is_empty = [](const SparseLevels& map) { return map.values().empty(); };
  const bool none = std::all_of(
      loaded.levels.begin(), loaded.levels.end(),
      [&](const std::vector<SparseLevels>& maps) { return std::all_of(maps.begin(), maps.end(), is_empty); });
  if (none)
    throw InputError(
        fmt::format("no level of any rater reaches the floor of {:g}; give a lower {}, or check "
                    "that these are probability maps.",
                    floor, Sentence::setting("floor")));
  Warnings warnings;
  const bool classes = loaded.plan.channels > 1 || loaded.plan.regions;
  for (std::size_t k = 0; k < names.size(); ++k)
    append(warnings, classes ? about_classes(loaded, k, names[k])
                             : about_map(loaded.levels.front()[k], floor, names[k]));
  if (classes) warn_of_empty(loaded, warnings);
  return warnings;
}

}  // namespace crema::raters
