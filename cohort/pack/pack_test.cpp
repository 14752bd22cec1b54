// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "cohort/pack/pack_index.h"
#include "cohort/pack/tar.h"

namespace crema::cohort {
namespace {

std::vector<PackedCase> two_cases() {
  return {{"a \"1\"\n",
           {{"x.nii.gz", 512, 700, 1'700'000'000'123'456'789, "ab"}, {"result.json", 1536, 3, 0, "cd"}}},
          {"b", {{"result.json", 2048, 5, 1, "ef"}}}};
}

TEST(PackIndex, IsReadAsItWasWritten) {
  const std::vector<PackedCase> cases = two_cases();
  EXPECT_EQ(index_in(index_text(cases)), cases);
  EXPECT_EQ(index_in(index_text({})), std::vector<PackedCase>());
}

TEST(PackIndex, OneThatIsTornOrLeadsAwayIsNone) {
  const std::string text = index_text(two_cases());
  EXPECT_FALSE(index_in(text.substr(0, text.size() - 2)));
  std::string changed = text;
  changed[text.find("700")] = '9';
  EXPECT_FALSE(index_in(changed));
  for (const char* name : {"", ".", "..", "../x", "/etc/x", "a/b"})
    EXPECT_FALSE(index_in(index_text({{"a", {{name, 0, 1, 0, ""}}}}))) << name;
  EXPECT_FALSE(index_in(index_text({{"a", {}}}))) << "a case has its result at least";
  EXPECT_FALSE(index_in(index_text({{"a", {{"x", -1, 1, 0, ""}}}})));
  EXPECT_FALSE(index_in(index_text({{"a", {{"x", 0, -1, 0, ""}}}})));
}

TEST(Tar, HeadsAreWholeBlocksWithTheirChecksum) {
  const std::string head = tar_head("cases/a/x.nii", 700, 1'700'000'000);
  ASSERT_EQ(head.size(), 512U);
  EXPECT_EQ(head.substr(0, 14), std::string("cases/a/x.nii\0", 14));
  EXPECT_EQ(head.substr(124, 11), "00000001274");
  EXPECT_EQ(head.substr(257, 5), "ustar");
  unsigned sum = 0;
  for (std::size_t i = 0; i < head.size(); ++i)
    sum += static_cast<unsigned char>(i >= 148 && i < 156 ? ' ' : head[i]);
  EXPECT_EQ(std::stoul(head.substr(148, 6), nullptr, 8), sum);
  EXPECT_EQ(tar_padding(700).size(), 324U);
  EXPECT_EQ(tar_padding(512).size(), 0U);
}

TEST(Tar, LongNamesAndLargeFilesStandInARecordThatCountsItself) {
  for (const std::size_t length : std::vector<std::size_t>{100, 101, 180, 990, 992, 1000}) {
    const std::string name(length, 'n'), head = tar_head(name, 1, 0);
    EXPECT_EQ(head.size() % 512, 0U);
    if (length <= 100) {
      EXPECT_EQ(head.size(), 512U);
      continue;
    }
    EXPECT_EQ(head[156], 'x');
    const std::size_t bytes = std::stoul(head.substr(124, 11), nullptr, 8);
    const std::string record = head.substr(512, bytes);
    EXPECT_EQ(std::stoul(record), bytes);
    EXPECT_TRUE(record.ends_with(" path=" + name + "\n"));
  }
  EXPECT_NE(tar_head("x", std::int64_t{1} << 40, 0).find(" size=1099511627776\n"), std::string::npos);
}

}  // namespace
}  // namespace crema::cohort
