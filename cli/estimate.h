// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/shell/options.h"
#include "crema/fuse.h"
#include "crema/sentence.h"
#include "files/files.h"

namespace crema::cli {

/// What was typed about methods that estimate performance or look at neighbours; nothing: the defaults.
struct EstimateWish {
  std::optional<std::string> preset;
  std::optional<Prior> prior;
  std::optional<Region::Kind> region;
  std::string region_file;
  std::optional<std::int32_t> margin;
  std::optional<double> tolerance;
  std::optional<int> max_iterations;
  std::optional<double> drop_below;
  std::optional<double> coupling;
  std::optional<int> half_window;
  std::optional<double> softness;
};

void declare_estimate(CLI::App& app, EstimateWish& wish);

/// mean, a number between 0 and 1, or A/N^alpha (A/N is A/N^1).
Prior parse_prior(const std::string& text);

/// Throws UsageError when an option was typed that none of the methods heeds, or that the preset settles.
void check_estimate(const EstimateWish& wish, const std::vector<const Method*>& methods);

/// Sets what was typed; the region's mask is left to read_region.
void apply(const EstimateWish& wish, Options& options);

struct RegionFile {
  std::vector<std::uint8_t> mask;
  Warnings warnings;
};

/// The region's mask on the reference's grid. Throws InputError when it lies on another one or is empty.
RegionFile read_region(const std::string& path, const files::Header& reference,
                       const files::ReadOptions& options);

}  // namespace crema::cli
