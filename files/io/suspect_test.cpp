// SPDX-License-Identifier: Apache-2.0
#include "files/io/suspect.h"

#include "files/testing.h"

namespace crema::files::testing {
namespace {

TEST(Suspect, NamesPointersWhoseContentWasNotFetched) {
  const Folder folder;
  const std::string lfs = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n";
  EXPECT_TRUE(has(refusal(folder.put("a.nii.gz", lfs)), "git lfs pull"));
  EXPECT_TRUE(has(refusal(folder.put("b.nii.gz", std::string("/annex/objects/MD5E-s123--0123.nii.gz\n"))),
                  "git annex get"));
}

TEST(Suspect, NamesAWebPage) {
  const Folder folder;
  for (const std::string page :
       {"<!DOCTYPE html><html>", "\n  <HTML><head>", "<?xml version='1.0'?><Error>"}) {
    EXPECT_TRUE(has(refusal(folder.put("a.nii.gz", page)), "web page")) << page;
  }
  const std::string page = "<html>404</html>";
  EXPECT_TRUE(has(refusal(folder.put("b.nii.gz", zipped(Bytes(page.begin(), page.end())))), "web page"));
}

TEST(Suspect, NamesImagesOfOtherFormats) {
  const Folder folder;
  EXPECT_TRUE(has(refusal(folder.put("a.png", Bytes{0xFF, 0xD8, 0xFF, 0xE0, 0, 0})), "JPEG"));
  EXPECT_TRUE(has(refusal(folder.put("b.png", std::string("GIF89a....."))), "GIF"));
  EXPECT_TRUE(has(refusal(folder.put("c.nii", std::string("NRRD0004\ntype: uchar\n"))), "NRRD"));
  Bytes dicom(400);
  std::copy_n("DICM", 4, dicom.begin() + 128);
  EXPECT_TRUE(has(refusal(folder.put("d.nii", dicom)), "DICOM"));
  EXPECT_TRUE(has(refusal(folder.put("e.nii.gz", zipped(zipped(sound_nifti().bytes())))), "unpack it"));
}

TEST(Suspect, NamesDicomWithoutAPreamble) {
  const Folder folder;
  const auto why = [&](std::string start, std::string_view name) {
    return refusal(folder.put(std::string(name), start.append(300, 'x')));
  };
  using namespace std::string_literals;
  for (const std::string& start : {"\x08\0\x05\0CS\x0A\0ISO_IR 100"s, "\x02\0\0\0UL\4\0"s,
                                   "\x08\0\x16\0UI\x1A\0"s, "\x08\0\x05\0\x0A\0\0\0ISO_IR 100"s})
    for (const std::string_view name : {"a.dcm", "a.nii", "IM0001"})
      EXPECT_TRUE(has(why(start, name), "without its preamble")) << name;
  EXPECT_FALSE(has(why("\x08\0\x05\0\xFF\xFF\0\0"s, "b.dat"), "preamble"));
}

TEST(Suspect, SaysSoWhenNothingIsKnown) {
  const Folder folder;
  EXPECT_TRUE(
      has(refusal(folder.put("a.dat", std::string("something else entirely"))), "unsupported format"));
  EXPECT_TRUE(has(refusal(folder.put("a.nii", std::string(500, 'x'))), "is not NIfTI"));
}

}  // namespace
}  // namespace crema::files::testing
