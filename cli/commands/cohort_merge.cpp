// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "cli/commands/cohort_commands.h"
#include "cli/commands/cohort_request.h"
#include "cli/shell/output.h"
#include "report/cohort_page.h"

namespace crema::cli {
namespace {

constexpr std::string_view kDescription =
    "Gathers the results of all cases of a run in cases.csv, methods.csv, raters.csv, components.csv, "
    "rater_pairs.csv, method_pairs.csv, failures.csv and times.csv: UTF-8, RFC 4180, one row for each thing "
    "that is told of. cohort.html shows them: one file that opens in any browser, without a network; a "
    "case's "
    "name leads to its report.html where that lies in its folder. 'crema cohort run' does it at its end, "
    "unless it does one shard only. Exit code 5 says "
    "that cases have failed or are still to be done.";

int run_merge(const CohortOptions& options, Session& session) {
  session.quiet = options.quiet;
  const cohort::ReadyRun ready = cohort::open_run(options.folder());
  const cohort::RunLock lock(ready.folder, std::nullopt);
  const cohort::MergeReport report = cohort::merge(ready, lock.work(), report::make_cohort_page);
  if (!options.quiet) print(merge_text(report, ready.folder));
  return exit_code(report);
}

Run declare(CLI::App& app) {
  auto options = std::make_shared<CohortOptions>();
  take_run(app, *options);
  take_quiet(app, *options);
  return [options](Session& session) { return run_merge(*options, session); };
}

}  // namespace

Command cohort_merge_command() {
  return {"cohort merge",
          "Gather the results of a run in tables",
          {{"after all shards are done", "crema cohort merge results"}},
          kDescription,
          declare};
}

}  // namespace crema::cli
