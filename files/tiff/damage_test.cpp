// SPDX-License-Identifier: Apache-2.0
#include <random>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "files/tiff/directory.h"
#include "files/tiff/testing.h"

namespace crema::files::testing {
namespace {

std::string refused_damage(const Bytes& bytes) {
  const Folder folder;
  return refusal(folder.put("a.tif", bytes));
}

std::string refused_damage(const TiffMade& result) { return refused_damage(result.bytes()); }

/// The strip is packed by one of the ways TIFF has.
TiffMade packed(std::uint64_t compression, const Bytes& strip) {
  TiffMade result = sound_tiff();
  result.pages[0].set(259, {compression}, 3).pieces = {strip};
  return result;
}

TEST(TiffDamage, EveryTruncationIsRefused) {
  for (const bool wide : {false, true}) {
    TiffMade result = sound_tiff();
    result.wide = wide;
    const Bytes sound = result.bytes();
    EXPECT_EQ(refused_damage(sound), "");
    for (std::size_t size = 4; size < sound.size(); ++size) {
      EXPECT_NE(refused_damage(cut(sound, size)), "") << size << " of " << sound.size();
    }
  }
}

TEST(TiffDamage, NoBitFlipInADeflatedStripChangesThePixelsSilently) {
  Bytes pixels(64 * 64);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = i % 7 == 0 ? 255 : 0;
  const Bytes strip = zlib_packed(pixels);
  TiffMade result;
  result.pages = {tiff_page(64, 64, strip)};
  result.pages[0].set(259, {8}, 3);
  const Bytes sound = result.bytes();
  ASSERT_EQ(refused_damage(sound), "");
  const Folder folder;
  const Bytes mask = voxels_of(folder.put("a.tif", sound));
  int harmless = 0;
  for (std::size_t bit = 8 * 8; bit < 8 * (8 + strip.size()); ++bit) {
    Bytes flipped = sound;
    flipped[bit / 8] = static_cast<std::uint8_t>(flipped[bit / 8] ^ (1u << (bit % 8)));
    const auto path = folder.put("a.tif", flipped);
    if (!refusal(path).empty()) continue;
    EXPECT_EQ(voxels_of(path), mask) << "bit " << bit;
    ++harmless;
  }
  EXPECT_LT(harmless, 16);  // bits that fill up a byte, and the size of the window
}

TEST(TiffDamage, StripsThatEndEarlyAreRefused) {
  const Bytes plain = sound_tiff().pages[0].pieces[0];
  EXPECT_NE(refused_damage(packed(8, zlib_packed(cut(plain, 7)))), "");
  EXPECT_NE(refused_damage(packed(8, cut(zlib_packed(plain), 6))), "");
  EXPECT_NE(refused_damage(packed(8, zlib_packed(joined({plain, {0}})))), "");
  EXPECT_NE(refused_damage(packed(32773, joined({{6}, cut(plain, 7)}))), "");
  EXPECT_NE(refused_damage(packed(5, {0x80, 0x00})), "");
  EXPECT_NE(refused_damage(packed(1, cut(plain, 7))), "");
}

TEST(TiffDamage, LoopsOfPagesAreRefused) {
  TiffMade result = sound_tiff();
  result.loop_to = 0;
  EXPECT_TRUE(has(refused_damage(result), "leads back"));
  result.pages.push_back(result.pages[0]);
  result.pages.push_back(result.pages[0]);
  result.loop_to = 1;
  EXPECT_TRUE(has(refused_damage(result), "page 3 leads back to an earlier one"));
}

TEST(TiffDamage, FilesWithoutPagesAreRefused) {
  TiffMade result;
  EXPECT_TRUE(has(refused_damage(result), "without any page"));
  result.pages.emplace_back();
  EXPECT_TRUE(has(refused_damage(result), "directory of 0 entries"));
  Bytes bytes = sound_tiff().bytes();
  bytes[4] = bytes[5] = bytes[6] = 0xFF;
  EXPECT_TRUE(has(refused_damage(bytes), "cut short"));
}

TEST(TiffDamage, StripsThatAreMissingOrElsewhereAreRefused) {
  TiffMade none = sound_tiff();
  none.pages[0].pieces.clear();
  EXPECT_NE(refused_damage(none), "");
  TiffMade few = sound_tiff();
  few.pages[0].set(278, {1});
  EXPECT_NE(refused_damage(few), "");
  TiffMade beyond = sound_tiff();
  beyond.pages[0].set(273, {100000});
  EXPECT_TRUE(has(refused_damage(beyond), "strip or tile 0 should lie at byte 100000 with 8 bytes"));
  TiffMade empty = sound_tiff();
  empty.pages[0].set(279, {0});
  EXPECT_NE(refused_damage(empty), "");
  TiffMade uncounted = sound_tiff();
  uncounted.pages[0].set(279, {7});
  EXPECT_NE(refused_damage(uncounted), "");
}

TEST(TiffDamage, SizesThatCannotBeAreRefusedBeforeAllocating) {
  for (const auto& [width, height] :
       std::vector<std::pair<std::uint64_t, std::uint64_t>>{{100'000, 100'000},
                                                            {0xFFFFFFFF, 1},
                                                            {1, 0xFFFFFFFF},
                                                            {0, 2},
                                                            {4, 0},
                                                            {2'000'000'000, 2'000'000'000}}) {
    for (const std::uint64_t compression : {1u, 5u, 8u, 32773u}) {
      TiffMade result = packed(compression, Bytes(1000));
      result.pages[0].set(256, {width}).set(257, {height}).set(278, {height});
      EXPECT_NE(refused_damage(result), "") << width << "×" << height << " in " << compression;
      result.pages[0].tags.erase(278);
      result.pages[0].set(322, {width}).set(323, {height});
      EXPECT_NE(refused_damage(result), "") << width << "×" << height << " tile in " << compression;
    }
  }
}

TEST(TiffDamage, WhatTakesTooMuchMemoryIsRefusedBeforeAllocating) {
  const Folder folder;
  TiffMade result;
  result.pages = {tiff_page(2000, 2000, zlib_packed(Bytes(4'000'000)))};
  result.pages[0].set(259, {8}, 3);
  const auto path = folder.put("a.tif", result.bytes());
  EXPECT_THROW(read_header(path, {.threshold = {}, .label = {}, .max_memory = 1'000'000}), ResourceError);
  EXPECT_EQ(voxels_of(path).size(), 4'000'000u);
}

TEST(TiffDamage, PagesThatShareTheirPixelsCannotBeMoreThanTheFile) {
  TiffMade result = sound_tiff();
  result.pages[0] = tiff_page(100, 100, Bytes(10000));
  for (int i = 0; i < 300; ++i) {
    result.pages.push_back(result.pages[0]);
    result.pages.back().pieces.clear();
    result.pages.back().set(273, {8}).set(279, {10000});
  }
  EXPECT_TRUE(has(refused_damage(result), "its pages declare 3"));
}

RC_GTEST_PROP(TiffDamage, IsNeverACrash, (std::uint32_t seed)) {
  std::mt19937 random(seed);
  TiffMade result = sound_tiff();
  result.big_endian = seed % 2 == 0;
  result.wide = seed % 3 == 0;
  result.pages.push_back(result.pages[0]);
  if (seed % 5 == 0) result.pages[1].set(259, {8}, 3).pieces = {zlib_packed(Bytes(8))};
  Bytes bytes = result.bytes();
  for (int i = 0; i < 3; ++i) {
    bytes[4 + random() % (bytes.size() - 4)] = static_cast<std::uint8_t>(random());
  }
  const Folder folder;
  const auto path = folder.put("a.tif", bytes);
  try {
    const Header header = read_header(path, {.threshold = 0.5, .label = {}, .max_memory = 1'000'000});
    const MaskFile mask = read_mask(header, {.threshold = 0.5, .label = {}, .max_memory = 1'000'000});
    RC_ASSERT(static_cast<std::int64_t>(mask.voxels.size()) == header.grid.voxels());
  } catch (const InputError&) {
  } catch (const ResourceError&) {
  }
}

}  // namespace
}  // namespace crema::files::testing
