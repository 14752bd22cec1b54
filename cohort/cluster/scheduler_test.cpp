// SPDX-License-Identifier: Apache-2.0
#include "cohort/cluster/scheduler.h"

#include <map>

#include <gtest/gtest.h>

#include "crema/base/error.h"

namespace crema::cohort {
namespace {

using Variables = std::map<std::string, std::string>;

Environment with(Variables variables) {
  return [variables = std::move(variables)](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
}

TEST(Scheduler, TasksAreCountedFromOneWhoeverCounts) {
  for (const char* from_one :
       {"SLURM_ARRAY_TASK_ID", "SGE_TASK_ID", "PBS_ARRAY_INDEX", "PBS_ARRAYID", "LSB_JOBINDEX"})
    EXPECT_EQ(task_number(with({{from_one, "7"}})), 7) << from_one;
  for (const char* from_zero : {"AWS_BATCH_JOB_ARRAY_INDEX", "JOB_COMPLETION_INDEX"})
    EXPECT_EQ(task_number(with({{from_zero, "0"}})), 1) << from_zero;
}

TEST(Scheduler, AJobThatIsNoArrayHasNoTask) {
  for (const Variables& one :
       {Variables{}, Variables{{"SGE_TASK_ID", "undefined"}}, Variables{{"LSB_JOBINDEX", "0"}}})
    EXPECT_THROW(task_number(with(one)), UsageError);
  EXPECT_EQ(task_number(with({{"SGE_TASK_ID", "undefined"}, {"SLURM_ARRAY_TASK_ID", "3"}})), 3);
}

TEST(Scheduler, WhatIsNoNumberOfATaskIsRefused) {
  for (const char* text : {"", "x", "1x", "-1", "0", "100000", "99999999999999999999", "1 "})
    EXPECT_THROW(task_number(with({{"SLURM_ARRAY_TASK_ID", text}})), UsageError) << text;
}

TEST(Scheduler, TwoThatContradictEachOtherAreRefused) {
  EXPECT_THROW(task_number(with({{"SLURM_ARRAY_TASK_ID", "2"}, {"JOB_COMPLETION_INDEX", "2"}})), UsageError);
  EXPECT_EQ(task_number(with({{"SLURM_ARRAY_TASK_ID", "2"}, {"JOB_COMPLETION_INDEX", "1"}})), 2);
}

TEST(Scheduler, IsKnownByTheJobToo) {
  EXPECT_FALSE(under_scheduler(with({{"HOME", "/root"}})));
  for (const char* name :
       {"SLURM_JOB_ID", "SGE_TASK_ID", "PBS_JOBID", "LSB_JOBID", "AWS_BATCH_JOB_ID", "JOB_COMPLETION_INDEX"})
    EXPECT_TRUE(under_scheduler(with({{name, "1"}}))) << name;
}

}  // namespace
}  // namespace crema::cohort
