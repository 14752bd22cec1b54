// SPDX-License-Identifier: Apache-2.0
#include "files/io/zeros.h"

#include <numeric>

#include <gtest/gtest.h>
#include <libdeflate.h>
#include <rapidcheck/gtest.h>

#include "crema/image/canvas.h"
#include "files/io/gzip.h"
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

Bytes packed(std::span<const std::uint8_t> bytes, bool canvas, bool zlib_format = false) {
  const Piece piece(bytes, canvas);
  return zlib_format ? zlib({&piece, 1}) : gzip({&piece, 1});
}

/// Zeros with a few islands, as a consensus is.
Canvas<std::uint8_t> islands(std::size_t size, std::span<const std::size_t> places) {
  Canvas<std::uint8_t> canvas(size);
  for (const std::size_t place : places)
    for (std::size_t i = place; i < std::min(size, place + 5000); ++i)
      canvas[i] = static_cast<std::uint8_t>(1 + i % 3);
  return canvas;
}

RC_GTEST_PROP(Zeros, TwoOtherReadersFindTheSameContentInWhatIsPackedAroundThem, ()) {
  const auto size = *rc::gen::inRange<std::size_t>(1, 4'000'000);
  const auto places = *rc::gen::resize(
      8, rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, size)));
  const auto canvas = islands(size, places);
  const std::span<const std::uint8_t> bytes(canvas);
  const Bytes content(bytes.begin(), bytes.end());
  RC_ASSERT(inflated(packed(bytes, true), size, false) == content);
  RC_ASSERT(inflated(packed(bytes, true, true), size, true) == content);
  RC_ASSERT(read_by_isal(packed(bytes, true)) == content);
}

RC_GTEST_PROP(Zeros, BytesDoNotDependOnWhichPagesWereTouched, ()) {
  const auto size = *rc::gen::inRange<std::size_t>(1'000'000, 4'000'000);
  const auto places = *rc::gen::resize(
      8, rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, size)));
  auto canvas = islands(size, places);
  const Bytes untouched = packed(canvas, true);
  RC_ASSERT(packed(canvas, false) == untouched);
  for (std::size_t i = 0; i < size; i += 4096) canvas[i] |= 0;  // written, and still zero
  RC_ASSERT(packed(canvas, true) == untouched);
}

TEST(Zeros, AnImageOfNothingIsPackedWithoutBeingRead) {
  const Canvas<std::uint8_t> canvas(std::size_t{1} << 34);  // reading it would take seconds, holding it 16 GB
  const Piece piece(canvas, true);
  const auto stretches = find_zeros({&piece, 1});
  ASSERT_EQ(stretches.size(), 1);
  EXPECT_TRUE(stretches[0].zeros);
  EXPECT_EQ(stretches[0].bytes.size(), canvas.size());
}

TEST(Zeros, SumsFollowThoseOfAnotherLibrary) {
  Bytes bytes(200'000);
  std::iota(bytes.begin(), bytes.begin() + 1000, std::uint8_t{3});
  const std::uint32_t crc = libdeflate_crc32(0, bytes.data(), 1000);
  const std::uint32_t adler = libdeflate_adler32(1, bytes.data(), 1000);
  for (const int count : {0, 1, 2, 255, 65'521, 65'536, 199'000}) {
    EXPECT_EQ(crc32_of_zeros(crc, count),
              libdeflate_crc32(0, bytes.data(), static_cast<std::size_t>(1000 + count)));
    EXPECT_EQ(adler32_of_zeros(adler, count),
              libdeflate_adler32(1, bytes.data(), static_cast<std::size_t>(1000 + count)));
  }
}

TEST(Zeros, AnyNumberOfThemIsARightDeflateStream) {
  for (const std::int64_t count : {1, 2, 258, 259, 260, 516, 517, 1000, 65'536, 1'000'003}) {
    Bytes stream;
    append_zeros(count, stream);
    append_zeros(7, stream);
    stream.insert(stream.end(), {3, 0});
    Bytes out(static_cast<std::size_t>(count) + 8, 9);
    std::size_t got = 0;
    auto* const decompressor = libdeflate_alloc_decompressor();
    EXPECT_EQ(libdeflate_deflate_decompress(decompressor, stream.data(), stream.size(), out.data(),
                                            out.size(), &got),
              LIBDEFLATE_SUCCESS);
    libdeflate_free_decompressor(decompressor);
    EXPECT_EQ(got, static_cast<std::size_t>(count) + 7);
    EXPECT_EQ(std::count(out.begin(), out.end() - 1, 0), count + 7);
  }
}

}  // namespace
}  // namespace crema::files::testing
