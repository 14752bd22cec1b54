// SPDX-License-Identifier: Apache-2.0
#include "cohort/cluster/scheduler.h"

#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/text.h"

namespace crema::cohort {
namespace {

/// Variables that give a task its number.
struct TaskVariable {
  const char* name;
  int first;              ///< the number of the first task
  std::string_view none;  ///< what it holds where there is no array
};

constexpr std::array<TaskVariable, 7> kTaskVariables{{{"SLURM_ARRAY_TASK_ID", 1, ""},
                                                      {"SGE_TASK_ID", 1, "undefined"},
                                                      {"PBS_ARRAY_INDEX", 1, ""},
                                                      {"PBS_ARRAYID", 1, ""},
                                                      {"LSB_JOBINDEX", 1, "0"},
                                                      {"AWS_BATCH_JOB_ARRAY_INDEX", 0, ""},
                                                      {"JOB_COMPLETION_INDEX", 0, ""}}};

constexpr std::array<const char*, 5> kJobVariables{"SLURM_JOB_ID", "SGE_TASK_ID", "PBS_JOBID", "LSB_JOBID",
                                                   "AWS_BATCH_JOB_ID"};

std::optional<int> number_in(const TaskVariable& variable, const Environment& environment) {
  const char* value = environment(variable.name);
  if (value == nullptr || variable.none == value) return std::nullopt;
  const std::string_view text(value);
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < variable.first || number > 99999)
    throw UsageError(fmt::format("{} is {}, which is not the number of a task; tasks are counted from {}.",
                                 variable.name, shell_quote(text), variable.first));
  return number - variable.first + 1;
}

}  // namespace

const char* process_environment(const char* name) {
  return std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets variables here
}

int task_number(const Environment& environment) {
  const TaskVariable* said = nullptr;
  int task = 0;
  for (const TaskVariable& variable : kTaskVariables) {
    const std::optional<int> number = number_in(variable, environment);
    if (!number) continue;
    if (said != nullptr && task != *number)
      throw UsageError(
          fmt::format("{} says task {} and {} says task {}, both counted from 1; name the shard.", said->name,
                      task, variable.name, *number));
    said = &variable;
    task = *number;
  }
  if (said != nullptr) return task;
  std::string names;
  for (const TaskVariable& variable : kTaskVariables)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", variable.name);
  throw UsageError(
      fmt::format("no scheduler says which task this is: none of {} is set; name the shard.", names));
}

bool under_scheduler(const Environment& environment) {
  for (const TaskVariable& variable : kTaskVariables)
    if (environment(variable.name) != nullptr) return true;
  for (const char* name : kJobVariables)
    if (environment(name) != nullptr) return true;
  return false;
}

}  // namespace crema::cohort
