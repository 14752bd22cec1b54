// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "cohort/merge/overview.h"
#include "cohort/run/run.h"

namespace crema::cohort {

/// Which tables are written for a whole run: all, those with a row for each case and method, or none.
/// `automatic` is all of them up to kManyCases.
enum class TableChoice : std::uint8_t { automatic, full, summary, none };

inline constexpr std::string_view kTableChoices = "full|summary|none";
inline constexpr std::int64_t kManyCases = 10'000;

struct MergeReport {
  std::size_t done = 0, failed = 0, missing = 0;
  std::size_t away = 0;  ///< of those that are done: their files could not be found or read again
  std::vector<MethodSummary> methods;
  SizeUnit unit = SizeUnit::voxels;    ///< of their sizes
  std::vector<NamedFailure> failures;  ///< the first of them
  std::vector<KindGlance> kinds;       ///< of warnings, defects first
  bool page = false;                   ///< whether there is one
  std::vector<std::string> tables;     ///< the files that were written
  TableChoice choice = TableChoice::full;
  bool because_many = false;  ///< whether nobody chose, and there are many cases
  std::size_t parts_kept = 0, parts_made = 0;

  static constexpr std::size_t kListed = 20;
};

/// The text of the page that shows a cohort. Whoever merges brings it: nothing is drawn in this room.
using PageMaker = std::function<std::string(const Overview&)>;

struct MergeOptions {
  PageMaker page = {};
  TableChoice tables = TableChoice::automatic;
  bool verify = false;  ///< rebuild parts of shards from the results of their cases
};

/// Gathers the results of a run in tables beside its cases: cases.csv, methods.csv, raters.csv,
/// components.csv, component_raters.csv, rater_pairs.csv, method_pairs.csv, failures.csv and, apart because
/// they differ from run to run, times.csv; joint.csv where several labels are fused; and cohort.html where
/// there is somebody to make it. They appear together. Holds a few hundred results at a time.
MergeReport merge(const ReadyRun& ready, const std::filesystem::path& work, const MergeOptions& options = {});

/// The same of a run that was planned, from the parts of its shards: what is missing, torn or of other
/// settings is made from the results first. `ready` has no cases. The same bytes, however many shards.
MergeReport merge_parts(ReadyRun ready, const PlanRecord& plan, const std::filesystem::path& work,
                        const MergeOptions& options = {});

/// So many cases are done, have failed, or are still to be done.
struct Standing {
  std::size_t done = 0, failed = 0, missing = 0;
};

/// Looks at which files are there; what is in them is not read. `packed` are cases in an archive.
Standing standing_of(const ReadyRun& ready, const std::set<std::string>& packed = {});

}  // namespace crema::cohort
