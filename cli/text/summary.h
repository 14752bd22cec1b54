// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "crema/fuse.h"
#include "crema/weights.h"
#include "files/files.h"

namespace crema::cli {

/// One method's part in a run.
struct Outcome {
  Options options;  ///< as it was solved with
  std::optional<WeightSearch> search;
  Solution solution;
  std::filesystem::path image;
  std::optional<double> threshold;  ///< levels above it were written as a mask
  double seconds = 0;               ///< its own, without the shared reading and counting
};

/// Where the time went before the methods were asked.
struct Shared {
  double reading = 0;
  double counting = 0;
};

/// A name, blanks up to the column in which all texts of a summary start, and the text.
std::string line(std::string_view name, const std::string& text);

/// "96 × 96 × 48, 1 × 1 × 3 mm"; a PNG has no spacing and a 2-D image no third axis.
std::string grid_text(const files::Header& header);

/// What is said before the methods are asked: raters, grid, components.
std::string summary_head(const std::vector<files::Header>& raters, const Reduction& reduction);

/// One aligned line per method, then what was proven and found out about each, the time and the places.
std::string summary_methods(const std::vector<Outcome>& outcomes, const files::Header& reference,
                            const Shared& shared, double seconds);

}  // namespace crema::cli
