// SPDX-License-Identifier: Apache-2.0
#include "files/io/gzip/background.h"

#include <array>
#include <bit>
#include <numeric>

#include <gtest/gtest.h>
#include <libdeflate.h>
#include <rapidcheck/gtest.h>

#include "crema/image/canvas.h"
#include "files/io/gzip/gzip.h"
#include "files/testing.h"

namespace crema::files::testing {
namespace {

Bytes inflated(const Bytes& packed, std::size_t size, bool zlib_format) {
  auto* const decompressor = libdeflate_alloc_decompressor();
  Bytes out(size + 1);
  std::size_t got = 0;
  const auto result = zlib_format ? libdeflate_zlib_decompress(decompressor, packed.data(), packed.size(),
                                                               out.data(), out.size(), &got)
                                  : libdeflate_gzip_decompress(decompressor, packed.data(), packed.size(),
                                                               out.data(), out.size(), &got);
  libdeflate_free_decompressor(decompressor);
  EXPECT_EQ(result, LIBDEFLATE_SUCCESS);
  out.resize(got);
  return out;
}

Bytes read_by_isal(const Bytes& packed) {
  const Folder folder;
  const Source source(folder.put("a.gz", packed));
  Gunzip stream(source);
  Bytes all;
  for (Bytes piece(100'000); piece.size() == 100'000;) {
    piece.resize(stream.read(piece));
    all.insert(all.end(), piece.begin(), piece.end());
  }
  return all;
}

Bytes packed(const Piece& piece, bool zlib_format = false) {
  return zlib_format ? zlib({&piece, 1}) : gzip({&piece, 1});
}

/// Background with a few islands, as a consensus is.
template <class Value>
Canvas<Value> islands(std::size_t size, std::span<const std::size_t> places, Value background) {
  Canvas<Value> canvas(size, background);
  for (const std::size_t place : places)
    for (std::size_t i = place; i < std::min(size, place + 5000); ++i)
      canvas[i] = static_cast<Value>(1 + i % 3);
  return canvas;
}

/// Zero, numbers of four, three and two different bytes, and one whose bytes are all the same.
float some_background() {
  return *rc::gen::element(0.0F, 1e-7F, 0.3F, 0.5F, -2.0F, std::bit_cast<float>(0x3131'3131));
}

template <class Value>
void expect_content(const Canvas<Value>& canvas) {
  const Piece piece(canvas);
  const Bytes content(piece.bytes.begin(), piece.bytes.end());
  RC_ASSERT(inflated(packed(piece), content.size(), false) == content);
  RC_ASSERT(inflated(packed(piece, true), content.size(), true) == content);
  RC_ASSERT(read_by_isal(packed(piece)) == content);
}

std::vector<std::size_t> some_places(std::size_t size) {
  return *rc::gen::resize(
      8, rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, size)));
}

RC_GTEST_PROP(Background, TwoOtherReadersFindTheSameContentInWhatIsPackedAroundIt, ()) {
  const auto size = *rc::gen::inRange<std::size_t>(1, 4'000'000);
  expect_content(islands<std::uint8_t>(size, some_places(size), *rc::gen::element<std::uint8_t>(0, 1, 200)));
  const std::size_t numbers = size / sizeof(float) + 1;
  expect_content(islands<float>(numbers, some_places(numbers), some_background()));
}

RC_GTEST_PROP(Background, BytesDoNotDependOnWhichBlocksWerePainted, ()) {
  const auto size = *rc::gen::inRange<std::size_t>(250'000, 1'000'000);
  auto canvas = islands<float>(size, some_places(size), some_background());
  const Bytes untouched = packed(Piece(canvas));
  Piece all(canvas);
  all.painted = nullptr;
  RC_ASSERT(packed(all) == untouched);
  for (std::size_t i = 0; i < size; i += 512) canvas[i] += 0.0F;  // written, and still the same
  RC_ASSERT(packed(Piece(canvas)) == untouched);
}

TEST(Background, AnImageOfNothingIsPackedWithoutBeingRead) {
  const Canvas<std::uint8_t> canvas(std::size_t{1} << 34);  // reading it would take seconds, holding it 16 GB
  const Piece piece(canvas);
  const auto stretches = find_background({&piece, 1});
  ASSERT_EQ(stretches.size(), 1);
  EXPECT_TRUE(stretches[0].is_background);
  EXPECT_EQ(stretches[0].bytes.size(), canvas.size());
}

constexpr std::array<Pattern, 5> kPatterns{0, 0x3131'3131, 0x3F00'0000, 0x3E99'999A, 0xFFFE'FDFC};

/// Some bytes, and a pattern many times.
Bytes with_pattern(std::size_t before, Pattern pattern, std::int64_t times) {
  Bytes bytes(before);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{3});
  for (std::int64_t i = 0; i < 4 * times; ++i)
    bytes.push_back(static_cast<std::uint8_t>(pattern >> 8 * (i % 4)));
  return bytes;
}

TEST(Background, SumsFollowThoseOfAnotherLibrary) {
  for (const Pattern pattern : kPatterns)
    for (const int times : {0, 1, 2, 3, 255, 65'521, 65'522, 65'536, 131'041}) {
      const Bytes bytes = with_pattern(1000, pattern, times);
      const std::uint32_t crc = libdeflate_crc32(0, bytes.data(), 1000);
      const std::uint32_t adler = libdeflate_adler32(1, bytes.data(), 1000);
      EXPECT_EQ(crc32_of_background(crc, pattern, times), libdeflate_crc32(0, bytes.data(), bytes.size()));
      EXPECT_EQ(adler32_of_background(adler, pattern, times),
                libdeflate_adler32(1, bytes.data(), bytes.size()));
    }
}

TEST(Background, AnyNumberOfPatternsIsARightDeflateStream) {
  for (const Pattern pattern : kPatterns)
    for (const std::int64_t times : {1, 2, 64, 65, 66, 129, 130, 1000, 65'536, 250'003}) {
      Bytes stream;
      const BackgroundBlocks blocks(pattern);
      blocks.append(times, stream);
      blocks.append(7, stream);
      stream.insert(stream.end(), {3, 0});
      const Bytes content = with_pattern(0, pattern, times + 7);
      Bytes out(content.size() + 1);
      std::size_t got = 0;
      auto* const decompressor = libdeflate_alloc_decompressor();
      EXPECT_EQ(libdeflate_deflate_decompress(decompressor, stream.data(), stream.size(), out.data(),
                                              out.size(), &got),
                LIBDEFLATE_SUCCESS);
      libdeflate_free_decompressor(decompressor);
      out.resize(got);
      EXPECT_EQ(out, content) << pattern << ", " << times;
    }
}

}  // namespace
}  // namespace crema::files::testing
