// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "cohort/result.h"
#include "crema/error.h"
#include "raters/run.h"

namespace crema::cohort {

/// The disk that results are written to refuses; no other case would fare better.
struct DiskError : FileError {
  using FileError::FileError;
};

/// What a case's own page is made of.
struct CaseMaterial {
  const CohortCase& one;
  const raters::Case& counted;  ///< raters bear the names that they have in the cohort
  const std::vector<raters::Outcome>& outcomes;
  const Settings& settings;
  const Json& identity;
  const Json& inputs;
  std::vector<std::string> warnings;
};

/// The text of that page. Whoever runs brings it: nothing is drawn in this room. Called from several threads.
using ReportMaker = std::function<std::string(const CaseMaterial&)>;

/// What all cases of a run share.
struct RunContext {
  const Cohort& cohort;
  const CohortRequest& request;
  const RunFolder& folder;
  const Json& identity;
  bool retry = false;               ///< failures that will not go away by themselves, too
  std::function<bool()> stop = {};  ///< as raters::Hooks has it
  ReportMaker report = {};          ///< none: no page
};

/// What became of a case: it was as it should be, is now, or has failed.
struct CaseOutcome {
  enum class Kind { kept, made, failed };
  Kind kind = Kind::kept;
  std::optional<CaseFailure> failure = {};
};

/// Does one case, on one thread, unless it is done. `work` is a folder of its own; `memory` the bytes that it
/// may take, 0 for the usual. Throws DiskError, and Cancelled; all else is a failure of the case and is
/// written down.
CaseOutcome do_case(const RunContext& run, const CohortCase& one, const std::filesystem::path& work,
                    std::int64_t memory);

}  // namespace crema::cohort
