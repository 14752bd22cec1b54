// SPDX-License-Identifier: Apache-2.0
#include "files/png/chunks.h"

#include "files/png/testing.h"

namespace crema::files::testing {
namespace {

/// A directory with one entry before the orientation.
Bytes exif(int orientation, bool big_endian, int type = 3, bool prefix = false) {
  const auto number = [&](int value, std::size_t width) {
    Bytes bytes;
    for (std::size_t i = 0; i < width; ++i)
      bytes.push_back(static_cast<std::uint8_t>(static_cast<unsigned>(value) >> (8 * i)));
    if (big_endian) std::reverse(bytes.begin(), bytes.end());
    return bytes;
  };
  const Bytes value = type == 3 ? joined({number(orientation, 2), {0, 0}}) : number(orientation, 4);
  return joined({prefix ? Bytes{'E', 'x', 'i', 'f', 0, 0} : Bytes{},
                 big_endian ? Bytes{'M', 'M'} : Bytes{'I', 'I'}, number(42, 2), number(8, 4), number(2, 2),
                 number(270, 2), number(2, 2), number(1, 4), Bytes(4), number(274, 2), number(type, 2),
                 number(1, 4), value, number(0, 4)});
}

/// kPngMask as an orientation stores it.
Png stored(int orientation) {
  const bool side = orientation >= 5;
  Png png{.width = side ? 2u : 4u, .height = side ? 4u : 2u};
  const auto seen = [&](std::size_t x, std::size_t y) { return kPngMask[4 * y + x]; };
  for (std::size_t row = 0; row < png.height; ++row) {
    png.rows.push_back(0);
    for (std::size_t column = 0; column < png.width; ++column) {
      const std::size_t w = png.width - 1 - column, h = png.height - 1 - row;
      const std::array<std::array<std::size_t, 2>, 8> places{
          {{column, row}, {w, row}, {w, h}, {column, h}, {row, column}, {h, column}, {h, w}, {row, w}}};
      const auto [x, y] = places.at(static_cast<std::size_t>(orientation - 1));
      png.rows.push_back(seen(x, y) != 0 ? 255 : 0);
    }
  }
  return png;
}

TEST(PngChunks, AllOrientationsGiveTheSameMaskOnTheSameGrid) {
  const Folder folder;
  for (int orientation = 1; orientation <= 8; ++orientation) {
    for (const bool big_endian : {false, true}) {
      Png png = stored(orientation);
      png.extra = chunk("eXIf", exif(orientation, big_endian, big_endian ? 4 : 3, orientation % 2 == 0));
      const auto path = folder.put("a.png", png.bytes());
      EXPECT_EQ(read_header(path).grid.size, (std::array{4, 2, 1})) << orientation;
      EXPECT_EQ(voxels_of(path), kPngMask) << orientation;
      EXPECT_EQ(any_has(warnings_of(path), "orientation"), orientation != 1) << orientation;
      const auto levels = read_map(read_header(path)).levels;
      EXPECT_EQ(Bytes(levels.begin(), levels.end()), kPngMask) << orientation;
    }
  }
}

TEST(PngChunks, AnOrientationBehindThePixelsCountsToo) {
  const Folder folder;
  const Png png = stored(6);
  const Bytes bytes = joined(
      {png.start(), chunk("IDAT", zlib_of(png.rows)), chunk("eXIf", exif(6, false)), chunk("IEND", {})});
  const auto path = folder.put("a.png", bytes);
  EXPECT_EQ(read_header(path).grid.size, (std::array{4, 2, 1}));
  EXPECT_EQ(voxels_of(path), kPngMask);
}

TEST(PngChunks, OrientationsThatCannotBeAreToldAndLeftAside) {
  const Folder folder;
  for (const int orientation : {0, 9, 40000}) {
    Png png = stored(1);
    png.extra = chunk("eXIf", exif(orientation, true));
    const auto path = folder.put("a.png", png.bytes());
    EXPECT_EQ(voxels_of(path), kPngMask);
    EXPECT_TRUE(any_has(warnings_of(path), "states the orientation " + std::to_string(orientation)));
  }
}

TEST(PngChunks, ExifThatCannotBeReadIsToldAndLeftAside) {
  const Folder folder;
  const Bytes sound = exif(6, false);
  for (std::size_t size = 0; size < sound.size() - 4; ++size) {
    Png png = stored(1);
    png.extra = chunk("eXIf", cut(sound, size));
    const auto path = folder.put("a.png", png.bytes());
    EXPECT_EQ(voxels_of(path), kPngMask) << size;
    EXPECT_TRUE(any_has(warnings_of(path), "EXIF")) << size;
  }
}

TEST(PngChunks, DamagedOrDoubleExifIsRefused) {
  const Folder folder;
  Png png = stored(6);
  Bytes damaged = chunk("eXIf", exif(6, false));
  damaged[20] ^= 1;
  png.extra = damaged;
  EXPECT_THROW(read_header(folder.put("a.png", png.bytes())), InputError);
  png.extra = joined({chunk("eXIf", exif(6, false)), chunk("eXIf", exif(1, false))});
  EXPECT_TRUE(has(refusal(folder.put("a.png", png.bytes())), "eXIf: there twice"));
}

TEST(PngChunks, PngIsNeverMeasured) {
  const Folder folder;
  Png png = stored(1);
  png.extra = chunk("pHYs", {0, 0, 0x0B, 0x13, 0, 0, 0x0B, 0x13, 1});
  EXPECT_FALSE(read_header(folder.put("a.png", png.bytes())).measured);
}

}  // namespace
}  // namespace crema::files::testing
