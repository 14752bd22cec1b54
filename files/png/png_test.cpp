// SPDX-License-Identifier: Apache-2.0
#include "files/png/png.h"

#include "files/png/codec.h"
#include "files/png/testing.h"

namespace crema::files::testing {
namespace {

void expect_mask(const Png& png, const std::string& warning = "") {
  const Folder folder;
  const auto path = folder.put("a.png", png.bytes());
  EXPECT_EQ(voxels_of(path), kPngMask);
  const auto warnings = warnings_of(path);
  if (warning.empty()) {
    EXPECT_TRUE(warnings.empty()) << warnings.front().text();
  } else {
    EXPECT_TRUE(any_has(warnings, warning));
  }
}

std::string refused_png(const Bytes& bytes) {
  const Folder folder;
  return refusal(folder.put("a.png", bytes));
}

TEST(Png, ReadsGreyOfEveryDepthSilently) {
  expect_mask({.bits = 1, .rows = {0, 0b01010000, 0, 0b10000000}});
  expect_mask({.bits = 2, .rows = {0, 0b00110011, 0, 0b11000000}});
  expect_mask({.bits = 4, .rows = {0, 0x0F, 0x0F, 0, 0xF0, 0x00}});
  expect_mask({.bits = 8, .rows = drawn({0}, {255})});
  expect_mask({.bits = 8, .rows = drawn({0}, {1})});
  expect_mask({.bits = 16, .rows = drawn({0, 0}, {0xFF, 0xFF})});
  expect_mask({.bits = 8, .rows = drawn({0}, {7})}, "holds 0 and 7");
}

TEST(Png, ReadsGreyInColourAndPalette) {
  expect_mask({.colour = 2, .rows = drawn({0, 0, 0}, {255, 255, 255})});
  expect_mask({.bits = 16, .colour = 2, .rows = drawn(Bytes(6), Bytes(6, 255))});
  expect_mask({.colour = 3, .extra = chunk("PLTE", {255, 255, 255, 0, 0, 0}), .rows = drawn({1}, {0})});
  expect_mask({.bits = 1,
               .colour = 3,
               .extra = chunk("PLTE", {0, 0, 0, 255, 255, 255}),
               .rows = {0, 0b01010000, 0, 0b10000000}});
}

TEST(Png, AColouredPaletteHoldsNoLevels) {
  const Folder folder;
  const Png png{.colour = 3, .extra = chunk("PLTE", {0, 0, 0, 128, 0, 0}), .rows = drawn({0}, {1})};
  const Header header = read_header(folder.put("a.png", png.bytes()));
  EXPECT_THROW(read_map(header), InputError);
  const Png grey{.colour = 3, .extra = chunk("PLTE", {0, 0, 0, 51, 51, 51}), .rows = drawn({0}, {1})};
  EXPECT_FLOAT_EQ(read_map(read_header(folder.put("b.png", grey.bytes()))).levels[1], 0.2F);
}

TEST(Png, ReadsOpaqueAlphaAndMasksInAlpha) {
  expect_mask({.colour = 4, .rows = drawn({0, 255}, {255, 255})});
  expect_mask({.colour = 6, .rows = drawn({0, 0, 0, 255}, {255, 255, 255, 255})});
  expect_mask({.colour = 4, .rows = drawn({9, 0}, {9, 255})}, "transparency");
  expect_mask({.colour = 6, .rows = drawn({200, 0, 0, 0}, {200, 0, 0, 255})}, "transparency");
  expect_mask({.colour = 3,
               .extra = joined({chunk("PLTE", {255, 0, 0, 255, 0, 0}), chunk("tRNS", {0, 255})}),
               .rows = drawn({0}, {1})},
              "transparency");
  EXPECT_TRUE(has(refused_png(Png{.colour = 4, .rows = drawn({0, 0}, {255, 255})}.bytes()), "flatten"));
}

TEST(Png, ReadsInterlacedFiles) {
  // The passes of Adam7 that a 4×2 image has: (0,0); none; none; (2,0); none; (1,0) (3,0); row 1.
  expect_mask({.interlace = 1, .rows = {0, 0, 0, 0, 0, 255, 255, 0, 255, 0, 0, 0}});
}

TEST(Png, RefusesColourAndGreyscaleWithAHint) {
  EXPECT_TRUE(
      has(refused_png(Png{.colour = 2, .rows = drawn({0, 0, 0}, {255, 0, 0})}.bytes()), "colour image"));
  Bytes smooth = drawn({0}, {255});
  smooth[2] = 100;
  EXPECT_TRUE(has(refused_png(Png{.rows = smooth}.bytes()), "cut with threshold"));
  const Folder folder;
  const auto path = folder.put("a.png", Png{.rows = smooth}.bytes());
  const Bytes expected{0, 0, 0, 1, 1, 0, 0, 0};
  EXPECT_EQ(voxels_of(path, {.threshold = 127.0, .label = {}, .max_memory = 0}), expected);
  EXPECT_EQ(voxels_of(path, {.threshold = {}, .label = 255.0, .max_memory = 0}), expected);
}

TEST(Png, LabelsAreSampleValuesAlsoBelowEightBits) {
  const Folder folder;
  const auto path = folder.put("a.png", Png{.bits = 2, .rows = {0, 0b00011011, 0, 0b11000000}}.bytes());
  EXPECT_EQ(voxels_of(path, {.threshold = {}, .label = 2.0, .max_memory = 0}),
            (Bytes{0, 0, 1, 0, 0, 0, 0, 0}));
  EXPECT_TRUE(has(refusal(path), "labels 0, 1, 2, 3"));
}

TEST(Png, RefusesEveryTruncationAndEveryBitFlip) {
  const Bytes sound = Png{.rows = drawn({0}, {255})}.bytes();
  const Folder folder;
  for (std::size_t size = 8; size < sound.size(); ++size) {
    EXPECT_NE(refusal(folder.put("a.png", cut(sound, size))), "") << size << " of " << sound.size();
  }
  for (std::size_t bit = 0; bit < 8 * sound.size(); ++bit) {
    Bytes flipped = sound;
    flipped[bit / 8] = static_cast<std::uint8_t>(flipped[bit / 8] ^ (1u << (bit % 8)));
    EXPECT_NE(refusal(folder.put("a.png", flipped)), "") << "bit " << bit;
  }
}

TEST(Png, RefusesBytesAfterItsEndAndBadChunks) {
  const Png png{.rows = drawn({0}, {255})};
  EXPECT_TRUE(has(refused_png(joined({png.bytes(), {0}})), "after the end"));
  EXPECT_NE(refused_png(joined({png.start(), chunk("IEND", {})})), "");
  EXPECT_NE(refused_png(joined({png.start(), chunk("QUUX", {1}), chunk("IEND", {})})), "");
  Bytes text = chunk("tEXt", {'a', 0, 'b'});
  const auto with_text = [&] { return Png{.extra = text, .rows = png.rows}.bytes(); };
  EXPECT_EQ(refused_png(with_text()), "");
  text.back() ^= 1;
  EXPECT_NE(refused_png(with_text()), "");
  EXPECT_NE(refused_png(Png{.rows = cut(png.rows, 7)}.bytes()), "");
}

TEST(Png, RefusesHugeSizesBeforeAllocating) {
  EXPECT_NE(refused_png(Png{.width = 100'000, .height = 100'000, .rows = {0}}.bytes()), "");
  EXPECT_NE(refused_png(Png{.width = 0, .rows = {0}}.bytes()), "");
  EXPECT_NE(refused_png(Png{.width = 0xFFFFFFFF, .rows = {0}}.bytes()), "");
  const Folder folder;
  const auto path =
      folder.put("a.png", Png{.width = 2000, .height = 2000, .rows = Bytes(2001 * 2000)}.bytes());
  EXPECT_THROW(read_header(path, {.threshold = {}, .label = {}, .max_memory = 1'000'000}), ResourceError);
  EXPECT_EQ(voxels_of(path).size(), 4'000'000u);
}

TEST(Png, RefusesAFlippedSizeBeforeAnybodyComparesIt) {
  const Folder folder;
  Bytes bytes = Png{.rows = Bytes(10)}.bytes();
  bytes[19] ^= 4;
  EXPECT_THROW(read_header(folder.put("a.png", bytes)), InputError);
}

TEST(Png, RefusesDepthsThatDoNotExist) {
  EXPECT_NE(refused_png(Png{.bits = 3, .rows = {0}}.bytes()), "");
  EXPECT_NE(refused_png(Png{.bits = 4, .colour = 2, .rows = {0}}.bytes()), "");
  EXPECT_NE(refused_png(Png{.bits = 200, .rows = {0}}.bytes()), "");
  EXPECT_NE(refused_png(Png{.colour = 5, .rows = {0}}.bytes()), "");
}

TEST(Png, WritesMasksThatReadBack) {
  const Folder folder;
  const Header header = read_header(folder.put("a.png", Png{.rows = drawn({0}, {255})}.bytes()));
  EXPECT_EQ(header.grid.size, (std::array{4, 2, 1}));
  EXPECT_EQ(header.type, "png 8-bit grey");
  EXPECT_FALSE(header.positioned);
  EXPECT_TRUE(write_image(folder / "b.png", HardImage(kPngMask), header).empty());
  EXPECT_EQ(voxels_of(folder / "b.png"), kPngMask);
  EXPECT_EQ(decode_png(slurp(folder / "b.png"), "b").samples, (Bytes{0, 255, 0, 255, 255, 0, 0, 0}));
  write_image(folder / "c.nii.gz", HardImage(kPngMask), header);
  EXPECT_EQ(voxels_of(folder / "c.nii.gz"), kPngMask);
  EXPECT_FALSE(read_header(folder / "c.nii.gz").positioned);
  EXPECT_EQ(ending_of(header), ".png");
}

TEST(Png, NotesThatItHoldsNoPosition) {
  const Folder folder;
  Nifti file = sound_nifti();
  file.set_integer(file.at().dim, 2).voxels.resize(12);
  const Header header = read_header(folder.put("a.nii", file.bytes()));
  EXPECT_TRUE(any_has(write_image(folder / "b.png", HardImage(12, 1), header), "position"));
}

}  // namespace
}  // namespace crema::files::testing
