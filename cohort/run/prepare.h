// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cohort/find/layouts.h"
#include "cohort/run/run.h"

namespace crema::cohort {

/// Finds the cases and checks the folder, before anything is read or written. Where the data of a run are
/// away, its cases are those that it had. Throws UsageError where the folder is of another run or other data,
/// unless `replace`, and where a result could take the place of an input.
ReadyRun prepare_run(const Where& where, CohortRequest request, const std::filesystem::path& folder,
                     bool replace);

/// Results are written below the folder of the run, wherever links in it lead. Throws UsageError where one
/// of the folders of its cases, or of what is beside them, is a link.
void check_links(const ReadyRun& ready);

/// All outputs of all cases against all inputs and against each other. Throws UsageError.
void check_outputs(const ReadyRun& ready);

}  // namespace crema::cohort
