// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace crema::cohort {

/// A variable of the environment; null where it is not set.
using Environment = std::function<const char*(const char* name)>;
const char* process_environment(const char* name);

/// Which task of an array this process is, counted from 1, as the scheduler says: Slurm, Grid Engine, PBS,
/// LSF, AWS Batch or Kubernetes. Throws UsageError where none says so, where one says something else than a
/// number, and where two contradict each other.
int task_number(const Environment& environment = process_environment);

/// Whether a scheduler has started this process, so that somebody else decides how long it may wait.
bool under_scheduler(const Environment& environment = process_environment);

}  // namespace crema::cohort
