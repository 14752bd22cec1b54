// SPDX-License-Identifier: Apache-2.0
#include "files/png/levels.h"

#include <cmath>
#include <random>

#include "files/png/codec.h"
#include "files/png/testing.h"

namespace crema::files::testing {
namespace {

using Levels = std::vector<float>;

/// Levels around those that decide.
Levels edges() {
  Levels levels{0, 0.5F, 1};
  for (const float level : {0.0F, 0.5F, 1.0F}) {
    for (const float to : {-1.0F, 2.0F}) {
      const float next = std::nextafter(level, to);
      if (next > 0 && next < 1) levels.push_back(next);
    }
  }
  for (const float level : {1e-30F, 1e-6F, 0.49999F, 0.50001F, 0.99999F, 0.25F, 0.75F, 0.1F})
    levels.push_back(level);
  return levels;
}

Header reference_of(const Folder& folder, std::size_t voxels) {
  const auto width = static_cast<std::uint32_t>(voxels);
  return read_header(
      folder.put("r.png", Png{.width = width, .height = 1, .rows = Bytes(voxels + 1)}.bytes()));
}

Bytes above(const Levels& levels, float cut) {
  Bytes mask;
  for (const float level : levels) mask.push_back(level > cut ? 1 : 0);
  return mask;
}

TEST(LevelCode, ZeroOneHalfAndOneAreThemselvesAndNothingElseIs) {
  for (const int scale : {65534, 65472, 64512}) {
    const LevelCode code(scale);
    for (const float level : edges()) {
      const float back = code.level(code.sample(level));
      EXPECT_EQ(back > 0, level > 0) << level;
      EXPECT_EQ(back > 0.5F, level > 0.5F) << level;
      EXPECT_EQ(back < 0.5F, level < 0.5F) << level;
      EXPECT_EQ(back >= 1, level >= 1) << level;
      EXPECT_NEAR(back, level, 1.5 / scale) << level;
    }
    EXPECT_EQ(code.sample(1), 65535);
    EXPECT_EQ(code.level(65535), 1.0F);
  }
}

TEST(LevelCode, SharesOfUpTo64RatersComeBackToTheBit) {
  for (int raters = 1; raters <= 64; ++raters) {
    Levels levels;
    for (int k = 0; k <= raters; ++k) levels.push_back(static_cast<float>(k) / static_cast<float>(raters));
    const LevelCode code = LevelCode::fit(levels);
    for (const float level : levels) EXPECT_EQ(code.level(code.sample(level)), level) << raters;
    EXPECT_EQ(code.scale() % 2, 0);
  }
}

TEST(LevelCode, ManyLevelsTakeTheFinestSteps) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> real(0, 1);
  Levels levels(10'000);
  for (float& level : levels) level = real(random);
  EXPECT_EQ(LevelCode::fit(levels).scale(), LevelCode::kLargest);
}

TEST(PngLevels, OwnMapsReadBackAsTheyWere) {
  const Folder folder;
  Levels levels;
  for (int k = 0; k <= 64; ++k) levels.push_back(static_cast<float>(k) / 64);
  const Header reference = reference_of(folder, levels.size());
  EXPECT_TRUE(write_image(folder / "soft.png", SoftImage(std::span<const float>(levels)), reference).empty());
  const Header header = read_header(folder / "soft.png");
  EXPECT_EQ(header.type, "png 16-bit grey");
  EXPECT_TRUE(header.warnings.empty());
  EXPECT_EQ(read_map(header).levels, levels);
  for (const float cut : {0.0F, 0.25F, 0.5F, 0.984375F})
    EXPECT_EQ(voxels_of(folder / "soft.png", threshold(static_cast<double>(cut))), above(levels, cut)) << cut;
  EXPECT_TRUE(has(refusal(folder / "soft.png"), "probability map: use threshold=0.5"));
}

TEST(PngLevels, WhatLiesAboveOneHalfStaysSo) {
  const Folder folder;
  const Levels levels = edges();
  const auto warnings = write_image(folder / "soft.png", SoftImage(std::span<const float>(levels)),
                                    reference_of(folder, levels.size()));
  EXPECT_TRUE(any_has(warnings, "in steps of 1/65534"));
  EXPECT_EQ(voxels_of(folder / "soft.png", threshold(0.5)), above(levels, 0.5F));
  EXPECT_EQ(voxels_of(folder / "soft.png", threshold(0)), above(levels, 0));
  const auto back = read_map(read_header(folder / "soft.png")).levels;
  EXPECT_EQ(above(back, 0.5F), above(levels, 0.5F));
}

TEST(PngLevels, OtherProgramsSeeNearlyTheSameLevels) {
  const Folder folder;
  const Levels levels{0, 0.25F, 0.5F, 0.75F, 1};
  write_image(folder / "soft.png", SoftImage(std::span<const float>(levels)),
              reference_of(folder, levels.size()));
  const Bytes samples = decode_png(slurp(folder / "soft.png"), "soft").samples;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    std::uint16_t sample = 0;
    std::memcpy(&sample, &samples[2 * i], 2);
    EXPECT_NEAR(sample / 65535.0, static_cast<double>(levels[i]), 1e-3);
    EXPECT_EQ(sample / 65535.0 > 0.5, levels[i] > 0.5F);
  }
}

/// One row of 16-bit samples, with a mark or without.
Png samples(const std::vector<std::uint16_t>& row, const std::string& mark = "") {
  Png png{.width = static_cast<std::uint32_t>(row.size()), .height = 1, .bits = 16};
  const std::string text = std::string(kLevelMark) + '\0' + mark;
  if (!mark.empty()) png.extra = chunk("tEXt", Bytes(text.begin(), text.end()));
  png.rows = {0};
  for (const std::uint16_t sample : row) {
    png.rows.push_back(static_cast<std::uint8_t>(sample >> 8));
    png.rows.push_back(static_cast<std::uint8_t>(sample & 255));
  }
  return png;
}

TEST(PngLevels, ForeignPngsKeepTheirSamples) {
  const Folder folder;
  const auto path = folder.put("a.png", samples({0, 32767, 32768, 65535}).bytes());
  EXPECT_EQ(voxels_of(path, threshold(0.5)), (Bytes{0, 1, 1, 1}));
  EXPECT_EQ(voxels_of(path, threshold(32767)), (Bytes{0, 0, 1, 1}));
  EXPECT_FLOAT_EQ(read_map(read_header(path)).levels[2], 32768 / 65535.0F);
}

TEST(PngLevels, TheMarkMustHoldTogether) {
  const Folder folder;
  const std::vector<std::uint16_t> row{0, 300, 600, 65535};
  const auto sound = folder.put("a.png", samples(row, "600").bytes());
  EXPECT_EQ(read_map(read_header(sound)).levels, (std::vector<float>{0, 0.5F, 1, 1}));
  for (const std::string mark : {"0", "1", "601", "65535", "65536", "-2", "600 ", "6e2", "many"})
    EXPECT_TRUE(has(refusal(folder.put("a.png", samples(row, mark).bytes())), "instead of the scale"))
        << mark;
  Png twice = samples(row, "600");
  twice.extra = joined({twice.extra, twice.extra});
  EXPECT_TRUE(has(refusal(folder.put("a.png", twice.bytes())), "two marks"));
  const std::string text = std::string(kLevelMark) + '\0' + "65534";
  const Png narrow{.extra = chunk("tEXt", Bytes(text.begin(), text.end())), .rows = drawn({0}, {255})};
  const auto path = folder.put("a.png", narrow.bytes());
  EXPECT_EQ(voxels_of(path), kPngMask);
  EXPECT_TRUE(any_has(warnings_of(path), "no longer 16-bit grey"));
}

TEST(SoftResults, EveryFormatKeepsOneHalf) {
  const Folder folder;
  Levels levels;
  for (int k = 0; k <= 64; ++k) levels.push_back(static_cast<float>(k) / 64);
  const Header reference = reference_of(folder, levels.size());
  for (const std::string name :
       {"a.png", "a.tif", "a.nii", "a.nii.gz", "a.hdr", "a.nrrd", "a.mha", "b.mhd"}) {
    write_image(folder / name, SoftImage(std::span<const float>(levels)), reference);
    const Header header = read_header(folder / name);
    EXPECT_EQ(read_map(header).levels, levels) << name;
    EXPECT_EQ(voxels_of(folder / name, threshold(0.5)), above(levels, 0.5F)) << name;
    EXPECT_FALSE(header.measured) << name;
  }
}

}  // namespace
}  // namespace crema::files::testing
