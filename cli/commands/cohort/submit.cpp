// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cstdlib>
#include <memory>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands/cohort/commands.h"
#include "cli/commands/cohort/request.h"
#include "cli/shell/exit.h"
#include "cli/shell/output.h"
#include "cli/text/summary.h"
#include "cohort/cluster/sbatch_options.h"
#include "cohort/cluster/shell_words.h"
#include "cohort/cluster/slurm.h"
#include "cohort/cluster/unfinished.h"
#include "crema/base/error.h"
#include "crema/base/text.h"

namespace crema::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCohortSubmitDescription =
    "Submits a planned run to Slurm: an array of tasks for the unfinished shards, followed by a job that "
    "merges. If the cluster allows fewer tasks than shards, a task runs several. A task is queued again when "
    "its node is lost, and requeues itself a minute before its time limit; it continues where it stopped. "
    "Both scripts stay in the folder of the run, as submit-run.sh and submit-merge.sh; their output goes to "
    "its logs/. All nodes must see the program, the data and the run under the same paths.\n\n"
    "Time and memory are estimated by the plan, with a reserve, unless --sbatch sets them. Jobs of a run "
    "share one name and run one after another (singleton), so submitting twice does no work twice. --sbatch "
    "applies to the tasks; its account, partition, QOS, reservation and cluster also apply to the merge.";

struct SubmitRequest {
  CohortOptions options;
  std::string program, command, more, more_merge;
  int max_running = 0;
  bool dry = false, all = false;
};

bool is_program(const fs::path& path) {
  std::error_code failed;
  return fs::is_regular_file(path, failed) && ::access(path.c_str(), X_OK) == 0;
}

/// As execvp would look for it.
bool is_in_path(const std::string& name) {
  const char* path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): nobody sets variables here
  for (const std::string& folder : split(path == nullptr ? "" : path, ':'))
    if (is_program(fs::path(folder.empty() ? "." : folder) / name)) return true;
  return false;
}

/// Where a name has a slash, it is a file; the nodes get its whole path.
std::string found_program(const std::string& named, std::string_view option) {
  const bool is_path = option == "--program" || named.find('/') != std::string::npos;
  const fs::path path = fs::absolute(named).lexically_normal();
  if (is_path ? !is_program(path) : !is_in_path(named))
    throw UsageError(fmt::format(
        "{}: {} is {}; name an existing one{}.", option, shell_quote(named),
        is_path ? "not a file that can be run" : "not found in PATH",
        named.find(' ') == std::string::npos ? "" : ", or give a command of several words with --command"));
  return is_path ? path.string() : named;
}

std::vector<std::string> command_of(const SubmitRequest& request) {
  if (!request.command.empty()) {
    std::vector<std::string> words = cohort::shell_words(request.command);
    if (words.empty())
      throw UsageError("--command: has no words; give such as 'apptainer exec image.sif crema'.");
    words.front() = found_program(words.front(), "--command");
    return words;
  }
  if (!request.program.empty()) return {found_program(request.program, "--program")};
  std::error_code failed;
  const fs::path own = fs::read_symlink("/proc/self/exe", failed);
  return {failed ? std::string("crema") : own.string()};
}

int threads_of(const std::vector<std::string>& options) {
  const std::string text = cohort::option_in(options, {"--cpus-per-task", 'c'}).value_or("1");
  int threads = 1;
  std::from_chars(text.data(), text.data() + text.size(), threads);
  return std::max(1, threads);
}

cohort::SlurmJob job_of(const SubmitRequest& request) {
  cohort::SlurmJob job;
  job.command = command_of(request);
  job.folder = fs::absolute(request.options.folder()).lexically_normal();
  cohort::RunFolder folder{job.folder};
  const cohort::RunRecord record = cohort::read_run(folder);
  folder.fan_out = record.fan_out;
  const cohort::PlanRecord plan = cohort::planned(folder);
  const int shards = static_cast<int>(plan.shards.size());
  for (int s = 1; s <= shards; ++s) cohort::check_shard(folder, plan, s);
  job.options = cohort::shell_words(request.more);
  job.merge_options = cohort::shell_words(request.more_merge);
  check_options(job);
  const cohort::ClusterFacts facts = cohort::cluster_facts();
  job.per_task = (shards + facts.max_tasks - 1) / facts.max_tasks;
  std::vector<int> todo = request.all ? std::vector<int>() : cohort::unfinished_shards(folder, plan);
  for (int s = 1; request.all && s <= shards; ++s) todo.push_back(s);
  job.tasks = cohort::tasks_of(todo, job.per_task);
  job.max_running = request.max_running;
  if (const std::optional<cohort::PlanSizes> sizes = cohort::read_sizes(folder))
    job.needs = cohort::needs_of(*sizes, cohort::request_from(record.identity), job.per_task,
                                 threads_of(job.options));
  if (!facts.counts_memory) job.needs.megabytes = 0;
  return job;
}

