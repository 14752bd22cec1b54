// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cohort/run/makers.h"
#include "cohort/run/plan_record.h"
#include "cohort/run/result.h"

namespace crema::cohort {

/// How far a run has come.
struct RunProgress {
  std::size_t done = 0, failed = 0, all = 0;
  double share = 0;  ///< of the bytes to be read, from 0 to 1
};

struct NamedFailure {
  std::string name;
  CaseFailure failure;
};

struct RunReport {
  std::size_t made = 0, kept = 0, failed = 0;
  std::vector<NamedFailure> failures;  ///< the first of them, in the order of the cases

  static constexpr std::size_t kListed = 20;
};

/// A run that is ready to go: its folder is there, checked, and says what is to be done in it.
struct ReadyRun {
  Cohort cohort;
  CohortRequest request;
  RunFolder folder;
  Json identity;
  Json data_set;
};

/// Makes the folder.
void make_run_folder(const RunFolder& folder);

/// Writes run.json and the manifest; to be called under the lock. `more` puts the plan beside them; without
/// it the run is one without shards, and what an older plan left is no longer true.
void write_run(const ReadyRun& ready, const std::filesystem::path& work,
               const std::function<void(files::StagedSet&)>& more = {});

/// One shard of a run that was planned; its settings come from the folder.
ReadyRun open_shard(const std::filesystem::path& folder, int shard);

/// The whole run as it was planned.
ReadyRun open_run(const std::filesystem::path& folder);

/// Its settings and folder, without its cases.
ReadyRun open_settings(const std::filesystem::path& folder);

/// The cases of a shard beside those settings; the plan says which raters the run has. Throws UsageError
/// where the shard is not the one that was planned.
void take_shard(ReadyRun& ready, const PlanRecord& plan, int shard);

struct RunOptions {
  int threads = 0;  ///< 0 is one per core
  bool retry = false;
  int shard = 0;            ///< whose stamps are read and left; 0: of a whole run
  bool verify = false;      ///< files are read again, whatever their sizes and times
  ReportMaker report = {};  ///< for requests with pages
  ThumbnailMaker thumbnail = {};
  std::function<void(const RunProgress&)> progress = {};  ///< on any thread, one at a time
};

/// Does all cases that are not done, several at once, each on one thread. Goes on past those that fail; what
/// there was no memory for is tried again alone.
RunReport run_cases(const ReadyRun& ready, const std::filesystem::path& work, const RunOptions& options);

/// Bytes of the files of each case, and which files are not there.
struct CohortSizes {
  std::vector<std::int64_t> bytes;  ///< for each case
  std::size_t missing = 0;          ///< files
  std::string first_missing;        ///< its path in the cohort
};
CohortSizes sizes_of(const Cohort& cohort);

}  // namespace crema::cohort
