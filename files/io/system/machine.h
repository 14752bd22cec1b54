// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

namespace crema::files {

/// Where it is written how much memory a process may take.
struct MemorySources {
  std::int64_t machine = 0;                                ///< all of it, in bytes
  std::filesystem::path own_groups = "/proc/self/cgroup";  ///< the control groups that the process is in
  std::filesystem::path all_groups = "/sys/fs/cgroup";     ///< where their limits lie
  std::function<const char*(const char* name)> environment = {};  ///< null for what is not set
};

/// The least of what the machine has, what a control group (v1 or v2) or one around it allows, and what Slurm
/// gave to the job; in bytes.
std::int64_t machine_memory(const MemorySources& sources);

/// The same of this process.
std::int64_t machine_memory();

}  // namespace crema::files
