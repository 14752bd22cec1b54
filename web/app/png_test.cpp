// SPDX-License-Identifier: Apache-2.0
// The page's own reader of PNG against libpng: the same pixels, and the same files refused.
#include "web/app/png.h"

#include <optional>

#include <gtest/gtest.h>

#include "crema/base/error.h"
#include "files/png/testing.h"

namespace crema::report {
namespace {

using files::PngPixels;
using files::testing::Bytes;
using files::testing::Png;

using Reader = PngPixels (*)(std::span<const std::uint8_t>, const std::filesystem::path&);

std::optional<PngPixels> read(Reader reader, const Bytes& file) {
  try {
    return reader(file, "a.png");
  } catch (const InputError&) {
    return {};
  }
}

void expect_same(const Bytes& file, const std::string& what) {
  const auto ours = read(unpack_png, file), theirs = read(files::decode_png, file);
  ASSERT_EQ(ours.has_value(), theirs.has_value()) << what;
  if (!ours) return;
  EXPECT_EQ(ours->width, theirs->width) << what;
  EXPECT_EQ(ours->height, theirs->height) << what;
  EXPECT_EQ(ours->channels, theirs->channels) << what;
  EXPECT_EQ(ours->sample_bytes, theirs->sample_bytes) << what;
  EXPECT_EQ(ours->samples, theirs->samples) << what;
  EXPECT_EQ(ours->palette, theirs->palette) << what;
  EXPECT_EQ(ours->colours, theirs->colours) << what;
  EXPECT_EQ(ours->table, theirs->table) << what;
}

unsigned next(unsigned& seed) { return (seed = seed * 1664525U + 1013904223U) >> 16; }

/// Random rows behind random filters, as many as the form needs.
Bytes rows_for(const Png& png, std::size_t channels, unsigned& seed) {
  constexpr std::array<std::array<std::size_t, 4>, 7> passes{
      {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}};
  Bytes rows;
  const auto add = [&](std::size_t columns, std::size_t count) {
    for (std::size_t y = 0; columns > 0 && y < count; ++y) {
      rows.push_back(static_cast<std::uint8_t>(next(seed) % 5));
      for (std::size_t i = 0; i < (columns * png.bits * channels + 7) / 8; ++i)
        rows.push_back(static_cast<std::uint8_t>(next(seed)));
    }
  };
  if (png.interlace == 0) add(png.width, png.height);
  for (const auto& [x, y, dx, dy] : passes)
    if (png.interlace == 1 && png.width > x && png.height > y)
      add((png.width - x + dx - 1) / dx, (png.height - y + dy - 1) / dy);
  return rows;
}

struct Kind {
  std::uint8_t colour, bits;
  std::size_t channels;
};

constexpr std::array kKinds{Kind{0, 1, 1}, Kind{0, 2, 1},  Kind{0, 4, 1}, Kind{0, 8, 1}, Kind{0, 16, 1},
                            Kind{2, 8, 3}, Kind{2, 16, 3}, Kind{3, 1, 1}, Kind{3, 4, 1}, Kind{3, 8, 1},
                            Kind{4, 8, 2}, Kind{4, 16, 2}, Kind{6, 8, 4}, Kind{6, 16, 4}};

Png png_of(const Kind& kind, unsigned& seed) {
  Png png{
      .width = 1 + next(seed) % 19, .height = 1 + next(seed) % 19, .bits = kind.bits, .colour = kind.colour};
  png.interlace = static_cast<std::uint8_t>(next(seed) % 2);
  if (kind.colour == 3) png.extra = files::testing::chunk("PLTE", Bytes(3U << kind.bits, 77));
  const bool keyed = kind.colour < 4 && next(seed) % 2 == 0;
  if (keyed) {
    const Bytes key = kind.colour == 3 ? Bytes{0} : Bytes(2 * kind.channels, 0);
    png.extra = files::testing::joined({png.extra, files::testing::chunk("tRNS", key)});
  }
  png.rows = rows_for(png, kind.channels, seed);
  return png;
}

TEST(UnpackPng, GivesThePixelsThatLibpngGives) {
  unsigned seed = 1;
  for (int round = 0; round < 12; ++round)
    for (const Kind& kind : kKinds) {
      const Png png = png_of(kind, seed);
      expect_same(png.bytes(), std::to_string(kind.colour) + " " + std::to_string(kind.bits) + " " +
                                   std::to_string(png.width) + "x" + std::to_string(png.height) + " " +
                                   std::to_string(png.interlace));
    }
}

TEST(UnpackPng, RefusesWhatLibpngRefuses) {
  unsigned seed = 7;
  const Png sound = png_of(kKinds[3], seed);
  const Bytes file = sound.bytes();
  for (std::size_t size = 33; size < file.size(); size += 5)
    expect_same(Bytes(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)),
                "cut to " + std::to_string(size));
  for (std::size_t at = 33; at < file.size(); ++at) {
    Bytes bad = file;
    bad[at] ^= 4;
    expect_same(bad, "byte " + std::to_string(at));
  }
  expect_same(files::testing::joined({file, {0}}), "one byte more");
  Png other = sound;
  other.rows.pop_back();
  expect_same(other.bytes(), "a sample less");
  other = sound;
  other.rows.front() = 5;
  expect_same(other.bytes(), "no such filter");
  other = {.colour = 3, .rows = sound.rows};
  expect_same(other.bytes(), "no palette");
}

}  // namespace
}  // namespace crema::report
