// SPDX-License-Identifier: Apache-2.0
#include "files/tiff/tiff.h"

#include <cmath>

#include "files/tiff/testing.h"

namespace crema::files::testing {
namespace {

constexpr int kBits = 258, kCompression = 259, kPhotometric = 262, kSamples = 277, kFormat = 339;

void expect_mask(const TiffMade& result, const std::string& warning = "") {
  const Folder folder;
  const auto path = folder.put("a.tif", result.bytes());
  EXPECT_EQ(voxels_of(path), kTiffMask);
  const auto warnings = warnings_of(path);
  if (warning.empty()) {
    EXPECT_TRUE(warnings.empty()) << warnings.front().text();
  } else {
    EXPECT_TRUE(any_has(warnings, warning));
  }
}

std::string refused_tiff(const TiffMade& result, const ReadOptions& options = {}) {
  const Folder folder;
  return refusal(folder.put("a.tif", result.bytes()), options);
}

template <class T>
TiffMade made_of(T inside, bool big_endian, int format) {
  auto bytes = std::bit_cast<std::array<std::uint8_t, sizeof(T)>>(inside);
  if (big_endian) std::reverse(bytes.begin(), bytes.end());
  TiffMade result = sound_tiff();
  result.big_endian = big_endian;
  result.pages[0] = tiff_page(4, 2, tiff_drawn(Bytes(sizeof(T)), Bytes(bytes.begin(), bytes.end())));
  result.pages[0].set(kBits, {8 * sizeof(T)}, 3).set(kFormat, {static_cast<std::uint64_t>(format)}, 3);
  return result;
}

TEST(Tiff, ReadsEveryNumberInBothByteOrders) {
  for (const bool big : {false, true}) {
    for (const bool wide : {false, true}) {
      for (TiffMade result : {made_of<std::uint8_t>(255, big, 1), made_of<std::uint16_t>(65535, big, 1),
                              made_of<std::uint32_t>(1, big, 1), made_of<std::uint64_t>(1, big, 1),
                              made_of<std::int8_t>(1, big, 2), made_of<std::int16_t>(1, big, 2),
                              made_of<std::int32_t>(1, big, 2), made_of<std::int64_t>(1, big, 2),
                              made_of<float>(1, big, 3), made_of<double>(1, big, 3)}) {
        result.wide = wide;
        expect_mask(result);
      }
    }
  }
  expect_mask(made_of<std::int16_t>(255, true, 2), "holds 0 and 255");
}

TEST(Tiff, ReadsFewBits) {
  TiffMade result = sound_tiff();
  result.pages[0].set(kBits, {1}, 3).pieces = {{0b01010000, 0b10000000}};
  expect_mask(result);
  result.pages[0].set(kBits, {2}, 3).pieces = {{0b00110011, 0b11000000}};
  expect_mask(result);
  result.pages[0].set(kBits, {4}, 3).pieces = {{0x0F, 0x0F, 0xF0, 0x00}};
  expect_mask(result);
  result.pages[0].set(kBits, {1}, 3).set(266, {2}, 3).pieces = {{0b00001010, 0b00000001}};
  expect_mask(result);
}

TEST(Tiff, CountsFromTheOtherEndWhereZeroIsWhite) {
  TiffMade result = sound_tiff();
  result.pages[0].set(kPhotometric, {0}, 3).pieces = {tiff_drawn({255}, {0})};
  expect_mask(result);
  result.pages[0].set(kBits, {1}, 3).pieces = {{0b10100000, 0b01110000}};
  expect_mask(result);
  const Folder folder;
  EXPECT_EQ(read_map(read_header(folder.put("a.tif", result.bytes()))).levels,
            (std::vector<float>{0, 1, 0, 1, 1, 0, 0, 0}));
}

TEST(Tiff, CountsFromTheOtherEndOnlyWhereThatIsExact) {
  TiffMade result = sound_tiff();
  result.pages[0].set(kPhotometric, {0}, 3).set(kBits, {64}, 3).pieces = {
      tiff_drawn(Bytes(8, 255), {254, 255, 255, 255, 255, 255, 255, 255})};
  EXPECT_TRUE(has(refused_tiff(result), "states that 0 is white, but its samples are uint64"));
  result.pages[0].set(kBits, {32}, 3).pieces = {tiff_drawn(Bytes(4, 255), {254, 255, 255, 255})};
  expect_mask(result);
}

TEST(Tiff, ReadsStripsAndTiles) {
  TiffMade result = sound_tiff();
  const Bytes all = result.pages[0].pieces[0];
  result.pages[0].set(278, {1}).pieces = {Bytes(all.begin(), all.begin() + 4),
                                          Bytes(all.begin() + 4, all.end())};
  expect_mask(result);
  TiffMadePage& page = result.pages[0];
  page = tiff_page(20, 18, {});
  page.tags.erase(278);
  page.set(322, {16}).set(323, {16});
  page.pieces = {Bytes(256), Bytes(256), Bytes(256), Bytes(256)};
  page.pieces[1][16 * 2 + 3] = 255;  // x 19, y 2
  page.pieces[2][16 * 1 + 5] = 255;  // x 5, y 17
  page.pieces[3][16 * 1 + 4] = 255;  // x 20: outside
  const Folder folder;
  Bytes expected(20 * 18);
  expected[2 * 20 + 19] = expected[17 * 20 + 5] = 1;
  EXPECT_EQ(voxels_of(folder.put("a.tif", result.bytes())), expected);
}

TEST(Tiff, ReadsPackedStrips) {
  TiffMade result = sound_tiff();
  const Bytes plain = result.pages[0].pieces[0];
  result.pages[0].set(kCompression, {8}, 3).pieces = {zlib_packed(plain)};
  expect_mask(result);
  result.pages[0].set(kCompression, {32946}, 3);
  expect_mask(result);
  // PackBits: eight bytes as they are.
  result.pages[0].set(kCompression, {32773}, 3).pieces = {joined({{7}, plain})};
  expect_mask(result);
}

TEST(Tiff, StacksPages) {
  TiffMade result = sound_tiff();
  result.pages.push_back(tiff_page(4, 2, tiff_drawn({255}, {0})));
  result.pages.push_back(result.pages[0]);
  const Folder folder;
  const Header header = read_header(folder.put("a.tif", result.bytes()));
  EXPECT_EQ(header.grid.size, (std::array{4, 2, 3}));
  EXPECT_EQ(header.type, "tiff 8-bit grey");
  EXPECT_FALSE(header.positioned);
  EXPECT_TRUE(any_has(header.warnings, "distance between its pages"));
  const Bytes inverse{1, 0, 1, 0, 0, 1, 1, 1};
  EXPECT_EQ(read_mask(header).voxels, joined({kTiffMask, inverse, kTiffMask}));
}

TEST(Tiff, RefusesPagesThatDiffer) {
  TiffMade result = sound_tiff();
  result.pages.push_back(tiff_page(4, 3, Bytes(12)));
  EXPECT_TRUE(has(refused_tiff(result), "page 2 is 4×3, but the first is 4×2"));
  result.pages[1] = made_of<std::uint16_t>(1, false, 1).pages[0];
  EXPECT_TRUE(has(refused_tiff(result), "page 2 is tiff 16-bit grey, but the first is tiff 8-bit grey"));
}

TEST(Tiff, SkipsReducedCopiesWithANote) {
  TiffMade result = sound_tiff();
  result.pages.push_back(tiff_page(2, 1, {1, 0}));
  result.pages[1].set(254, {1});
  expect_mask(result, "1 page is a reduced copy");
  std::swap(result.pages[0], result.pages[1]);
  expect_mask(result, "1 page is a reduced copy");
  result.pages.resize(1);
  EXPECT_TRUE(has(refused_tiff(result), "only reduced copies"));
}

TEST(Tiff, ReadsGreyInColourAndPalette) {
  TiffMade result = sound_tiff();
  TiffMadePage& page = result.pages[0];
  page.set(kPhotometric, {2}, 3).set(kSamples, {3}, 3).set(kBits, {8, 8, 8}, 3);
  page.pieces = {tiff_drawn({0, 0, 0}, {255, 255, 255})};
  expect_mask(result);
  page.pieces = {tiff_drawn({0, 0, 0}, {255, 0, 0})};
  EXPECT_TRUE(has(refused_tiff(result), "colour image"));
  page.set(kSamples, {4}, 3).set(kBits, {8, 8, 8, 8}, 3).set(338, {2}, 3);
  page.pieces = {tiff_drawn({200, 0, 0, 0}, {200, 0, 0, 255})};
  expect_mask(result, "transparency");
  std::vector<std::uint64_t> colours(768);
  colours[1] = colours[256 + 1] = colours[512 + 1] = 65535;
  page = tiff_page(4, 2, tiff_drawn({0}, {1}));
  page.set(kPhotometric, {3}, 3).set(320, colours, 3);
  expect_mask(result);
  page.set(320, std::vector<std::uint64_t>(768, 255), 3);
  page.tags[320].numbers[1] = 0;
  EXPECT_TRUE(has(refused_tiff(result), "none is black or transparent"));
  for (const std::size_t c : {0u, 256u, 512u}) page.tags[320].numbers[c] = 0;
  expect_mask(result, "entry 0, which is black, is used as background");
  const Folder folder;
  EXPECT_THROW(read_map(read_header(folder.put("a.tif", result.bytes()))), InputError);
}

TEST(Tiff, DecidesOnceForAllPagesWhereTheMaskIs) {
  TiffMade result = sound_tiff();
  TiffMadePage& page = result.pages[0];
  page.set(kSamples, {2}, 3).set(kBits, {8, 8}, 3).set(338, {2}, 3);
  page.pieces = {tiff_drawn({9, 0}, {9, 255})};
  result.pages.push_back(result.pages[0]);
  result.pages[1].pieces = {tiff_drawn({9, 0}, {9, 0})};  // nothing on this page varies
  const Folder folder;
  EXPECT_EQ(voxels_of(folder.put("a.tif", result.bytes())), joined({kTiffMask, Bytes(8)}));
}

TEST(Tiff, RefusesWhatHoldsNoMask) {
  const auto with = [](int tag, std::vector<std::uint64_t> numbers) {
    TiffMade result = sound_tiff();
    result.pages[0].set(tag, std::move(numbers), 3).pieces = {Bytes(32)};
    return refused_tiff(result);
  };
  EXPECT_TRUE(has(with(kPhotometric, {5}), "colour kind 5"));
  EXPECT_TRUE(has(with(kCompression, {7}), "JPEG"));
  EXPECT_TRUE(has(with(kCompression, {34712}), "compression (34712)"));
  EXPECT_TRUE(has(with(kCompression, {50001}), "compression (50001)"));
  EXPECT_TRUE(has(with(kFormat, {5}), "complex"));
  EXPECT_TRUE(has(with(kBits, {12}), "12 bits"));
  EXPECT_TRUE(has(with(kBits, {24}), "24 bits"));
  EXPECT_TRUE(has(with(32997, {2}), "several slices"));
  TiffMade half = made_of<std::uint16_t>(1, false, 3);
  EXPECT_TRUE(has(refused_tiff(half), "16 bits"));
  TiffMade white = made_of<float>(1, false, 3);
  white.pages[0].set(kPhotometric, {0}, 3);
  EXPECT_TRUE(has(refused_tiff(white), "0 is white"));
  TiffMade two = sound_tiff();
  two.pages[0].set(kSamples, {2}, 3).set(kBits, {8, 8}, 3).pieces = {Bytes(16)};
  EXPECT_TRUE(has(refused_tiff(two), "2 channels"));
  TiffMade apart = sound_tiff();
  apart.pages[0].set(kPhotometric, {2}, 3).set(kSamples, {3}, 3).set(kBits, {8, 8, 8}, 3).set(284, {2}, 3);
  apart.pages[0].pieces = {Bytes(8), Bytes(8), Bytes(8)};
  EXPECT_TRUE(has(refused_tiff(apart), "separately"));
}

TEST(Tiff, ChecksValuesAsEverywhere) {
  TiffMade result = sound_tiff();
  result.pages[0].pieces[0][0] = 100;
  EXPECT_TRUE(has(refused_tiff(result), "cut with threshold"));
  const Folder folder;
  const auto path = folder.put("a.tif", result.bytes());
  EXPECT_EQ(voxels_of(path, {.threshold = 127.0, .label = {}, .max_memory = 0}), kTiffMask);
  EXPECT_EQ(voxels_of(path, {.threshold = {}, .label = 255.0, .max_memory = 0}), kTiffMask);
  EXPECT_FLOAT_EQ(read_map(read_header(path)).levels[0], 100.0F / 255.0F);
  const TiffMade real = made_of<float>(0.25F, true, 3);
  const Header header = read_header(folder.put("b.tif", real.bytes()));
  EXPECT_EQ(header.type, "tiff float32");
  EXPECT_FLOAT_EQ(read_map(header).levels[1], 0.25F);
  EXPECT_TRUE(has(refused_tiff(made_of<float>(NAN, false, 3)), "NaN"));
}

}  // namespace
}  // namespace crema::files::testing
