// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cohort/overview.h"
#include "cohort/run.h"

namespace crema::cohort {

/// The mean over cases of what a method is asked about first.
struct MethodSummary {
  std::string method;
  std::string label = {};  ///< empty where there is one
  std::int64_t cases = 0;
  double kept = 0, volume = 0, lmsd = 0;  ///< means over cases
  double against_majority = 0;            ///< in percent, over cases where that is defined
  std::int64_t defined = 0;               ///< so many
  double dice = 0;                        ///< over raters and cases
  std::int64_t overlaps = 0;              ///< so many
};

struct NamedFailure {
  std::string name;
  CaseFailure failure;
};

struct MergeReport {
  std::size_t done = 0, failed = 0, missing = 0;
  std::vector<MethodSummary> methods;
  std::vector<NamedFailure> failures;  ///< the first of them
  bool page = false;                   ///< whether there is one

  static constexpr std::size_t kListed = 20;
};

/// The text of the page that shows a cohort. Whoever merges brings it: nothing is drawn in this room.
using PageMaker = std::function<std::string(const Overview&)>;

/// Gathers the results of a run in tables beside its cases: cases.csv, methods.csv, raters.csv,
/// components.csv, rater_pairs.csv, method_pairs.csv, failures.csv and, apart because they differ from run to
/// run, times.csv; joint.csv where several labels are fused; and cohort.html where there is somebody to make
/// it, for one mask per rater. They appear together. Holds a few hundred results at a time, and of each case
/// a few numbers.
MergeReport merge(const ReadyRun& ready, const std::filesystem::path& work, const PageMaker& page = {});

/// So many cases are done, have failed, or are still to be done.
struct Standing {
  std::size_t done = 0, failed = 0, missing = 0;
};

/// Looks at which files are there; what is in them is not read.
Standing standing_of(const ReadyRun& ready);

}  // namespace crema::cohort
