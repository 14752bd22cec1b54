// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "cli/commands/cohort/commands.h"
#include "cli/commands/cohort/run.h"
#include "cli/shell/output.h"

namespace crema::cli {
namespace {

constexpr std::string_view kCohortMergeDescription =
    "Gathers the results of all cases of a run in cases.csv, methods.csv, raters.csv, components.csv, "
    "component_raters.csv, rater_pairs.csv, method_pairs.csv, failures.csv and times.csv: UTF-8, RFC 4180, "
    "one row per item. "
    "cohort.html shows them: one file that opens in any browser, without a network; the name of a case links "
    "to its report.html, if there is one. 'crema cohort run' merges at its end, unless it runs a single "
    "shard.\n\n"
    "Shards bring their own tables, in parts/, which are joined row by row; only tables that are missing, "
    "damaged or of other settings are rebuilt from the results. Exit code 5 means that cases have failed or "
    "are still to be done.";

}  // namespace

int merge_cohort(const MergeRequest& request, Session& session) {
  const CohortOptions& options = request.options;
  session.quiet = options.quiet;
  cohort::ReadyRun ready = cohort::open_settings(options.folder());
  const cohort::RunLock lock(ready.folder, std::nullopt, request.waiting.lock(ready.folder));
  PageWriter page;
  const cohort::MergeOptions wanted{page.maker(), request.tables, request.verify};
  const std::optional<cohort::PlanRecord> plan = cohort::read_plan(ready.folder);
  const cohort::MergeReport report =
      plan ? cohort::merge_parts(std::move(ready), *plan, lock.work(), wanted)
           : cohort::merge(cohort::open_run(options.folder()), lock.work(), wanted);
  page.add_statistics({options.folder()}, lock.work(), request.statistics, session);
  if (!options.quiet) print_lines(merge_text(report, {options.folder()}));
  return exit_code(report);
}

namespace {

Run declare_cohort_merge(Parser& app) {
  auto request = std::make_shared<MergeRequest>();
  add_run_option(app, request->options);
  take_tables(app, request->tables);
  add_statistics_options(app, request->statistics);
  add_flag(app,
           {"--verify", "",
            "Read the results of all cases again instead of trusting the tables of the shards.", "Output"},
           request->verify);
  take_wait(app, request->waiting);
  add_quiet_option(app, request->options);
  return [request](Session& session) { return merge_cohort(*request, session); };
}

}  // namespace

Command cohort_merge_command() {
  return {"cohort merge",
          "Gather the results of a run in tables",
          {{"after all shards are done", "crema cohort merge results"},
           {"every table, however many cases there are", "crema cohort merge results --tables full"}},
          kCohortMergeDescription,
          declare_cohort_merge};
}

}  // namespace crema::cli
