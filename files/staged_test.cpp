// SPDX-License-Identifier: Apache-2.0
#include "files/staged.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "crema/base/error.h"
#include "files/io/checksum.h"
#include "files/testing.h"

namespace crema::files {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Staged : public ::testing::Test {
 protected:
  void SetUp() override {
    folder = fs::path(::testing::TempDir()) /
             ("crema-staged-" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }

  fs::path folder;
};

TEST_F(Staged, NothingHasItsNameBeforeAllArePublished) {
  StagedSet set(folder / "work");
  set.put_text(folder / "new/a.txt", "one");
  const std::size_t growing = set.begin_text(folder / "b.txt");
  set.append(growing, "tw");
  set.append(growing, "o");
  EXPECT_FALSE(fs::exists(folder / "new"));
  EXPECT_FALSE(fs::exists(folder / "b.txt"));
  set.publish();
  EXPECT_EQ(content(folder / "new/a.txt"), "one");
  EXPECT_EQ(content(folder / "b.txt"), "two");
}

TEST_F(Staged, WhatIsThereIsReplacedAndWhatIsGivenUpLeavesNothing) {
  write_text(folder / "a.txt", "old");
  {
    StagedSet set(folder / "work");
    set.put_text(folder / "a.txt", "never");
  }
  EXPECT_EQ(content(folder / "a.txt"), "old");
  EXPECT_FALSE(fs::exists(folder / "work"));
  {
    StagedSet set(folder / "work");
    set.put_text(folder / "a.txt", "new");
    set.publish();
  }
  EXPECT_EQ(content(folder / "a.txt"), "new");
  EXPECT_FALSE(fs::exists(folder / "work"));
}

TEST_F(Staged, FactsAreThoseOfTheFiles) {
  StagedSet set(folder / "work");
  set.put_text(folder / "a.txt", "some text");
  Header header;
  header.grid = {.size = {4, 4, 4}};
  HardImage image(64);
  image[5] = 1;
  set.put_image(folder / "b.nii.gz", Image(std::move(image)), header);
  const auto facts = set.facts();
  set.publish();
  ASSERT_EQ(facts.size(), 2U);
  for (const StagedSet::Fact& fact : facts) {
    EXPECT_EQ(fact.bytes, static_cast<std::int64_t>(fs::file_size(fact.path)));
    EXPECT_EQ(fact.sha256, sha256_of(fact.path));
  }
}

TEST_F(Staged, ANameThatCannotBeGivenIsAnErrorOfTheDisk) {
  fs::create_directories(folder / "taken/inside");
  StagedSet set(folder / "work");
  set.put_text(folder / "taken", "text");
  EXPECT_THROW(set.publish(), FileError);
}

}  // namespace
}  // namespace crema::files
