// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/commands/cohort/request.h"
#include "cli/commands/cohort/shared.h"
#include "cli/commands/cohort/statistics.h"

namespace crema::cli {

/// The options of a run of a cohort.
struct RunRequest {
  CohortOptions options;
  std::string shard;  ///< a number, auto, or empty: all cases
  int per_task = 0;   ///< shards; 0: not given
  WaitOptions waiting;
  StatisticsOptions statistics = {};
  cohort::TableChoice tables = cohort::TableChoice::automatic;
  bool retry = false, verify = false;
  std::vector<std::string> participants = {};  ///< "sub-01": their cases alone are done; empty: all
};

/// --retry, --verify and --quiet.
void take_rerun(Parser& app, RunRequest& request);

/// What came of a run, beside its files.
struct RunResult {
  cohort::RunFolder folder;
  std::size_t cases = 0;
  cohort::RunReport report;
  cohort::MergeReport merged;
};

/// Does all cases that are not done, and merges; with a page of them all unless `page` is null.
RunResult fuse_cohort(RunRequest& request, Session& session, PageWriter* page);

/// The same, and reports it. With participants the cases of others are left as they are,
/// and the exit code is about theirs.
int run_cohort(RunRequest& request, Session& session);

/// The options of gathering.
struct MergeRequest {
  CohortOptions options;
  WaitOptions waiting;
  StatisticsOptions statistics = {};
  cohort::TableChoice tables = cohort::TableChoice::automatic;
  bool verify = false;
};

/// Gathers the results of a run in its tables.
int merge_cohort(const MergeRequest& request, Session& session);

}  // namespace crema::cli
