// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/shell/command.h"
#include "cli/shell/options.h"
#include "cli/shell/partly.h"
#include "cohort/merge.h"

namespace crema::cli {

/// What the commands of a cohort are told.
struct CohortOptions {
  std::string data, run, layout, only;
  cohort::CohortRequest request;
  bool force = false, quiet = false;

  [[nodiscard]] cohort::Where where() const;
  [[nodiscard]] std::filesystem::path folder() const;
};

/// DATA, --layout and --only.
Taken take_data(CLI::App& app, CohortOptions& options);
/// The folder of a run, behind the command or behind -o.
void take_run(CLI::App& app, CohortOptions& options);
void take_run_output(CLI::App& app, CohortOptions& options);
/// Methods, settings and tables.
void take_cohort_request(CLI::App& app, CohortOptions& options);
void take_quiet(CLI::App& app, CohortOptions& options);

/// The counts of a cohort, as people read them.
std::string cohort_text(const cohort::Cohort& found);
/// The table at the end of a run, the failures and what is still to be done.
std::string merge_text(const cohort::MergeReport& report, const cohort::RunFolder& folder);
/// The code to leave with: 5 where a case has failed or is missing.
int exit_code(const cohort::MergeReport& report);

}  // namespace crema::cli
