// SPDX-License-Identifier: Apache-2.0
#include "files/io/source.h"

#include <sys/stat.h>
#include <unistd.h>

#include "files/testing.h"

namespace crema::files::testing {
namespace {

namespace fs = std::filesystem;

TEST(Source, RefusesWhatIsNoFileByName) {
  const Folder folder;
  fs::create_directory(folder / "folder");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_TRUE(has(refusal(folder / "missing.nii"), "does not exist"));
  EXPECT_TRUE(has(refusal(folder / "folder"), "is a folder"));
  EXPECT_TRUE(has(refusal(folder / "pipe"), "is a pipe"));
  EXPECT_TRUE(has(refusal("/dev/zero"), "device"));
  EXPECT_TRUE(has(refusal(folder.put("empty.nii", Bytes{})), "0 bytes"));
  EXPECT_TRUE(has(refusal(folder.put("x", Bytes{1}) / "y.nii"), "does not exist"));
}

TEST(Source, TellsAMissingAnnexContentFromABrokenLink) {
  const Folder folder;
  fs::create_symlink("../.git/annex/objects/aa/bb/key/key", folder / "a.nii.gz");
  fs::create_symlink("nowhere.nii.gz", folder / "b.nii.gz");
  EXPECT_TRUE(has(refusal(folder / "a.nii.gz"), "git annex get"));
  EXPECT_TRUE(has(refusal(folder / "b.nii.gz"), "link to nowhere.nii.gz"));
}

TEST(Source, RefusesWhatMayNotBeRead) {
  const Folder folder;
  const auto path = folder.put("a.nii", sound_nifti().bytes());
  fs::permissions(path, fs::perms::none);
  const AsNobody nobody(folder);
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything, and cannot become anybody else here";
  EXPECT_TRUE(has(refusal(path), "permissions"));
}

TEST(Source, FollowsLinksToFiles) {
  const Folder folder;
  folder.put("a.nii", sound_nifti().bytes());
  fs::create_symlink("a.nii", folder / "b.nii");
  EXPECT_EQ(voxels_of(folder / "b.nii"), sound_mask());
}

TEST(Source, ReadsFromAnywhereUpToTheEnd) {
  const Folder folder;
  const Source source(folder.put("a", Bytes{1, 2, 3, 4, 5}));
  Bytes out(3);
  EXPECT_EQ(source.read(1, out), 3u);
  EXPECT_EQ(out, (Bytes{2, 3, 4}));
  EXPECT_EQ(source.read(4, out), 1u);
  EXPECT_EQ(source.read(5, out), 0u);
  EXPECT_EQ(source.start(9), (Bytes{1, 2, 3, 4, 5}));
}

TEST(Source, LimitsMemoryByOptionOrMachine) {
  EXPECT_EQ(memory_limit({.threshold = {}, .label = {}, .max_memory = 77}), 77);
  EXPECT_GT(memory_limit({}), 1 << 24);
  EXPECT_THROW(check_memory("a", 1e30, {}), ResourceError);
  EXPECT_NO_THROW(check_memory("a", 1e6, {}));
}

}  // namespace
}  // namespace crema::files::testing
