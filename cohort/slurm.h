// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace crema::cohort {

/// What Slurm is to be asked for.
struct SlurmJob {
  std::filesystem::path program;  ///< crema, where all nodes find it
  std::filesystem::path folder;   ///< of the run, absolute
  int shards = 1;
  std::vector<std::string> options;  ///< further ones for sbatch, such as --partition=long
};

/// The script of the array, one task for each shard, and the one of the merge behind it.
std::string array_script(const SlurmJob& job);
std::string merge_script(const SlurmJob& job);

/// Hands both to sbatch; returns the numbers of the two jobs. Throws FileError where sbatch is not found or
/// refuses.
struct Submitted {
  std::string array, merge;
};
Submitted submit(const SlurmJob& job, const std::filesystem::path& array_file,
                 const std::filesystem::path& merge_file);

}  // namespace crema::cohort
