// SPDX-License-Identifier: Apache-2.0
#include "cohort/cluster/slurm.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "cohort/cluster/unfinished.h"
#include "crema/base/error.h"

namespace crema::cohort {
namespace {

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::count(words.begin(), words.end(), word) == 1;
}

TEST(Slurm, NoPathStandsInADirectiveAndAllAreQuoted) {
  const SlurmJob job{.command = {"/opt/$(touch x)/box", "exec", "it's", "crema"},
                     .folder = "/data/it's 5%",
                     .tasks = {1, 2, 3, 7, 9, 10},
                     .max_running = 4};
  const std::string script = array_script(job);
  EXPECT_EQ(script.find("#SBATCH"), std::string::npos);
  EXPECT_NE(script.find("\n'/opt/$(touch x)/box' exec 'it'\\''s' crema cohort run"), std::string::npos)
      << script;
  EXPECT_NE(script.find("-o '/data/it'\\''s 5%'"), std::string::npos);
  const std::vector<std::string> words = array_command(job, "/data/it's 5%/submit-run.sh");
  EXPECT_TRUE(has(words, "--array=1-3,7,9-10%4"));
  EXPECT_TRUE(has(words, "--output=/data/it's 5%%/logs/%A_%a.txt"));
  EXPECT_EQ(words.back(), "/data/it's 5%/submit-run.sh");
}

TEST(Slurm, APathWithAControlCharacterIsRefused) {
  for (const char* name : {"/a\nrm -rf b", "/a\rb", "/a\tb", "/a\x7f", "/a\x1b[2J"}) {
    EXPECT_THROW(array_script({.command = {"/crema"}, .folder = name}), UsageError) << name;
    EXPECT_THROW(merge_script({.command = {name}, .folder = "/run"}), UsageError) << name;
    EXPECT_THROW(array_command({.command = {"/crema"}, .folder = name}, "/s"), UsageError) << name;
  }
}

TEST(Slurm, AJobIsCalledByItsFolderAndNoOther) {
  const std::string name = job_name({.command = {}, .folder = "/data/my run"});
  EXPECT_TRUE(name.starts_with("crema-my_run-"));
  EXPECT_EQ(name, job_name({.command = {"crema"}, .folder = "/data/my run", .tasks = {1}}));
  EXPECT_NE(name, job_name({.command = {}, .folder = "/other/my run"}));
}

TEST(Slurm, TasksAreThoseWithAShardToDo) {
  EXPECT_EQ(tasks_of({1, 2, 5, 9}, 1), (std::vector<int>{1, 2, 5, 9}));
  EXPECT_EQ(tasks_of({1, 2, 5, 9}, 4), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(tasks_of({4, 5, 8}, 4), (std::vector<int>{1, 2}));
  EXPECT_EQ(tasks_of({}, 4), std::vector<int>{});
}

TEST(Slurm, NeedsGrowWithVoxelsRatersAndThreads) {
  PlanSizes sizes{.voxels = 1 << 24,
                  .raters = 4,
                  .seen_voxels = 100,
                  .seen_bytes = 10,
                  .shards = {{10, 1000}, {20, 2000}}};
  const CohortRequest request;
  const TaskNeeds small = needs_of(sizes, request, 1, 1);
  EXPECT_EQ(small.minutes, 10);
  EXPECT_GT(needs_of(sizes, request, 1, 8).megabytes, small.megabytes);
  sizes.shards[1].bytes = std::int64_t{1} << 34;
  EXPECT_GT(needs_of(sizes, request, 1, 1).minutes, small.minutes);
  sizes.raters = 64;
  EXPECT_GT(needs_of(sizes, request, 1, 1).megabytes, small.megabytes);
  EXPECT_EQ(needs_of({}, request, 1, 1).minutes, 0);
}

}  // namespace
}  // namespace crema::cohort
