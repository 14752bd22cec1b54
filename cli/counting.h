// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/load.h"
#include "cli/shell/options.h"
#include "cli/shell/progress.h"
#include "crema/fuse.h"
#include "crema/sentence.h"

namespace crema::cli {

/// How raters' masks become counts, as every command that reads them is asked.
struct Counting {
  std::vector<std::string> raters;
  files::ReadOptions read;
  int connectivity = 0;
  std::optional<std::string> slice_wise;  ///< x, y, z or kAutomaticAxis
  int threads = 0;                        ///< 0: one per core
  bool low_memory = false;                ///< one rater and one component after the other
};

/// RATER..., --threshold and --label.
void declare_raters(CLI::App& app, Counting& counting);

/// --connectivity and --slice-wise.
void declare_neighbourhood(CLI::App& app, Counting& counting, const std::string& group);

/// --threads, --low-memory and --max-memory.
void declare_limits(CLI::App& app, Counting& counting);

/// Reads the raters' headers. Throws InputError when there are too many raters or they do not fit together.
RaterFiles open_raters(const Counting& counting);

/// Options for the core, without those of a method. Throws before any voxel is read when the connectivity
/// does not fit the grid. The progress must outlive them.
Options counting_options(const Counting& counting, const Grid& grid, Progress& progress);

struct Counted {
  Reduction reduction;
  Warnings warnings;
  double reading = 0, counting = 0;  ///< seconds
};

/// Reads all masks and counts; the votes live no longer than this call unless neighbours are needed.
Counted count(const RaterFiles& raters, const Counting& counting, Needs needs, const Options& options,
              Progress& progress);

}  // namespace crema::cli
