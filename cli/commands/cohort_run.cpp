// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "cli/commands/cohort_commands.h"
#include "cli/commands/cohort_report.h"
#include "cli/commands/cohort_request.h"
#include "cli/shell/exit.h"
#include "cli/shell/output.h"
#include "cli/shell/progress.h"
#include "cli/text/summary.h"
#include "crema/error.h"
#include "raters/stopwatch.h"
#include "report/cohort_page.h"

namespace crema::cli {
namespace {

constexpr std::string_view kDescription =
    "Fuses every case of a cohort, several at once, and gathers all numbers in tables: cases.csv, "
    "methods.csv, raters.csv, components.csv, rater_pairs.csv, method_pairs.csv and failures.csv, and "
    "times.csv for what differs from run to run; cohort.html shows all of it, in any browser and without a "
    "network. Each case gets a folder with its images, result.json and, with --report, a page of its own.\n\n"
    "A case that cannot be fused is told at the end, with exit code 5; the others are done. Whatever ends a "
    "run, the same command goes on where it stopped: only cases that are missing, whose files have changed, "
    "or that failed for lack of memory or for the disk, are done. docs/cohort.md tells about layouts, tables "
    "and clusters.";

struct RunRequest {
  CohortOptions options;
  int shard = 0;  ///< 0: all
  bool retry = false;
};

/// "2 min 5 s"
std::string duration(double seconds) {
  const auto whole = std::int64_t{std::llround(seconds)};
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string eta(const cohort::RunProgress& progress, double seconds) {
  std::string text = fmt::format("{} of {} cases", progress.done, progress.all);
  if (progress.failed > 0) text += fmt::format(", {} failed", progress.failed);
  if (progress.share > 0) text += fmt::format(", {} left", duration(seconds / progress.share - seconds));
  return text;
}

cohort::RunReport run_all(const RunRequest& request, const cohort::ReadyRun& ready,
                          const cohort::RunLock& lock) {
  const raters::Stopwatch watch;
  Progress progress(request.options.quiet ? Show::never : Show::on_terminal);
  return cohort::run_cases(ready, lock.work(),
                           {.threads = request.options.request.settings.options.threads,
                            .retry = request.retry,
                            .report = case_report,
                            .progress = [&](const cohort::RunProgress& at) {
                              progress.update(eta(at, watch.seconds()), at.share);
                            }});
}

std::string speed(std::size_t cases, double seconds) {
  return line("time", fmt::format("{:.2f} s, {:.1f} cases per second", seconds,
                                  static_cast<double>(cases) / seconds));
}

std::string told(const cohort::RunReport& report) {
  return line("this run",
              fmt::format("{} made, {} already there, {} failed", report.made, report.kept, report.failed));
}

int run_shard(const RunRequest& request, Session& session) {
  const raters::Stopwatch watch;
  const CohortOptions& options = request.options;
  if (!options.data.empty() || !options.request.methods.empty())
    throw UsageError("--shard: cases and methods come from the plan; give -o RUN alone.");
  cohort::ReadyRun ready = cohort::open_shard(options.folder(), request.shard);
  for (const Setting* given : options.request.settings.given)
    if (given->group != "Limits")
      throw UsageError(
          fmt::format("{}: the plan has the settings; give it to crema cohort plan.", given->marked()));
  ready.request.settings.max_memory = options.request.settings.max_memory;
  const cohort::RunLock lock(ready.folder, request.shard);
  const cohort::RunReport report = run_all(request, ready, lock);
  session.quiet = options.quiet;
  if (!options.quiet) print(told(report) + speed(ready.cohort.cases.size(), watch.seconds()));
  return report.failed > 0 ? kPartly : kOk;
}

int run_whole(RunRequest& request, Session& session) {
  const raters::Stopwatch watch;
  CohortOptions& options = request.options;
  if (options.data.empty()) throw UsageError("DATA is missing. See crema cohort run --help.");
  if (options.request.methods.empty()) options.request.methods = {&methods().front()};
  options.request.settings.offers_labels = true;
  append(session.warnings, check(options.request.settings, options.request.methods));
  const cohort::ReadyRun ready =
      cohort::prepare_run(options.where(), options.request, options.folder(), options.force);
  append(session.warnings, ready.cohort.warnings);
  session.quiet = options.quiet;
  if (!options.quiet) say(cohort_text(ready.cohort));
  cohort::make_run_folder(ready.folder);
  const cohort::RunLock lock(ready.folder, std::nullopt);
  cohort::write_run(ready, lock.work());
  const cohort::RunReport report = run_all(request, ready, lock);
  const cohort::MergeReport merged = cohort::merge(ready, lock.work(), report::make_cohort_page);
  if (!options.quiet)
    print(merge_text(merged, ready.folder) + told(report) +
          speed(ready.cohort.cases.size(), watch.seconds()));
  return exit_code(merged);
}

Run declare(CLI::App& app) {
  auto request = std::make_shared<RunRequest>();
  take_data(app, request->options);
  take_cohort_request(app, request->options);
  take_run_output(app, request->options);
  take_whole(
      app,
      {"--shard", "I", "Do shard I of a run that 'crema cohort plan' made, and do not merge.", "Cluster"},
      request->shard, {1, 99999});
  take_flag(app, {"--retry", "", "Try cases again that failed for a reason that stays.", "Output"},
            request->retry);
  take_quiet(app, request->options);
  return [request](Session& session) {
    return request->shard > 0 ? run_shard(*request, session) : run_whole(*request, session);
  };
}

}  // namespace

Command cohort_run_command() {
  return {"cohort run",
          "Fuse all cases of a cohort and gather their tables",
          {{"a folder of cases", "crema cohort run data -o results"},
           {"a manifest, all methods of the paper", "crema cohort run cases.tsv -o results --methods paper"},
           {"one shard of a plan, on a cluster", "crema cohort run --shard 3 -o results"}},
          kDescription,
          declare};
}

}  // namespace crema::cli