/// "# sbatch ..." above a script that it hands over.
std::string typed(const std::vector<std::string>& words) {
  std::string text = "#";
  for (const std::string& word : words) text += " " + shell_quote(word);
  return text + "\n";
}

std::string submitted_text(const cohort::SlurmJob& job, const cohort::Submitted& submitted) {
  std::string text;
  if (job.tasks.empty())
    text += line("array", "none: all shards are finished");
  else
    text +=
        line("array", fmt::format("job {}, {}{}", submitted.array, counted(std::ssize(job.tasks), "task"),
                                  job.per_task > 1 ? fmt::format(" of up to {} shards", job.per_task) : ""));
  return text + line("merge", fmt::format("job {}, when the array has ended", submitted.merge)) +
         line("logs", files::printable(job.folder / "logs"));
}

void warn_of_queued(const cohort::SlurmJob& job, Session& session) {
  const std::vector<std::string> queued = cohort::queued_jobs(job);
  if (queued.empty()) return;
  session.warnings.push_back(
      {fmt::format("jobs of this run are already in the queue ({}); the new ones start when those have "
                   "ended. Cancel superfluous ones with scancel.",
                   fmt::join(std::span(queued).first(std::min<std::size_t>(queued.size(), 5)), ", ")),
       WarningKind::other});
}

int run_submit(const SubmitRequest& request, Session& session) {
  const cohort::SlurmJob job = job_of(request);
  const fs::path array = job.folder / "submit-run.sh", merge = job.folder / "submit-merge.sh";
  std::string shown;
  if (!job.tasks.empty()) shown = typed(cohort::array_command(job, array)) + cohort::array_script(job) + "\n";
  shown +=
      typed(cohort::merge_command(job, merge, job.tasks.empty() ? "" : "ARRAY")) + cohort::merge_script(job);
  if (request.dry) {
    print(shown);
    return kOk;
  }
  cohort::check_links({job.folder});
  warn_of_queued(job, session);
  std::error_code ignored;
  fs::create_directories(job.folder / "logs", ignored);
  files::write_text(array, cohort::array_script(job), {.overwrite = true});
  files::write_text(merge, cohort::merge_script(job), {.overwrite = true});
  print_lines(submitted_text(job, cohort::submit(job, array, merge)));
  return kOk;
}

void take_submit_options(Parser& app, SubmitRequest& request) {
  const OptionRef program = add_text_option(
      app,
      {"--program", "FILE",
       "Path of the program on the nodes, or a script that sets up its environment (default: this program).",
       "Cluster"},
      request.program);
  add_text_option(
      app,
      {"--command", "WORDS",
       "The program as a command of several words, split as a shell does, such as 'apptainer exec image.sif "
       "crema'.",
       "Cluster"},
      request.command)
      .excludes(program);
  add_text_option(
      app,
      {"--sbatch", "OPTIONS",
       "Further options of sbatch for the tasks, split as a shell does, such as '--partition=long "
       "--mem=4G'.",
       "Cluster"},
      request.more);
  add_text_option(app,
                  {"--sbatch-merge", "OPTIONS",
                   "Further options of sbatch for the merge, such as '--time=2:00:00'.", "Cluster"},
                  request.more_merge);
  add_number_option(
      app,
      {"--max-running", "N", "Run at most N tasks at once (default: as many as Slurm allows).", "Cluster"},
      request.max_running, {1, 99999});
  add_flag(app, {"--all-shards", "", "Also submit finished shards, to find changed files.", "Cluster"},
           request.all);
  add_flag(app, {"--dry-run", "", "Print the jobs without submitting them.", "Cluster"}, request.dry);
}

Run declare_cohort_submit(Parser& app) {
  auto request = std::make_shared<SubmitRequest>();
  add_run_option(app, request->options);
  add_choice_option(app, {"--engine", "slurm", "The scheduler (default: slurm).", "Cluster"},
                    [](const std::string&) {});
  take_submit_options(app, *request);
  return [request](Session& session) { return run_submit(*request, session); };
}

}  // namespace

Command cohort_submit_command() {
  return {"cohort submit",
          "Submit a planned run to Slurm",
          {{"all shards, then the merge", "crema cohort submit results --engine slurm"},
           {"on one partition, 20 tasks at once",
            "crema cohort submit results --sbatch '--partition=long --time=2:00:00' --max-running 20"},
           {"in a container", "crema cohort submit results --command 'apptainer exec crema.sif crema'"}},
          kCohortSubmitDescription,
          declare_cohort_submit};
}

}  // namespace crema::cli
