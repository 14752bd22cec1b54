// SPDX-License-Identifier: Apache-2.0
#include "files/io/system/held.h"

#include <fstream>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "files/io/checksum.h"
#include "files/io/source.h"

namespace crema::files {
namespace {

namespace fs = std::filesystem;

class Held : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder);
    fs::create_directories(folder);
    write("old");
  }
  void TearDown() override { fs::remove_all(folder); }
  void write(const std::string& text) const {
    std::ofstream(folder / "new") << text;
    fs::rename(folder / "new", path);
  }
  [[nodiscard]] std::string text() const {
    const std::vector<std::uint8_t> bytes = Source(path).start(10);
    return {bytes.begin(), bytes.end()};
  }
  fs::path folder = fs::path(::testing::TempDir()) / "crema_held", path = folder / "mask";
};

TEST_F(Held, AFileIsOneFileWhateverGetsItsName) {
  const std::string sum = sha256_of(path);
  {
    const HeldFiles held(std::span(&path, 1));
    EXPECT_EQ(sha256_of(path), sum);
    write("newer");
    EXPECT_EQ(sha256_of(path), sum);
    EXPECT_EQ(text(), "old");
    EXPECT_EQ(Source(path).size(), 3);
    fs::remove(path);
    EXPECT_TRUE(is_there(path));
    EXPECT_EQ(text(), "old");
  }
  EXPECT_FALSE(is_there(path));
}

TEST_F(Held, OtherFilesAndOtherThreadsGoToTheDisk) {
  const HeldFiles held(std::span(&path, 1));
  EXPECT_EQ(text(), "old");
  write("newer");
  std::thread([&] { EXPECT_EQ(text(), "newer"); }).join();
  const fs::path other = folder / "other";
  EXPECT_FALSE(is_there(other));
  std::ofstream(other) << "x";
  EXPECT_TRUE(is_there(other));
  EXPECT_EQ(read_text(other), "x");
}

TEST_F(Held, WhatIsMissingOrNoFileIsRefusedAsEver) {
  const std::vector<fs::path> names{folder / "none", folder};
  const HeldFiles held(names);
  EXPECT_FALSE(is_there(names[0]));
  EXPECT_TRUE(is_there(names[1]));
  EXPECT_EQ(open_regular(names[0]).error, ENOENT);
  EXPECT_EQ(open_regular(names[1]).descriptor, -1);
  EXPECT_TRUE(S_ISDIR(open_regular(names[1]).mode));
  std::ofstream(names[0]) << "late";
  EXPECT_EQ(sha256_of(names[0]).size(), 64U);
}

}  // namespace
}  // namespace crema::files
