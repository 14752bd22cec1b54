// SPDX-License-Identifier: Apache-2.0
#include "files/io/system/machine.h"

#include <fstream>
#include <map>
#include <string>

#include <gtest/gtest.h>

namespace crema::files {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMachine = std::int64_t{64} << 30, kGiga = std::int64_t{1} << 30;

/// A tree as the kernel shows it, and the variables of a job.
class Machine : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        fs::path(::testing::TempDir()) / ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const fs::path& path, const std::string& text) const {
    fs::create_directories((folder_ / path).parent_path());
    std::ofstream(folder_ / path) << text;
  }
  [[nodiscard]] std::int64_t limit() const {
    return machine_memory({.machine = kMachine,
                           .own_groups = folder_ / "self",
                           .all_groups = folder_ / "groups",
                           .environment = [this](const char* name) -> const char* {
                             const auto found = job_.find(name);
                             return found == job_.end() ? nullptr : found->second.c_str();
                           }});
  }

  std::map<std::string, std::string> job_;

 private:
  fs::path folder_;
};

TEST_F(Machine, HasAllItsMemoryWhereNobodyLimitsIt) {
  EXPECT_EQ(limit(), kMachine);
  write("self", "0::/user.slice\n");
  write("groups/user.slice/memory.max", "max\n");
  job_ = {{"SLURM_MEM_PER_NODE", "0"}};
  EXPECT_EQ(limit(), kMachine);
}

TEST_F(Machine, IsLimitedByItsGroupAndThoseAroundIt) {
  write("self", "0::/system.slice/job_7/step\n");
  write("groups/system.slice/job_7/memory.max", "4294967296\n");
  write("groups/system.slice/job_7/step/memory.max", "max\n");
  EXPECT_EQ(limit(), 4 * kGiga);
  write("groups/memory.max", "1073741824\n");  // a container sees its own as the root
  EXPECT_EQ(limit(), kGiga);
}

TEST_F(Machine, IsLimitedByAGroupOfTheFirstVersion) {
  write("self", "9:cpu,cpuacct:/\n5:memory,hugetlb:/slurm/job_7\n0::/\n");
  write("groups/memory/slurm/job_7/memory.limit_in_bytes", "2147483648\n");
  write("groups/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(limit(), 2 * kGiga);
}

TEST_F(Machine, IsLimitedByTheJob) {
  job_ = {{"SLURM_MEM_PER_NODE", "3072"}};
  EXPECT_EQ(limit(), 3 * kGiga);
  job_ = {{"SLURM_MEM_PER_CPU", "1024"}};
  EXPECT_EQ(limit(), kGiga);
  job_ = {{"SLURM_MEM_PER_CPU", "1024"}, {"SLURM_CPUS_ON_NODE", "4"}};
  EXPECT_EQ(limit(), 4 * kGiga);
}

TEST_F(Machine, IgnoresWhatIsNoLimit) {
  write("self", "nonsense\n:\n0::/a\n::::\n");
  for (const char* text : {"", "-5", "many", "99999999999999999999999"}) {
    write("groups/a/memory.max", text);
    job_ = {{"SLURM_MEM_PER_NODE", text}, {"SLURM_MEM_PER_CPU", text}};
    EXPECT_EQ(limit(), kMachine) << text;
  }
}

TEST_F(Machine, TellsOfThisProcess) { EXPECT_GT(machine_memory(), 16 << 20); }

}  // namespace
}  // namespace crema::files
