// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/cohort/run.h"

#include <algorithm>
#include <cmath>
#include <memory>

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include <fmt/format.h>

#include "cli/commands/cohort/commands.h"
#include "cli/commands/cohort/report.h"
#include "cli/commands/cohort/shared.h"
#include "cli/shell/exit.h"
#include "cli/shell/output.h"
#include "cli/shell/progress.h"
#include "cli/text/summary.h"
#include "cohort/cluster/scheduler.h"
#include "cohort/merge/part.h"
#include "cohort/pack/pack.h"
#include "cohort/run/prepare.h"
#include "crema/base/error.h"
#include "raters/run/stopwatch.h"

namespace crema::cli {
namespace {

constexpr std::string_view kCohortRunDescription =
    "Fuses every case of a cohort, several at once, and gathers all numbers in tables: cases.csv, "
    "methods.csv, raters.csv, components.csv, component_raters.csv, rater_pairs.csv, method_pairs.csv and "
    "failures.csv, and "
    "times.csv for what differs from run to run; cohort.html shows all of it in any browser, without a "
    "network. Each case gets a folder with its images, result.json and, with --report, a page.\n\n"
    "Cases that cannot be fused are reported at the end, with exit code 5; the others are done. After any "
    "interruption, the same command continues where it stopped: it runs only cases that are missing, whose "
    "files have changed, or that failed for lack of memory, because of the disk or because files were "
    "missing; a failure never replaces an existing result. Other data or settings in the same folder need "
    "--force. --slice-wise without an axis takes the axis of the largest spacing, which must be the same in "
    "all cases. In --like and --roi, {case} stands for the name of the case, such as --like 'series/{case}'. "
    "docs/cohort.md explains layouts, tables and clusters.";

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

/// What one case frees the next takes: given back to the system, its pages would have to be cleared anew.
void keep_freed_memory() {
#ifdef M_TRIM_THRESHOLD
  constexpr int kKept = 64 << 20;
  mallopt(M_TRIM_THRESHOLD, kKept);
#endif
}

cohort::RunReport run_all(const RunRequest& request, const cohort::ReadyRun& ready,
                          const cohort::RunLock& lock, int shard) {
  const raters::Stopwatch watch;
  keep_freed_memory();
  if (ready.request.reports) write_engine(ready.folder, lock.work());
  Progress progress(request.options.quiet ? Show::never : Show::on_terminal);
  return cohort::run_cases(ready, lock.work(),
                           {.threads = request.options.request.settings.options.threads,
                            .retry = request.retry,
                            .shard = shard,
                            .verify = request.verify,
                            .report = case_report,
                            .thumbnail = case_thumbnail,
                            .progress = [&](const cohort::RunProgress& at) {
                              progress.update(eta(at, watch.seconds()), at.share);
                            }});
}

std::string speed(std::size_t cases, double seconds) {
  return line("time", fmt::format("{:.2f} s, {:.1f} cases per second", seconds,
                                  static_cast<double>(cases) / seconds));
}

std::string reported(const cohort::RunReport& report) {
  return line("this run",
              fmt::format("{} made, {} already there, {} failed", report.made, report.kept, report.failed));
}

/// What a task does: one shard, or several that follow each other.
std::vector<int> shards_of(const RunRequest& request) {
  if (request.shard != "auto" && request.per_task > 0) throw UsageError("--per-task requires --shard auto.");
  const int task = request.shard == "auto" ? cohort::task_number() : std::stoi(request.shard);
  const int each = std::max(1, request.per_task);
  if (each == 1) return {task};
  const auto planned = std::ssize(cohort::planned({request.options.folder()}).shards);
  std::vector<int> shards{(task - 1) * each + 1};  // which is refused where the plan has none
  while (std::ssize(shards) < each && shards.back() < planned) shards.push_back(shards.back() + 1);
  return shards;
}

int run_shard(const RunRequest& request, int shard, Session& session) {
  const raters::Stopwatch watch;
  const CohortOptions& options = request.options;
  cohort::ReadyRun ready = cohort::open_shard(options.folder(), shard);
  for (const Setting* given : options.request.settings.given)
    if (given->group != "Limits")
      throw UsageError(
          fmt::format("{}: belongs to the plan; give it to crema cohort plan.", given->marked()));
  if (options.request.missing != cohort::Missing::skip)
    throw UsageError("--missing: belongs to the plan; give it to crema cohort plan.");
  ready.request.settings.max_memory = options.request.settings.max_memory;
  const cohort::RunLock lock(ready.folder, shard, request.waiting.lock(ready.folder));
  cohort::unpack_shard(ready.folder, shard);
  cohort::PartUpdate part(ready, shard, lock.work());
  const cohort::RunReport report = run_all(request, ready, lock, shard);
  part.finish(report.made, report.failed);
  if (const auto plan = cohort::read_plan(ready.folder); plan && plan->pack)
    cohort::pack_shard(ready, shard, lock.work());
  session.quiet = options.quiet;
  if (!options.quiet)
    print_lines(line("shard", std::to_string(shard)) + reported(report) +
                speed(ready.cohort.cases.size(), watch.seconds()) +
                failures_text(report.failures, report.failed, "in failure.json of each case"));
  return report.failed > 0 ? kPartly : kOk;
}

int run_task(const RunRequest& request, Session& session) {
  if (!request.options.data.empty() || !request.options.request.methods.empty())
    throw UsageError("--shard: cases and methods come from the plan; give -o RUN alone.");
  if (request.tables != cohort::TableChoice::automatic)
    throw UsageError("--tables: a shard always writes all tables; give it to crema cohort merge.");
  if (request.statistics.wanted())
    throw UsageError("--raters-persist, --panel: a shard makes no page; give them to crema cohort merge.");
  int code = kOk;
  for (const int shard : shards_of(request)) code = std::max(code, run_shard(request, shard, session));
  return code;
}

/// The cases of some participants. Throws UsageError for one that the data do not hold.
cohort::ReadyRun chosen_of(const cohort::ReadyRun& ready, const std::vector<std::string>& participants) {
  cohort::ReadyRun chosen = ready;
  std::vector<cohort::CohortCase>& cases = chosen.cohort.cases;
  const auto is_of = [](const cohort::CohortCase& one, const std::string& participant) {
    return one.name == participant || one.name.starts_with(participant + "_");
  };
  for (const std::string& participant : participants)
    if (std::none_of(cases.begin(), cases.end(), [&](const auto& one) { return is_of(one, participant); }))
      throw UsageError(
          fmt::format("--participant-label: {} has no masks of raters in {}; 'crema cohort list' "
                      "shows what is found.",
                      files::printable(participant), files::printable(ready.cohort.root)));
  std::erase_if(cases, [&](const cohort::CohortCase& one) {
    return std::none_of(participants.begin(), participants.end(),
                        [&](const std::string& participant) { return is_of(one, participant); });
  });
  return chosen;
}

}  // namespace

void take_rerun(Parser& app, RunRequest& request) {
  add_flag(app, {"--retry", "", "Also retry cases whose failure is permanent.", "Output"}, request.retry);
  add_flag(app,
           {"--verify", "",
            "Compare the checksums of all files again; otherwise a file with the same size and time counts "
            "as unchanged.",
            "Output"},
           request.verify);
  add_quiet_option(app, request.options);
}

RunResult fuse_cohort(RunRequest& request, Session& session, PageWriter* page) {
  CohortOptions& options = request.options;
  if (options.request.methods.empty()) options.request.methods = {&methods().front()};
  append(session.warnings, keep_applicable(options.request.methods, options.request.settings));
  append(session.warnings, check(options.request.settings, options.request.methods));
  const cohort::ReadyRun ready =
      cohort::prepare_run(options.where(), options.request, options.folder(), options.force);
  append(session.warnings, ready.cohort.warnings);
  session.quiet = options.quiet;
  if (!options.quiet) say_lines(cohort_text(ready.cohort));
  cohort::make_run_folder(ready.folder);
  const cohort::RunLock lock(ready.folder, std::nullopt, request.waiting.lock(ready.folder));
  cohort::write_run(ready, lock.work());
  const bool some = !request.participants.empty();
  RunResult result{ready.folder, ready.cohort.cases.size(), {}, {}};
  result.report = run_all(request, some ? chosen_of(ready, request.participants) : ready, lock, 0);
  result.merged = cohort::merge(ready, lock.work(),
                                {page != nullptr ? page->maker() : cohort::PageMaker(), request.tables});
  if (page != nullptr) page->add_statistics(ready.folder, lock.work(), request.statistics, session);
  return result;
}

int run_cohort(RunRequest& request, Session& session) {
  const raters::Stopwatch watch;
  if (request.per_task > 0) throw UsageError("--per-task requires --shard auto.");
  PageWriter page;
  const RunResult result = fuse_cohort(request, session, &page);
  if (!request.options.quiet)
    print_lines(merge_text(result.merged, result.folder) + reported(result.report) +
                speed(result.cases, watch.seconds()));
  if (!request.participants.empty()) return result.report.failed > 0 ? kPartly : kOk;
  return exit_code(result.merged);
}

namespace {

Run declare_cohort_run(Parser& app) {
  auto request = std::make_shared<RunRequest>();
  add_data_option(app, request->options);
  take_cohort_request(app, request->options);
  take_run_output(app, request->options);
  take(app,
       {"--shard", "I",
        "Run shard I of a run planned by 'crema cohort plan', without merging; auto takes the array task "
        "number of Slurm, Grid Engine, PBS, LSF, AWS Batch or Kubernetes.",
        "Cluster"},
       [request](const std::string& text) {
         if (text != "auto") parse_whole(text, {1, 99999});
         request->shard = text;
       });
  add_number_option(
      app,
      {"--per-task", "N",
       "With --shard auto: task 1 runs shards 1 to N, task 2 the next N, and so on (default: 1).", "Cluster"},
      request->per_task, {1, 99999});
  take_tables(app, request->tables);
  add_statistics_options(app, request->statistics);
  take_wait(app, request->waiting);
  take_rerun(app, *request);
  return [request](Session& session) {
    if (!request->shard.empty()) return run_task(*request, session);
    if (request->options.data.empty()) throw UsageError("DATA is missing. See crema cohort run --help.");
    return run_cohort(*request, session);
  };
}

}  // namespace

Command cohort_run_command() {
  return {"cohort run",
          "Fuse all cases of a cohort and gather their tables",
          {{"a folder of cases", "crema cohort run data -o results"},
           {"a manifest, all methods of the paper", "crema cohort run cases.tsv -o results --methods paper"},
           {"one shard of a plan", "crema cohort run --shard 3 -o results"},
           {"in an array of any scheduler", "crema cohort run --shard auto -o results"}},
          kCohortRunDescription,
          declare_cohort_run};
}

}  // namespace crema::cli
