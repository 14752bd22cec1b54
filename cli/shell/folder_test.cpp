// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/folder.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "crema/base/error.h"
#include "files/testing.h"

namespace crema::cli {
namespace {

namespace fs = std::filesystem;

TEST(MadeFolders, AreGoneAgainWhereNothingWasWritten) {
  const files::testing::Folder here;
  {
    const MadeFolders folders({here / "a", here / "a/b", here / "c"});
    EXPECT_TRUE(fs::exists(here / "a/b"));
    here.put("c/kept.txt", std::string("kept"));
  }
  EXPECT_FALSE(fs::exists(here / "a"));
  EXPECT_TRUE(fs::exists(here / "c/kept.txt"));
}

TEST(MadeFolders, OneThatCannotBeCreatedIsNamedAndTheOthersAreGone) {
  const files::testing::Folder here;
  here.put("file", std::string("in the way"));
  try {
    const MadeFolders folders({here / "a", here / "file/b"});
    FAIL() << "nothing was thrown";
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("file/b"), std::string::npos) << error.what();
  }
  EXPECT_FALSE(fs::exists(here / "a"));
}

}  // namespace
}  // namespace crema::cli
