// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/options/options.h"
#include "cli/shell/command.h"
#include "cohort/merge/merge.h"

/// What several commands of a cohort say and do alike.
namespace crema::cli {

/// Files that are not there and cases whose files cannot be known, as warnings. Returns whether there are
/// such cases.
bool warn_of_unread(const cohort::Cohort& found, const cohort::CohortSizes& sizes, Session& session);

/// The failures that are listed, of so many in all; empty where there are none. `rest` says where all of them
/// are.
std::string failures_text(const std::vector<cohort::NamedFailure>& listed, std::size_t all,
                          const std::string& rest);

/// --tables.
void take_tables(Parser& app, cohort::TableChoice& choice);

/// Whether to wait for another run in the same folder: what was typed, else what a scheduler's task wants.
struct WaitOptions {
  bool wait = false, no_wait = false;

  [[nodiscard]] cohort::LockOptions lock(const cohort::RunFolder& folder) const;
};
/// --wait and --no-wait.
void take_wait(Parser& app, WaitOptions& options);

}  // namespace crema::cli
