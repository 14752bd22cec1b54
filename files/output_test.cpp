// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include "files/testing.h"

namespace crema::files::testing {
namespace {

namespace fs = std::filesystem;

const WriteOptions kForce{.overwrite = true};

Grid cube() {
  Grid grid;
  grid.size = {4, 3, 2};
  return grid;
}

template <class Error>
std::string thrown(const fs::path& path, const Grid& grid, const std::vector<fs::path>& inputs,
                   const WriteOptions& options = {}) {
  try {
    check_output(path, grid, inputs, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(CheckOutput, AcceptsAFreshName) {
  const Folder folder;
  for (const std::string name : {"a.nii", "a.nii.gz", "a.hdr", "a.img", "A.NII.GZ"}) {
    EXPECT_NO_THROW(check_output(folder / name, cube(), {})) << name;
  }
  EXPECT_EQ(folder.entries(), 0u);
}

TEST(CheckOutput, ListsTheEndingsItKnows) {
  const Folder folder;
  for (const std::string name : {"a", "a.jpg", "a.gz", ".nii"}) {
    EXPECT_TRUE(has(thrown<UsageError>(folder / name, cube(), {}), ".nii.gz")) << name;
  }
}

TEST(CheckOutput, RefusesVolumesAsPng) {
  const Folder folder;
  EXPECT_TRUE(has(thrown<UsageError>(folder / "a.png", cube(), {}), "4×3×2"));
  Grid flat = cube();
  flat.size[2] = 1;
  EXPECT_NO_THROW(check_output(folder / "a.png", flat, {}));
}

TEST(CheckOutput, AsksBeforeOverwriting) {
  const Folder folder;
  const auto path = folder.put("a.nii", sound_nifti().bytes());
  EXPECT_TRUE(has(thrown<UsageError>(path, cube(), {}), "overwrite=True"));
  EXPECT_NO_THROW(check_output(path, cube(), {}, kForce));
  folder.put("b.img", Bytes{1});
  EXPECT_TRUE(has(thrown<UsageError>(folder / "b.hdr", cube(), {}), "b.img"));
}

TEST(CheckOutput, NeverWritesOverAnInput) {
  const Folder folder;
  const auto input = folder.put("a.nii", sound_nifti().bytes());
  fs::create_symlink("a.nii", folder / "soft.nii");
  fs::create_hard_link(input, folder / "hard.nii");
  for (const std::string name : {"a.nii", "soft.nii", "hard.nii", "./a.nii"}) {
    EXPECT_TRUE(has(thrown<UsageError>(folder / name, cube(), {input}, kForce), "is the input")) << name;
  }
  folder.put("p.hdr", Bytes{1});
  folder.put("p.img", Bytes{1});
  EXPECT_TRUE(has(thrown<UsageError>(folder / "p.hdr", cube(), {folder / "p.img"}, kForce), "is the input"));
}

TEST(CheckOutput, NamesTheFolderThatIsMissing) {
  const Folder folder;
  EXPECT_TRUE(has(thrown<FileError>(folder / "no" / "a.nii", cube(), {}), "does not exist; create it"));
  folder.put("file", Bytes{1});
  EXPECT_NE(thrown<FileError>(folder / "file" / "a.nii", cube(), {}), "");
}

TEST(CheckOutput, NamesTheFolderThatMayNotBeWritten) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const Folder folder;
  fs::create_directory(folder / "locked");
  fs::permissions(folder / "locked", fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_TRUE(has(thrown<FileError>(folder / "locked" / "a.nii", cube(), {}), "may not be written"));
}

}  // namespace
}  // namespace crema::files::testing
