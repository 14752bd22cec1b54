// SPDX-License-Identifier: Apache-2.0
#include "annotations/shapes/rle.h"

#include <random>

#include <gtest/gtest.h>

#include "crema/base/error.h"

namespace crema::annotations {
namespace {

using Counts = std::vector<std::uint32_t>;

Patch random_patch(std::mt19937& random, Extent size) {
  std::bernoulli_distribution changes(0.2);
  Patch patch{0, 0, size, std::vector<std::uint8_t>(static_cast<std::size_t>(size.pixels()))};
  std::uint8_t value = 0;
  for (std::uint8_t& pixel : patch.pixels)
    pixel = value = static_cast<std::uint8_t>(changes(random) ? 1 - value : value);
  return patch;
}

TEST(Rle, CompressedCountsAreThoseThatOthersWrite) {
  EXPECT_EQ(unpack_coco("j28R5"), (Counts{90, 8, 162}));
  EXPECT_EQ(pack_coco(Counts{90, 8, 162}), "j28R5");
}

TEST(Rle, CompressedCountsComeBack) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  std::uniform_int_distribution<std::uint32_t> length(0, INT32_MAX), bits(0, 30);
  for (int round = 0; round < 200; ++round) {
    Counts counts(static_cast<std::size_t>(round % 17));
    for (std::uint32_t& count : counts) count = length(random) >> bits(random);
    EXPECT_EQ(unpack_coco(pack_coco(counts)), counts);
  }
}

TEST(Rle, CompressedCountsThatEndOrLeaveTheAlphabetAreRefused) {
  for (const char* bad : {"P", "5\x7f", "5 ", "oooooooooo5", "@", "555@", "\xc3\xa9"})
    EXPECT_THROW(unpack_coco(bad), InputError) << bad;
}

TEST(Rle, RunsThatDoNotAddUpAreRefusedWithBothNumbers) {
  try {
    check_sum({Runs::Order::columns, 0, 0, {4, 3}, {5, 3, 3}});
    FAIL();
  } catch (const InputError& e) {
    EXPECT_EQ(e.sentence.text(), "the runs cover 11 pixels, but 4 × 3 are 12.");
  }
}

TEST(Rle, MasksComeBackFromRowsColumnsAndBrushes) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  for (std::int32_t side = 1; side < 40; ++side) {
    const Extent size{side, 1 + side * 7 % 23};
    const Patch mask = random_patch(random, size);
    for (const auto order : {Runs::Order::rows, Runs::Order::columns}) {
      const Patch back = rasterise(runs_of(mask, order), size);
      EXPECT_EQ(cropped(back).pixels, cropped(mask).pixels);
      EXPECT_EQ(cropped(back).left, cropped(mask).left);
      EXPECT_EQ(cropped(back).top, cropped(mask).top);
    }
    const Runs rows = runs_of(mask, Runs::Order::rows);
    EXPECT_EQ(unpack_brush(pack_brush(rows), size).counts, rows.counts);
  }
}

TEST(Rle, ABrushIsInsideWhereItIsNotTransparent) {
  // Six pixels of four samples, each by itself: colours alone paint nothing.
  std::vector<std::uint8_t> bytes{0, 0, 0, 24};
  const auto bit_text = [](std::uint32_t value, int count) {
    std::string text;
    for (int i = count - 1; i >= 0; --i) text += (value >> i & 1U) != 0 ? '1' : '0';
    return text;
  };
  std::string bits = bit_text(7, 5) + bit_text(4, 4) + bit_text(4, 4) + bit_text(4, 4) + bit_text(4, 4);
  bits += "000" + bit_text(23, 5);
  for (const std::uint32_t alpha : {0U, 255U, 1U, 0U, 0U, 7U})
    bits += bit_text(9, 8) + bit_text(9, 8) + bit_text(9, 8) + bit_text(alpha, 8);
  while (bits.size() % 8 != 0) bits += '0';
  for (std::size_t i = 0; i < bits.size(); i += 8)
    bytes.push_back(static_cast<std::uint8_t>(std::stoi(bits.substr(i, 8), nullptr, 2)));
  EXPECT_EQ(unpack_brush(bytes, {3, 2}).counts, (Counts{1, 2, 2, 1}));
  EXPECT_THROW(unpack_brush(bytes, {2, 2}), InputError);
  bytes.pop_back();
  bytes.pop_back();
  EXPECT_THROW(unpack_brush(bytes, {3, 2}), InputError);
  EXPECT_THROW(unpack_brush({}, {3, 2}), InputError);
}

}  // namespace
}  // namespace crema::annotations
