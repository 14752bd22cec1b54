// SPDX-License-Identifier: Apache-2.0
#include "files/tiff/testing.h"

namespace crema::files::testing {
namespace {

constexpr int kTag = 274;

/// kTiffMask as an orientation stores it, each pixel drawn from two.
TiffMadePage stored(int orientation, const Bytes& outside, const Bytes& inside) {
  const std::size_t width = orientation >= 5 ? 2 : 4, height = orientation >= 5 ? 4 : 2;
  Bytes strip;
  for (std::size_t row = 0; row < height; ++row) {
    for (std::size_t column = 0; column < width; ++column) {
      const std::size_t w = width - 1 - column, h = height - 1 - row;
      const std::array<std::array<std::size_t, 2>, 8> places{
          {{column, row}, {w, row}, {w, h}, {column, h}, {row, column}, {h, column}, {h, w}, {row, w}}};
      const auto [x, y] = places.at(static_cast<std::size_t>(orientation - 1));
      const Bytes& pixel = kTiffMask[4 * y + x] != 0 ? inside : outside;
      strip.insert(strip.end(), pixel.begin(), pixel.end());
    }
  }
  TiffMadePage page = tiff_page(width, height, strip);
  return page.set(kTag, {static_cast<std::uint64_t>(orientation)}, 3);
}

TEST(TiffOrientation, AllEightGiveTheSameMaskOnTheSameGrid) {
  const Folder folder;
  for (int orientation = 1; orientation <= 8; ++orientation) {
    TiffMade grey, wide, colour;
    grey.pages = {stored(orientation, {0}, {255})};
    wide.pages = {stored(orientation, {0, 0}, {255, 255}).set(258, {16}, 3)};
    colour.pages = {stored(orientation, {0, 0, 0}, {255, 255, 255})};
    colour.pages[0].set(258, {8, 8, 8}, 3).set(262, {2}, 3).set(277, {3}, 3);
    for (const TiffMade& result : {grey, wide, colour}) {
      const auto path = folder.put("a.tif", result.bytes());
      EXPECT_EQ(read_header(path).grid.size, (std::array{4, 2, 1})) << orientation;
      EXPECT_EQ(voxels_of(path), kTiffMask) << orientation;
      EXPECT_EQ(any_has(warnings_of(path), "orientation"), orientation != 1) << orientation;
    }
  }
}

TEST(TiffOrientation, TheSpacingTurnsWithThePicture) {
  const Folder folder;
  for (const int orientation : {1, 6}) {
    TiffMade result;
    result.pages = {stored(orientation, {0}, {255})};
    result.pages[0].set(282, {orientation == 1 ? 50u : 40u, 1}, 5);
    result.pages[0].set(283, {orientation == 1 ? 40u : 50u, 1}, 5).set(296, {3}, 3);
    EXPECT_EQ(read_header(folder.put("a.tif", result.bytes())).grid.spacing,
              (std::array<double, 3>{0.2, 0.25, 1}));
  }
}

TEST(TiffOrientation, PagesAreTurnedEachByItself) {
  const Folder folder;
  TiffMade result;
  result.pages = {stored(1, {0}, {255}), stored(6, {0}, {255}), stored(3, {0}, {255})};
  const auto path = folder.put("a.tif", result.bytes());
  EXPECT_EQ(read_header(path).grid.size, (std::array{4, 2, 3}));
  EXPECT_EQ(voxels_of(path), joined({kTiffMask, kTiffMask, kTiffMask}));
  result.pages[1].set(kTag, {1}, 3);
  EXPECT_TRUE(has(refusal(folder.put("a.tif", result.bytes())), "page 2 is 2×4, but the first is 4×2"));
}

TEST(TiffOrientation, NumbersThatCannotBeAreToldAndLeftAside) {
  const Folder folder;
  for (const std::uint64_t stated : {0u, 9u, 300u}) {
    TiffMade result = sound_tiff();
    result.pages[0].set(kTag, {stated}, 3);
    const auto path = folder.put("a.tif", result.bytes());
    EXPECT_EQ(voxels_of(path), kTiffMask) << stated;
    EXPECT_TRUE(any_has(warnings_of(path), "states the orientation " + std::to_string(stated))) << stated;
  }
}

TEST(TiffOrientation, IsNotWrittenBack) {
  const Folder folder;
  TiffMade result;
  result.pages = {stored(7, {0}, {255})};
  const Header header = read_header(folder.put("a.tif", result.bytes()));
  write_image(folder / "b.tif", HardImage(kTiffMask), header);
  EXPECT_EQ(voxels_of(folder / "b.tif"), kTiffMask);
  EXPECT_TRUE(read_header(folder / "b.tif").warnings.empty());
}

}  // namespace
}  // namespace crema::files::testing
