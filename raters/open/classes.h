// SPDX-License-Identifier: Apache-2.0
// What the channels of probability maps stand for.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "crema/labels/structures.h"
#include "crema/tables/settings.h"

namespace crema::raters {

/// Which structures the channels of a map are. One map per rater is one channel.
struct ClassPlan {
  std::vector<Structure> structures = {{.value = 1, .name = {}, .labels = {1}}};
  std::int32_t channels = 1;
  bool background = false;  ///< channel 0 is the background, and all of them sum to 1
  bool regions = false;     ///< structures may lie inside each other
  bool described = false;   ///< a dataset.json says what the channels are
};

/// The classes of a network as nnU-Net's dataset.json names them, without the background.
struct DatasetLabels {
  std::filesystem::path path;
  std::vector<NamedLabels> classes;  ///< in the order of the channels
  std::vector<Label> values;         ///< of regions: as which label each is written
  bool regions = false;
};

/// From the dataset.json in the folder of a rater's file, where there is one that names labels. Throws
/// InputError where it cannot be read.
std::optional<DatasetLabels> read_dataset(const std::filesystem::path& rater);

/// Which structures the settings choose of so many channels. Throws InputError, naming the rater, where they
/// do not fit.
ClassPlan plan_classes(const std::string& rater, std::int32_t channels, const Settings& settings,
                       const std::optional<DatasetLabels>& dataset, Warnings& warnings);

}  // namespace crema::raters
