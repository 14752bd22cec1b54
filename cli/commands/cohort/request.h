// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/options/options.h"
#include "cli/shell/command.h"
#include "cli/shell/partly.h"
#include "cohort/find/layouts.h"
#include "cohort/merge/merge.h"

namespace crema::cli {

/// The options of the commands of a cohort.
struct CohortOptions {
  std::string data, run, layout, only, except, image;
  cohort::CohortRequest request;
  bool force = false, quiet = false;

  [[nodiscard]] cohort::Where where() const;
  [[nodiscard]] std::filesystem::path folder() const;
};

/// DATA, --layout, --only, --except and --image.
OptionRef add_data_option(Parser& app, CohortOptions& options);
/// The last three of them.
void take_patterns(Parser& app, CohortOptions& options);
/// The folder of a run, behind the command or behind -o.
void add_run_option(Parser& app, CohortOptions& options);
void take_run_output(Parser& app, CohortOptions& options);
void add_force_option(Parser& app, CohortOptions& options);
/// Methods, settings and tables.
void take_cohort_request(Parser& app, CohortOptions& options);
/// The settings of methods.
void take_fusion_groups(Parser& app, Settings& settings);
void add_quiet_option(Parser& app, CohortOptions& options);

/// The counts of a cohort, as people read them.
std::string cohort_text(const cohort::Cohort& found);
/// The table at the end of a run, what is still to be done and what was warned of.
std::string results_text(const cohort::MergeReport& report);
/// The same, with where it is, and the failures.
std::string merge_text(const cohort::MergeReport& report, const cohort::RunFolder& folder);
/// The code to leave with: 5 where a case has failed or is missing.
int exit_code(const cohort::MergeReport& report);

}  // namespace crema::cli
