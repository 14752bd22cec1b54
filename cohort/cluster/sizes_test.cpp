// SPDX-License-Identifier: Apache-2.0
#include "cohort/cluster/sizes.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "cohort/run/run_folder.h"
#include "files/testing.h"

namespace crema::cohort {
namespace {

/// A thousand cases in ten shards; each file unpacks to a hundred times its bytes.
PlanSizes plan_of(std::int64_t voxels, std::int64_t raters) {
  PlanSizes sizes{.voxels = voxels, .raters = raters, .seen_voxels = 100 * voxels, .seen_bytes = voxels};
  sizes.shards.assign(10, {100, 100 * raters * voxels / 100});
  return sizes;
}

TEST(TaskNeeds, GrowWithImagesRatersMethodsAndShardsOfATask) {
  CohortRequest one, two;
  one.methods.resize(1);
  two.methods.resize(2);
  const PlanSizes small = plan_of(10'000'000, 4), large = plan_of(40'000'000, 4),
                  many = plan_of(10'000'000, 40);
  const TaskNeeds least = needs_of(small, one, 1, 1);
  EXPECT_GT(needs_of(large, one, 1, 1).megabytes, least.megabytes);
  EXPECT_GT(needs_of(many, one, 1, 1).megabytes, least.megabytes);
  EXPECT_GT(needs_of(many, one, 1, 1).minutes, least.minutes);
  EXPECT_GT(needs_of(small, two, 1, 1).minutes, least.minutes);
  EXPECT_GT(needs_of(small, one, 5, 1).minutes, least.minutes);
  EXPECT_LT(needs_of(small, one, 5, 4).minutes, needs_of(small, one, 5, 1).minutes);
  EXPECT_EQ(least.megabytes % 64, 0);
}

TEST(TaskNeeds, AreAtMostADayAndUnknownWithoutAHeader) {
  CohortRequest request;
  EXPECT_EQ(needs_of(plan_of(1'000'000'000, 64), request, 10, 1).minutes, 24 * 60);
  EXPECT_EQ(needs_of(plan_of(0, 4), request, 1, 1).megabytes, 0);
  EXPECT_EQ(needs_of({.voxels = 1000}, request, 1, 1).minutes, 0);
}

TEST(PlanSizes, AreReadAsTheyWereWrittenAndADamagedFileIsNone) {
  const files::testing::Folder folder;
  const RunFolder run{folder.path()};
  EXPECT_FALSE(read_sizes(run));
  std::filesystem::create_directory(folder / "plan");
  const std::string text = sizes_text(plan_of(80, 2));
  folder.put("plan/sizes.json", text);
  const auto read = read_sizes(run);
  ASSERT_TRUE(read);
  EXPECT_EQ(sizes_text(*read), text);
  folder.put("plan/sizes.json", text.substr(0, text.size() / 2));
  EXPECT_FALSE(read_sizes(run));
}

}  // namespace
}  // namespace crema::cohort
