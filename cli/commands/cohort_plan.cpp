// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include "cli/commands/cohort_commands.h"
#include "cli/commands/cohort_request.h"
#include "cli/shell/exit.h"
#include "cli/shell/output.h"
#include "cli/text/summary.h"
#include "cohort/plan.h"

namespace crema::cli {
namespace {

constexpr std::string_view kDescription =
    "Prepares a run whose cases are done in shards, by several processes or machines that see the same disk: "
    "the folder gets the settings, the list of cases and, in plan/, a manifest for each shard. Shards are "
    "about equally large. Then 'crema cohort run --shard I -o RUN' does one of them, in any order and "
    "several "
    "at once, and 'crema cohort merge RUN' gathers the results; 'crema cohort submit' lets Slurm do both.";

struct PlanRequest {
  CohortOptions options;
  int shards = 0;
};

int run_plan(PlanRequest& request, Session& session) {
  CohortOptions& options = request.options;
  session.quiet = options.quiet;
  if (options.request.methods.empty()) options.request.methods = {&methods().front()};
  append(session.warnings, check(options.request.settings, options.request.methods));
  const cohort::ReadyRun ready =
      cohort::prepare_run(options.where(), options.request, options.folder(), options.force);
  append(session.warnings, ready.cohort.warnings);
  const auto shards = cohort::balance(ready.cohort, cohort::sizes_of(ready.cohort), request.shards);
  cohort::make_run_folder(ready.folder);
  const cohort::RunLock lock(ready.folder, std::nullopt);
  cohort::write_run(ready, lock.work(),
                    [&](files::StagedSet& staged) { cohort::put_shards(ready.folder, shards, staged); });
  cohort::remove_shards(ready.folder, static_cast<int>(shards.size()) + 1);
  if (options.quiet) return kOk;
  print(cohort_text(ready.cohort) +
        line("shards", fmt::format("{}, of {} to {} cases", shards.size(), shards.back().size(),
                                   shards.front().size())) +
        fmt::format("Next, for each shard, and once at the end:\n  crema cohort run --shard 1 -o {0}\n"
                    "  crema cohort merge {0}\n",
                    files::printable(options.folder())));
  return kOk;
}

Run declare(CLI::App& app) {
  auto request = std::make_shared<PlanRequest>();
  take_data(app, request->options).required();
  take_cohort_request(app, request->options);
  take_run_output(app, request->options);
  take_whole(app, {"--shards", "N", "How many shards.", "Cluster"}, request->shards, {1, 99999}).required();
  take_quiet(app, request->options);
  return [request](Session& session) { return run_plan(*request, session); };
}

}  // namespace

Command cohort_plan_command() {
  return {"cohort plan",
          "Split a cohort into shards for a cluster",
          {{"for an array of 50 tasks", "crema cohort plan data -o results --shards 50"},
           {"then, for each of them", "crema cohort run --shard 1 -o results"}},
          kDescription,
          declare};
}

}  // namespace crema::cli
