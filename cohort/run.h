// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cohort/layouts.h"
#include "cohort/one_case.h"

namespace crema::cohort {

/// How far a run has come.
struct RunProgress {
  std::size_t done = 0, failed = 0, all = 0;
  double share = 0;  ///< of the bytes to be read, from 0 to 1
};

struct RunReport {
  std::size_t made = 0, kept = 0, failed = 0;
};

/// A run that is ready to go: its folder is there, checked, and says what is to be done in it.
struct ReadyRun {
  Cohort cohort;
  CohortRequest request;
  RunFolder folder;
  Json identity;
};

/// Finds the cases and checks the folder. Throws UsageError where that is of another run, unless `replace`.
ReadyRun prepare_run(const Where& where, CohortRequest request, const std::filesystem::path& folder,
                     bool replace);

/// Makes the folder.
void make_run_folder(const RunFolder& folder);

/// Writes run.json and the manifest; to be called under the lock. `more` puts further files beside them.
void write_run(const ReadyRun& ready, const std::filesystem::path& work,
               const std::function<void(files::StagedSet&)>& more = {});

/// One shard of a run that was planned; its settings come from the folder.
ReadyRun open_shard(const std::filesystem::path& folder, int shard);

/// The whole run as it was planned.
ReadyRun open_run(const std::filesystem::path& folder);

struct RunOptions {
  int threads = 0;  ///< 0 is one per core
  bool retry = false;
  ReportMaker report = {};                                ///< for requests with pages
  std::function<void(const RunProgress&)> progress = {};  ///< on any thread, one at a time
};

/// Does all cases that are not done, several at once, each on one thread. Goes on past those that fail; what
/// there was no memory for is tried again alone.
RunReport run_cases(const ReadyRun& ready, const std::filesystem::path& work, const RunOptions& options);

/// Bytes of the files of each case; what is not there has none.
std::vector<std::int64_t> sizes_of(const Cohort& cohort);

}  // namespace crema::cohort
