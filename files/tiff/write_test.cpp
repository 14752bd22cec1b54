// SPDX-License-Identifier: Apache-2.0
#include "files/tiff/testing.h"
#include "files/tiff/tiff.h"

namespace crema::files::testing {
namespace {

Header placed_header(const Folder& folder) {
  Nifti file = sound_nifti();
  for (std::size_t i = 0; i < 3; ++i) file.set(file.at().pixdim, std::array{0.7, 0.8, 3.0}[i], i + 1);
  file.srow({0.7, 0, 0, 5, 0, 0.8, 0, 6, 0, 0, 3, 7});
  return read_header(folder.put("a.nii", file.bytes()));
}

TEST(TiffWrite, MasksReadBack) {
  const Folder folder;
  const Header header = placed_header(folder);
  const auto warnings = write_image(folder / "b.tif", HardImage(sound_mask()), header);
  EXPECT_TRUE(any_has(warnings, "not the position"));
  const Header back = read_header(folder / "b.tif");
  EXPECT_EQ(back.format, Format::tiff);
  EXPECT_EQ(back.type, "tiff 8-bit grey");
  EXPECT_EQ(back.grid.size, header.grid.size);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(back.grid.spacing[i], header.grid.spacing[i], 1e-6);
  EXPECT_TRUE(back.warnings.empty());
  EXPECT_EQ(voxels_of(folder / "b.tif"), sound_mask());
  EXPECT_EQ(ending_of(back), ".tif");
}

TEST(TiffWrite, LevelsReadBackExactly) {
  const Folder folder;
  const Header header = placed_header(folder);
  SoftImage image(24);
  for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<float>(i) / 23.0F;
  write_image(folder / "b.tiff", image, header);
  const Header back = read_header(folder / "b.tiff");
  EXPECT_EQ(back.type, "tiff float32");
  EXPECT_EQ(read_map(back).levels, image);
}

TEST(TiffWrite, ManyStripsAndPagesReadBack) {
  const Folder folder;
  Header header;
  header.format = Format::png;
  header.grid.size = {1000, 700, 3};
  HardImage image(static_cast<std::size_t>(header.grid.voxels()));
  for (std::size_t i = 0; i < image.size(); ++i) image[i] = (i * 7919) % 13 < 4 ? 1 : 0;
  write_image(folder / "b.tif", image, header);
  EXPECT_EQ(voxels_of(folder / "b.tif"), image);
  EXPECT_LT(std::filesystem::file_size(folder / "b.tif"), image.size() / 2);
}

TEST(TiffWrite, SpacingThatIsNotKnownIsNotClaimed) {
  const Folder folder;
  const Header header = read_header(folder.put("a.tif", sound_tiff().bytes()));
  EXPECT_TRUE(write_image(folder / "b.tif", HardImage(kTiffMask), header).empty());
  EXPECT_EQ(read_header(folder / "b.tif").grid, header.grid);
  const Bytes bytes = slurp(folder / "b.tif");
  EXPECT_FALSE(has(std::string(bytes.begin(), bytes.end()), "ImageJ"));
}

TEST(TiffWrite, SpacingIsKept) {
  const Folder folder;
  TiffMade result = sound_tiff();
  result.pages[0].set(282, {300, 1}, 5).set(283, {72, 1}, 5).set(296, {2}, 3);
  const Header header = read_header(folder.put("a.tif", result.bytes()));
  write_image(folder / "b.tif", HardImage(kTiffMask), header);
  EXPECT_EQ(read_header(folder / "b.tif").grid, header.grid);
}

TEST(TiffWrite, TheSameImageGivesTheSameBytes) {
  const Folder folder;
  const Header header = placed_header(folder);
  write_image(folder / "b.tif", HardImage(sound_mask()), header);
  write_image(folder / "c.tif", HardImage(sound_mask()), header);
  EXPECT_EQ(slurp(folder / "b.tif"), slurp(folder / "c.tif"));
}

}  // namespace
}  // namespace crema::files::testing
