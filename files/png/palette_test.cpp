// SPDX-License-Identifier: Apache-2.0
#include "files/png/palette.h"

#include "files/png/testing.h"

namespace crema::files::testing {
namespace {

const Bytes kBlack{0, 0, 0}, kRed{255, 0, 0}, kGreen{0, 255, 0}, kWhite{255, 255, 255};
const Bytes kRest{1, 0, 1, 0, 0, 1, 1, 1};  ///< what kPngMask leaves out

/// kPngMask drawn from two entries of a palette.
Png coloured(std::initializer_list<Bytes> palette, std::uint8_t outside, std::uint8_t inside,
             const Bytes& alpha = {}) {
  const Bytes colours = chunk("PLTE", joined(palette));
  return {.colour = 3,
          .extra = alpha.empty() ? colours : joined({colours, chunk("tRNS", alpha)}),
          .rows = drawn({outside}, {inside})};
}

struct Read {
  Bytes mask;
  std::string refusal;
  Warnings warnings;
};

Read read(const Png& png, const ReadOptions& options = {}) {
  const Folder folder;
  const auto path = folder.put("a.png", png.bytes());
  Read result;
  result.refusal = refusal(path, options);
  if (!result.refusal.empty()) return result;
  result.mask = voxels_of(path, options);
  result.warnings = warnings_of(path, options);
  return result;
}

ReadOptions label(double value) { return {.threshold = {}, .label = value, .max_memory = 0}; }
TEST(Palette, AnIndexBeyondItsEndIsDamage) {
  for (const ReadOptions& options : {ReadOptions{}, label(1), threshold(0.5)}) {
    EXPECT_TRUE(
        has(read(coloured({kBlack, kWhite}, 0, 2), options).refusal, "uses entry 2 of a palette of 2"));
    EXPECT_TRUE(
        has(read(coloured({kBlack, kRed}, 255, 1), options).refusal, "uses entry 255 of a palette of 2"));
  }
  const Png narrow{.bits = 2,
                   .colour = 3,
                   .extra = chunk("PLTE", joined({kWhite, kBlack})),
                   .rows = {0, 0b11011101, 0, 0b01111111}};
  EXPECT_TRUE(has(read(narrow).refusal, "uses entry 3 of a palette of 2"));
  const Folder folder;
  const auto path = folder.put("a.png", coloured({kBlack, kWhite}, 0, 2).bytes());
  EXPECT_THROW(read_map(read_header(path)), InputError);
}

TEST(Palette, TheBlackEntryIsBackgroundWhereverItStands) {
  EXPECT_EQ(read(coloured({kBlack, kRed}, 0, 1)).mask, kPngMask);
  EXPECT_EQ(read(coloured({kRed, kBlack}, 1, 0)).mask, kPngMask);
  EXPECT_EQ(read(coloured({kRed, kBlack}, 0, 1)).mask, kRest);
  EXPECT_EQ(read(coloured({kRed, kGreen, kBlack}, 2, 1)).mask, kPngMask);
  EXPECT_TRUE(any_has(read(coloured({kRed, kBlack}, 1, 0)).warnings,
                      "its palette is coloured; entry 1, which is black, is used as background"));
}

TEST(Palette, TheTransparentEntryIsBackground) {
  EXPECT_EQ(read(coloured({kRed, kGreen}, 0, 1, {0})).mask, kPngMask);
  EXPECT_EQ(read(coloured({kRed, kGreen}, 1, 0, {255, 0})).mask, kPngMask);
  EXPECT_TRUE(
      any_has(read(coloured({kRed, kGreen}, 1, 0, {255, 0})).warnings, "entry 1, which is transparent"));
  EXPECT_EQ(read(coloured({kWhite, kRed}, 0, 1, {0})).mask, kPngMask);
}

TEST(Palette, OneEntryAloneIsAllInsideOrNothing) {
  EXPECT_EQ(read(coloured({kBlack, kRed}, 1, 1)).mask, Bytes(8, 1));
  EXPECT_EQ(read(coloured({kRed, kBlack}, 1, 1)).mask, Bytes(8, 0));
}

TEST(Palette, BlackEntriesThatOnlyFillItUpDoNotCount) {
  EXPECT_EQ(read(coloured({kRed, kBlack, kBlack, kBlack}, 2, 0)).mask, kPngMask);
  EXPECT_TRUE(
      has(read(coloured({kRed, kBlack, kBlack, kGreen}, 0, 3)).refusal, "none is black or transparent"));
}

TEST(Palette, WithoutABackgroundItIsRefusedWithTheWayOut) {
  const std::string none = read(coloured({kRed, kGreen}, 0, 1)).refusal;
  EXPECT_TRUE(has(none, "none is black or transparent")) << none;
  EXPECT_TRUE(has(none, "0 (255, 0, 0), 1 (0, 255, 0)")) << none;
  EXPECT_TRUE(has(none, "label=1")) << none;
  EXPECT_TRUE(
      has(read(coloured({kBlack, kRed}, 0, 1, {255, 0})).refusal, "several are black or transparent"));
  const std::string several = read(Png{.colour = 3,
                                       .extra = chunk("PLTE", joined({kBlack, kRed, kGreen})),
                                       .rows = {0, 0, 1, 0, 2, 0, 0, 0, 0, 0}})
                                  .refusal;
  EXPECT_TRUE(has(several, "has 2 colours besides its background, the palette entry 0")) << several;
  EXPECT_TRUE(has(several, "1 (255, 0, 0), 2 (0, 255, 0)")) << several;
}

TEST(Palette, ALabelIsTheNumberOfAnEntry) {
  EXPECT_EQ(read(coloured({kRed, kGreen}, 0, 1), label(1)).mask, kPngMask);
  EXPECT_EQ(read(coloured({kRed, kGreen}, 0, 1), label(0)).mask, kRest);
  EXPECT_EQ(read(coloured({kRed, kGreen}, 0, 1), threshold(0.5)).mask, kPngMask);
  EXPECT_TRUE(any_has(read(coloured({kRed, kGreen}, 0, 1), label(1)).warnings, "numbers of its entries"));
}

TEST(Palette, ALabelMeansTheSameWhateverOccurs) {
  // Only greys occur here, but another file with this palette may be red.
  EXPECT_EQ(read(coloured({kBlack, kRed, kWhite}, 0, 2), label(2)).mask, kPngMask);
  EXPECT_EQ(read(coloured({kBlack, kRed, kWhite}, 0, 1), label(1)).mask, kPngMask);
  EXPECT_EQ(read(coloured({kRed, kRed, kGreen}, 0, 1, {0}), label(1)).mask, kPngMask);
}

TEST(Palette, GreysAreLevels) {
  const Png grey = coloured({kWhite, kBlack}, 1, 0);
  EXPECT_EQ(read(grey).mask, kPngMask);
  EXPECT_TRUE(read(grey).warnings.empty());
  EXPECT_EQ(read(grey, label(255)).mask, kPngMask);
  EXPECT_EQ(read(grey, threshold(127)).mask, kPngMask);
  EXPECT_TRUE(read(coloured({kBlack, kRed, kWhite}, 0, 2)).warnings.empty());
}

}  // namespace
}  // namespace crema::files::testing
