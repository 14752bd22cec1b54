// SPDX-License-Identifier: Apache-2.0
#include "cohort/cluster/plan.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "cli/commands/cohort/commands.h"
#include "cli/commands/cohort/request.h"
#include "cli/commands/cohort/shared.h"
#include "cli/shell/exit.h"
#include "cli/shell/output.h"
#include "cli/text/summary.h"
#include "cohort/cluster/sizes.h"
#include "cohort/run/prepare.h"
#include "crema/base/text.h"

namespace crema::cli {
namespace {

constexpr std::string_view kCohortPlanDescription =
    "Prepares a run in shards, by several processes or machines that share a disk: the folder gets the "
    "settings, the list of cases and, in plan/, a manifest for each shard. Shards are about equally large. "
    "Then 'crema cohort run --shard I -o RUN' runs one of them, in any order and several at once, and 'crema "
    "cohort merge RUN' gathers the results; 'crema cohort submit' lets Slurm do both.";

struct PlanRequest {
  CohortOptions options;
  int shards = 0;
  bool pack = false;
};

/// "20 shards of 15 cases", "3 shards of 4 to 6 cases".
std::string shards_text(const std::vector<std::vector<const cohort::CohortCase*>>& shards) {
  std::size_t least = shards.front().size(), most = least;
  for (const auto& shard : shards) {
    least = std::min(least, shard.size());
    most = std::max(most, shard.size());
  }
  const std::string count = counted(std::ssize(shards), "shard");
  if (least == most) return fmt::format("{} of {}", count, counted(static_cast<std::int64_t>(most), "case"));
  return fmt::format("{} of {} to {} cases", count, least, most);
}

int run_plan(PlanRequest& request, Session& session) {
  CohortOptions& options = request.options;
  session.quiet = options.quiet;
  if (options.request.methods.empty()) options.request.methods = {&methods().front()};
  append(session.warnings, keep_applicable(options.request.methods, options.request.settings));
  append(session.warnings, check(options.request.settings, options.request.methods));
  if (request.pack && options.request.reports)
    throw UsageError("--pack: the pages of cases must lie beside cohort.html; leave out --pack or --report.");
  const cohort::ReadyRun ready =
      cohort::prepare_run(options.where(), options.request, options.folder(), options.force);
  append(session.warnings, ready.cohort.warnings);
  if (request.pack && ready.request.bids)
    throw UsageError("--pack: not possible in a BIDS derivative; leave it out.");
  const cohort::CohortSizes sizes = cohort::sizes_of(ready.cohort);
  warn_of_unread(ready.cohort, sizes, session);
  const auto shards = cohort::balance(ready.cohort, sizes.bytes, request.shards);
  cohort::PlanSizes measured = cohort::measure(ready.cohort, sizes.bytes, shards);
  if (ready.request.missing == cohort::Missing::empty) measured.raters = std::ssize(ready.cohort.raters);
  cohort::make_run_folder(ready.folder);
  const cohort::RunLock lock(ready.folder, std::nullopt);
  cohort::write_run(ready, lock.work(), [&](files::StagedSet& staged) {
    cohort::put_shards(ready.folder, {.raters = ready.cohort.raters, .pack = request.pack}, shards, staged);
    staged.put_text(ready.folder.sizes(), cohort::sizes_text(measured));
  });
  cohort::remove_shards(ready.folder, static_cast<int>(shards.size()) + 1);
  if (options.quiet) return kOk;
  print_lines(cohort_text(ready.cohort) + line("shards", shards_text(shards)) +
              fmt::format("Next, for each shard, and once at the end:\n  crema cohort run --shard 1 -o {0}\n"
                          "  crema cohort merge {0}\n",
                          shell_quote(options.folder().string())));
  return kOk;
}

Run declare_cohort_plan(Parser& app) {
  auto request = std::make_shared<PlanRequest>();
  add_data_option(app, request->options).required();
  take_cohort_request(app, request->options);
  take_run_output(app, request->options);
  add_number_option(app, {"--shards", "N", "Number of shards.", "Cluster"}, request->shards, {1, 99999})
      .required();
  add_flag(app,
           {"--pack", "",
            "Pack the files of a finished shard into one archive, such as packs/00001.tar, and remove its "
            "folders; crema cohort get extracts a case.",
            "Cluster"},
           request->pack);
  add_quiet_option(app, request->options);
  return [request](Session& session) { return run_plan(*request, session); };
}

}  // namespace

Command cohort_plan_command() {
  return {"cohort plan",
          "Split a cohort into shards for a cluster",
          {{"for an array of 50 tasks", "crema cohort plan data -o results --shards 50"},
           {"few files, for file systems that count them",
            "crema cohort plan data -o results --shards 50 --pack"},
           {"then, for each of them", "crema cohort run --shard 1 -o results"}},
          kCohortPlanDescription,
          declare_cohort_plan};
}

}  // namespace crema::cli
