// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "crema/records/records.h"
#include "raters/run/run.h"

namespace crema::raters {

/// What was found out about one rater.
struct Finding {
  std::filesystem::path path;
  std::optional<files::Header> header;       ///< none: the file could not be opened as a mask
  std::int64_t voxels = 0;                   ///< inside; of levels: from 0.5 on
  std::optional<std::int64_t> support = {};  ///< of levels: from the floor on
  std::vector<std::pair<std::string, std::int64_t>> labels = {};  ///< voxels of each, where labels are read
  std::vector<Sentence> problems = {};                            ///< why it cannot be fused with the others
};

/// Who is at fault where something cannot be fused, as the errors of a fusion say it.
struct Faults {
  bool input = false, memory = false, disk = false;
};

/// What was found out about raters that somebody means to fuse.
struct Examination {
  std::vector<Finding> findings;   ///< one per rater, in the order given
  std::vector<Sentence> problems;  ///< of all of them together
  Faults faults;
  Warnings warnings;  ///< the warnings that a fusion would give
  double reading = 0, counting = 0;

  [[nodiscard]] std::size_t bad() const;
  [[nodiscard]] bool fine() const { return bad() == 0 && problems.empty(); }
};

/// Takes raters in as a fusion does, but reports every problem of every file instead of the first one.
Examination examine(const std::vector<std::filesystem::path>& paths, const Settings& settings,
                    const Hooks& hooks);

/// How many voxels each rater drew.
std::vector<std::int64_t> voxels_of_raters(const Reduction& reduction);

/// The same of all structures; of levels those where any class reaches a half.
std::vector<std::int64_t> voxels_of_raters(const Case& counted);

/// What a rater is called: its file as given, with "#" and its name for a segment.
std::string name_of(const Finding& finding);

/// The record of what was found; `run` says which command it was, and what else was remarkable.
Json examination_record(RunFacts run, const Settings& settings, const Examination& found, Spelling spelling);

}  // namespace crema::raters
