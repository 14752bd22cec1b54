// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include "cli/commands/cohort_commands.h"
#include "cli/commands/cohort_request.h"
#include "cli/shell/exit.h"
#include "cli/shell/output.h"
#include "cli/text/summary.h"
#include "cohort/plan.h"
#include "cohort/slurm.h"
#include "crema/error.h"

namespace crema::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDescription =
    "Hands a planned run to Slurm: an array with one task for each shard, requeued when a node is lost, and "
    "behind it a job that merges. Both scripts are kept in the folder of the run, as submit-run.sh and "
    "submit-merge.sh, and what they print goes to its logs/. All nodes must see the program, the data and "
    "the "
    "run under the same paths.\n\n"
    "Submitting again does only what is missing. Whatever sbatch takes can be handed to it with --sbatch.";

struct SubmitRequest {
  CohortOptions options;
  std::string program, more;
  bool dry = false;
};

cohort::SlurmJob job_of(const SubmitRequest& request) {
  cohort::SlurmJob job;
  std::error_code failed;
  job.program = request.program.empty() ? fs::read_symlink("/proc/self/exe", failed)
                                        : fs::absolute(request.program, failed);
  if (failed) job.program = "crema";
  job.folder = fs::absolute(request.options.folder()).lexically_normal();
  cohort::read_run({job.folder});
  job.shards = cohort::shards_of({job.folder});
  if (job.shards == 0)
    throw UsageError(fmt::format("{}: has no shards; make them with crema cohort plan.",
                                 files::printable(request.options.folder())));
  for (const std::string& word : split(request.more, ' '))
    if (!word.empty()) job.options.push_back(word);
  return job;
}

int run_submit(const SubmitRequest& request) {
  const cohort::SlurmJob job = job_of(request);
  if (request.dry) {
    print(cohort::array_script(job) + "\n" + cohort::merge_script(job));
    return kOk;
  }
  const fs::path array = job.folder / "submit-run.sh", merge = job.folder / "submit-merge.sh";
  std::error_code ignored;
  fs::create_directories(job.folder / "logs", ignored);
  files::write_text(array, cohort::array_script(job), {.overwrite = true});
  files::write_text(merge, cohort::merge_script(job), {.overwrite = true});
  const cohort::Submitted submitted = cohort::submit(job, array, merge);
  print(line("array", fmt::format("job {}, {} tasks", submitted.array, job.shards)) +
        line("merge", fmt::format("job {}, when the array has ended", submitted.merge)) +
        line("logs", files::printable(job.folder / "logs")));
  return kOk;
}

Run declare(CLI::App& app) {
  auto request = std::make_shared<SubmitRequest>();
  take_run(app, request->options);
  take_choice(app, {"--engine", "slurm", "Who runs the tasks (default: slurm).", "Cluster"},
              [](const std::string&) {});
  take_text(app,
            {"--program", "FILE",
             "The program as the nodes find it, or a script that sets up what it needs (default: this one).",
             "Cluster"},
            request->program);
  take_text(
      app,
      {"--sbatch", "OPTIONS", "Further options for sbatch, such as '--partition=long --mem=4G'.", "Cluster"},
      request->more);
  take_flag(app, {"--dry-run", "", "Print the two scripts and submit nothing.", "Cluster"}, request->dry);
  return [request](Session&) { return run_submit(*request); };
}

}  // namespace

Command cohort_submit_command() {
  return {"cohort submit",
          "Hand a planned run to Slurm",
          {{"all shards, then the merge", "crema cohort submit results --engine slurm"},
           {"on one partition, with a limit",
            "crema cohort submit results --engine slurm --sbatch '--partition=long --time=2:00:00'"}},
          kDescription,
          declare};
}

}  // namespace crema::cli
