// SPDX-License-Identifier: Apache-2.0
#include "files/plan.h"

#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "files/testing.h"

namespace crema::files::testing {
namespace {

namespace fs = std::filesystem;

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
  const Folder folder;
  fs::create_directory(folder / "locked");
  fs::permissions(folder / "locked", fs::perms::owner_read | fs::perms::owner_exec);
  const AsNobody nobody(folder);
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere, and cannot become anybody else here";
  EXPECT_TRUE(has(thrown<FileError>(folder / "locked" / "a.nii", cube(), {}), "is not writable"));
}

/// What a plan says against a record of that name beside an image and an input.
std::string refused_record(const Folder& folder, const std::string& input, const std::string& image,
                           const std::string& record) {
  OutputPlan plan;
  if (!input.empty()) plan.add_input(folder / input);
  plan.add_image(folder / image, cube());
  plan.add_text(folder / record, "the record");
  try {
    plan.check(kForce);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(OutputPlan, ARecordIsNeverPutOntoAnyPartOfAnInput) {
  const Folder folder;
  const Header header = read_header(folder.put("first.nii", sound_nifti().bytes()));
  for (const auto& [name, part] : std::vector<std::pair<std::string, std::string>>{
           {"a.mhd", "a.zraw"}, {"b.nhdr", "b.raw.gz"}, {"c.hdr", "c.img"}}) {
    write_image(folder / name, HardImage(sound_mask()), header);
    ASSERT_TRUE(fs::exists(folder / part)) << part;
    EXPECT_TRUE(has(refused_record(folder, name, "out.nii", part), "is the input")) << part;
    fs::copy_file(folder / name, folder / ("renamed-" + name + ".txt"));
    if (name != "c.hdr") {
      EXPECT_TRUE(has(refused_record(folder, "renamed-" + name + ".txt", "out.nii", part), "is the input"))
          << part;
    }
  }
}

TEST(OutputPlan, TwoOutputsNeverShareAFile) {
  const Folder folder;
  for (const auto& [image, part] : std::vector<std::pair<std::string, std::string>>{{"z.mhd", "z.zraw"},
                                                                                    {"y.hdr", "y.img"},
                                                                                    {"x.nhdr", "x.raw.gz"},
                                                                                    {"w.nii", "w.nii"},
                                                                                    {"v.nii", "./v.nii"}}) {
    EXPECT_TRUE(has(refused_record(folder, "", image, part), "cannot hold both the image and the record"))
        << part;
  }
  fs::create_symlink(".", folder / "here");
  EXPECT_NE(refused_record(folder, "", "u.nii", "here/u.nii"), "");
  EXPECT_EQ(refused_record(folder, "", "u.nii", "record.json"), "");
}

TEST(OutputPlan, NoInputLiesWhereEverythingMayBeReplaced) {
  const Folder folder;
  fs::create_directories(folder / "run/cases");
  const auto refused = [&](const fs::path& input) {
    OutputPlan plan;
    plan.add_tree(folder / "run");
    plan.add_input(input);
    try {
      plan.check({});
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const Header header = read_header(folder.put("first.nii", sound_nifti().bytes()));
  EXPECT_EQ(refused(folder / "first.nii"), "");
  EXPECT_EQ(refused(folder / "runs.nii"), "");
  fs::copy_file(folder / "first.nii", folder / "run/cases/a.nii");
  EXPECT_TRUE(has(refused(folder / "run/cases/a.nii"), "might replace it"));
  EXPECT_TRUE(has(refused(folder / "run/../run/b.nii"), "might replace it"));
  fs::create_symlink("run/cases/a.nii", folder / "link.nii");
  EXPECT_TRUE(has(refused(folder / "link.nii"), "might replace it"));
  fs::create_symlink("run", folder / "other");
  EXPECT_TRUE(has(refused(folder / "other/cases/a.nii"), "might replace it"));
  write_image(folder / "a.nhdr", HardImage(sound_mask()), header);
  std::ifstream written(folder / "a.nhdr");
  std::string text(std::istreambuf_iterator<char>(written), {});
  text.replace(text.find("a.raw.gz"), 8, "run/a.raw.gz");
  fs::rename(folder / "a.raw.gz", folder / "run/a.raw.gz");
  folder.put("a.nhdr", Bytes(text.begin(), text.end()));
  EXPECT_TRUE(has(refused(folder / "a.nhdr"), "might replace it"));
}

TEST(OutputPlan, NothingThatIsThereInAFolderOfDataIsReplaced) {
  const Folder folder;
  fs::create_directories(folder / "data/below");
  folder.put("data/below/a.csv", Bytes{1});
  const auto refused = [&](const fs::path& output) {
    OutputPlan plan;
    plan.add_input_tree(folder / "data");
    plan.add_text(output, "the table");
    try {
      plan.check({.overwrite = true});
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_TRUE(has(refused(folder / "data/below/a.csv"), "an input; write to another file"));
  EXPECT_TRUE(has(refused(folder / "data/below/../below/a.csv"), "an input"));
  EXPECT_EQ(refused(folder / "data/below/b.csv"), "");
  EXPECT_EQ(refused(folder / "data.csv"), "");
  fs::create_symlink("data", folder / "other");
  EXPECT_TRUE(has(refused(folder / "other/below/a.csv"), "an input"));
}

TEST(OutputSet, FilesAppearTogetherOrNotAtAll) {
  const Folder folder;
  folder.put("record.json", Bytes{'o', 'l', 'd'});
  {
    OutputSet outputs(kForce);
    outputs.put_text(folder / "one.txt", "1");
    outputs.put_text(folder / "record.json", "new");
    EXPECT_FALSE(fs::exists(folder / "one.txt"));
  }
  EXPECT_EQ(folder.entries(), 1u);
  EXPECT_EQ(fs::file_size(folder / "record.json"), 3u);
  OutputSet outputs(kForce);
  outputs.put_text(folder / "one.txt", "1");
  outputs.put_text(folder / "record.json", "newer");
  outputs.publish();
  EXPECT_EQ(fs::file_size(folder / "record.json"), 5u);
  EXPECT_TRUE(fs::exists(folder / "one.txt"));
  EXPECT_EQ(folder.entries(), 2u);
}

}  // namespace
}  // namespace crema::files::testing
