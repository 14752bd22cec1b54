// SPDX-License-Identifier: Apache-2.0
#include "files/io/system/regular.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/io/checksum.h"
#include "files/testing.h"

namespace crema::files::testing {
namespace {

TEST(Regular, APipeADeviceAndAFolderAreNeitherWaitedForNorRead) {
  const Folder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  for (const std::filesystem::path& path :
       {folder / "pipe", std::filesystem::path("/dev/zero"), folder / "."}) {
    const Regular opened = open_regular(path);
    EXPECT_EQ(opened.descriptor, -1) << path;
    EXPECT_EQ(opened.error, 0) << path;
    EXPECT_THROW(sha256_of(path), InputError) << path;
    EXPECT_THROW(read_text(path), InputError) << path;
  }
}

TEST(Regular, WhatIsNotThereIsSaid) {
  const Folder folder;
  EXPECT_EQ(open_regular(folder / "gone").error, ENOENT);
  EXPECT_THROW(sha256_of(folder / "gone"), FileError);
  EXPECT_THROW(read_text(folder / "gone"), InputError);  // as images that are not there
}

TEST(Regular, ATextIsReadWhole) {
  const Folder folder;
  EXPECT_EQ(read_text(folder.put("text", Bytes{'a', 0, 'b'})), std::string("a\0b", 3));
  EXPECT_EQ(read_text(folder.put("empty", Bytes{})), "");
}

}  // namespace
}  // namespace crema::files::testing
