// SPDX-License-Identifier: Apache-2.0
// A folder with one probability map per class as one rater.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "crema/tables/label_choice.h"
#include "files/files.h"

namespace crema {
struct Settings;
}

namespace crema::raters {

/// The maps of a rater's folder, in the order of its channels.
struct ClassFolder {
  files::Header header;  ///< of the first map, under the folder's name; its channels are the classes
  std::vector<files::Header> maps;  ///< one for each channel that has a file
  std::vector<std::string> names;   ///< of the classes, without the background
  bool background = false;  ///< channel 0 has a file; else there is none, and the maps need not sum to 1

  /// The channel of a map.
  [[nodiscard]] std::int64_t channel(std::size_t map) const {
    return static_cast<std::int64_t>(map) + (background || regions ? 0 : 1);
  }
  bool regions = false;  ///< channels are regions, in the order in which the settings name them
};

/// Opens an input that is a folder where classes of probability maps are wanted; nothing elsewhere. Classes
/// are called as their files; one called background, or 0, is channel 0. Throws InputError where the maps do
/// not lie on one grid, or their names are not those of regions that the settings name.
std::optional<ClassFolder> open_class_folder(const std::filesystem::path& given, const Settings& settings,
                                             const files::ReadOptions& options);

/// The classes by name, as dataset.json would give them.
std::vector<NamedLabels> classes_of(const ClassFolder& folder);

}  // namespace crema::raters
