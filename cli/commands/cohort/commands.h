// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/shell/command.h"

namespace crema::cli {

Command cohort_list_command();
Command cohort_run_command();
Command cohort_plan_command();
Command cohort_submit_command();
Command cohort_status_command();
Command cohort_merge_command();
Command cohort_get_command();
/// A BIDS App: runs and merges.
Command bids_command();
/// Tables over all cases of runs.
Command study_command();

}  // namespace crema::cli
