// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cohort/cluster/sizes.h"

namespace crema::cohort {

/// What Slurm gets to do.
struct SlurmJob {
  std::vector<std::string> command;  ///< crema as the nodes find it, such as apptainer exec image.sif crema
  std::filesystem::path folder;      ///< of the run, absolute
  int per_task = 1;                  ///< shards of a task, done one after the other
  std::vector<int> tasks;            ///< those that have something to do, counted from 1, in order
  int max_running = 0;               ///< tasks at once; 0: as many as Slurm likes
  TaskNeeds needs;
  std::vector<std::string> options;  ///< further ones for sbatch and the tasks, such as --partition=long
  std::vector<std::string> merge_options;  ///< further ones for the merge
};

/// Throws UsageError for options that contradict what a job has to be: --array, --job-name.
void check_options(const SlurmJob& job);

/// The same for each run of a user, another one for every other run.
std::string job_name(const SlurmJob& job);

/// The script of the array and the one of the merge behind it. Scripts say what is done; what Slurm has to
/// know stands on the command line of sbatch, where no shell and no parser of directives reads a path. A task
/// that reaches its time limit stops and is queued again. Throws UsageError for paths with control
/// characters.
std::string array_script(const SlurmJob& job);
std::string merge_script(const SlurmJob& job);

/// The words that hand a script to sbatch; `array` is the job that a merge waits for, empty: none.
std::vector<std::string> array_command(const SlurmJob& job, const std::filesystem::path& script);
std::vector<std::string> merge_command(const SlurmJob& job, const std::filesystem::path& script,
                                       const std::string& array);

/// What the cluster says of itself; Slurm's defaults where it does not.
struct ClusterFacts {
  int max_tasks = 1000;       ///< of an array
  bool counts_memory = true;  ///< else jobs that state what they need are refused
};
ClusterFacts cluster_facts();

/// Jobs of this run that wait or run, as squeue lists them.
std::vector<std::string> queued_jobs(const SlurmJob& job);

/// Hands both to sbatch, the merge alone where no task has anything to do; returns the numbers of the jobs.
/// Throws FileError where sbatch is not found or refuses.
struct Submitted {
  std::string array, merge;
};
Submitted submit(const SlurmJob& job, const std::filesystem::path& array_file,
                 const std::filesystem::path& merge_file);

}  // namespace crema::cohort
