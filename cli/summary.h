// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "crema/fuse.h"
#include "files/files.h"

namespace crema::cli {

/// One method's part in a run.
struct Outcome {
  Solution solution;
  std::filesystem::path image;
  double seconds = 0;  ///< its own, without the shared reading and counting
};

/// Where the time went before the methods were asked.
struct Shared {
  double reading = 0;
  double counting = 0;
};

/// "96 × 96 × 48, 1 × 1 × 3 mm"; a PNG has no spacing and a 2-D image no third axis.
std::string grid_text(const files::Header& header);

/// What is said before the methods are asked: raters, grid, components.
std::string summary_head(const std::vector<files::Header>& raters, const Reduction& reduction);

/// One aligned line per method, then the places and the time.
std::string summary_methods(const std::vector<Outcome>& outcomes, const files::Header& reference,
                            const Shared& shared, double seconds);

}  // namespace crema::cli
