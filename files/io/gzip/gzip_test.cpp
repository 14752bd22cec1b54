// SPDX-License-Identifier: Apache-2.0
#include "files/io/gzip/gzip.h"

#include <random>

#include <gtest/gtest.h>
#include <libdeflate.h>
#include <rapidcheck/gtest.h>

#include "files/testing.h"

namespace crema::files::testing {
namespace {

Bytes gunzip(const std::filesystem::path& path, std::size_t step = 1000) {
  const Source source(path);
  Gunzip stream(source);
  Bytes all;
  for (Bytes piece(step); piece.size() == step;) {
    piece.resize(stream.read(piece));
    all.insert(all.end(), piece.begin(), piece.end());
  }
  return all;
}

/// Bytes as a mask has them, with runs, or as noise.
Bytes content(std::size_t size, unsigned seed, bool noise) {
  std::mt19937 random(seed);
  Bytes bytes(size);
  std::uint8_t value = 0;
  for (std::uint8_t& byte : bytes) {
    if (noise || random() % 50 == 0) value = static_cast<std::uint8_t>(noise ? random() : random() % 2);
    byte = value;
  }
  return bytes;
}

/// The same by another library.
Bytes deflated(const Bytes& bytes, int level) {
  auto* const compressor = libdeflate_alloc_compressor(level);
  Bytes out(libdeflate_gzip_compress_bound(compressor, bytes.size()));
  out.resize(libdeflate_gzip_compress(compressor, bytes.data(), bytes.size(), out.data(), out.size()));
  libdeflate_free_compressor(compressor);
  return out;
}

Bytes inflated(const Bytes& bytes, std::size_t size) {
  auto* const decompressor = libdeflate_alloc_decompressor();
  Bytes out(size + 1);
  std::size_t got = 0;
  EXPECT_EQ(
      libdeflate_gzip_decompress(decompressor, bytes.data(), bytes.size(), out.data(), out.size(), &got), 0);
  libdeflate_free_decompressor(decompressor);
  out.resize(got);
  return out;
}

RC_GTEST_PROP(Gzip, AgreesWithAnotherLibraryBothWays, (unsigned seed, bool noise)) {
  const Folder folder;
  const auto size = *rc::gen::inRange<std::size_t>(0, 700'000);
  const auto level = *rc::gen::inRange(1, 13);
  const auto step = *rc::gen::element<std::size_t>(1000, 65'536, 300'000);
  const Bytes bytes = content(size, seed, noise);
  RC_ASSERT(inflated(zipped(bytes), size) == bytes);
  RC_ASSERT(gunzip(folder.put("a.gz", deflated(bytes, level)), step) == bytes);
}

RC_GTEST_PROP(Gzip, WhatIsPackedSmallIsReadAgain, (unsigned seed, bool noise)) {
  const Folder folder;
  const Bytes bytes = content(*rc::gen::inRange<std::size_t>(0, 400'000), seed, noise);
  RC_ASSERT(gunzip(folder.put("a.gz", gzip_small(bytes)), 65'536) == bytes);
}

RC_GTEST_PROP(Gzip, JoinsAnyNumberOfMembers, (unsigned seed)) {
  const Folder folder;
  Bytes all, file;
  for (const std::size_t size : *rc::gen::container<std::vector<std::size_t>>(
           *rc::gen::inRange<std::size_t>(1, 6),
           rc::gen::element<std::size_t>(0, 1, 7, 300, 70'000, 300'000))) {
    ++seed;
    const Bytes part = content(size, seed, seed % 2 == 0);
    all = joined({all, part});
    file = joined({file, seed % 3 == 0 ? zipped(part) : deflated(part, 6)});
  }
  RC_ASSERT(gunzip(folder.put("a.gz", file)) == all);
}

TEST(Gzip, ReadsMembersThatEndAnywhereInThePieceLoaded) {
  const Folder folder;
  const Bytes first = deflated(content(256 * 1024, 3, true), 1), second = deflated(content(500, 4, false), 9);
  for (std::size_t pad = 0; pad < 40; ++pad) {
    const Bytes noise = content(256 * 1024 - first.size() % 1000 - pad, 5, true);
    EXPECT_EQ(gunzip(folder.put("a.gz", joined({deflated(noise, 1), second, second}))).size(),
              noise.size() + 1000);
  }
}

TEST(Gzip, WritesNeitherTimeNorName) {
  const Bytes file = zipped(content(1000, 1, false));
  EXPECT_EQ(Bytes(file.begin(), file.begin() + 8), (Bytes{0x1F, 0x8B, 8, 0, 0, 0, 0, 0}));
}

TEST(Gzip, ReadsHeadersWithNameCommentExtraAndChecksum) {
  const Folder folder;
  const Bytes plain = zipped({1, 2, 3});
  Bytes header{0x1F, 0x8B, 8, 2 | 4 | 8 | 16, 1, 2, 3, 4, 0, 3, 3, 0, 'x', 'y', 'z', 'a', '.', 'n',
               0,    'c',  0};
  const std::uint32_t crc = libdeflate_crc32(0, header.data(), header.size());
  header.push_back(static_cast<std::uint8_t>(crc));
  header.push_back(static_cast<std::uint8_t>(crc >> 8));
  const Bytes rest(plain.begin() + 10, plain.end());
  EXPECT_EQ(gunzip(folder.put("a.gz", joined({header, rest}))), (Bytes{1, 2, 3}));
  header.back() ^= 1;
  EXPECT_THROW(gunzip(folder.put("b.gz", joined({header, rest}))), InputError);
}

TEST(Gzip, RefusesEveryTruncation) {
  const Folder folder;
  const Bytes file = zipped(content(3000, 2, false));
  for (std::size_t size = 2; size < file.size(); ++size) {
    EXPECT_THROW(gunzip(folder.put("a.gz", cut(file, size))), InputError) << size << " of " << file.size();
  }
  const Bytes two = joined({file, file});
  for (std::size_t size = file.size() + 1; size < two.size(); ++size) {
    EXPECT_THROW(gunzip(folder.put("a.gz", cut(two, size))), InputError) << size << " of " << two.size();
  }
}

TEST(Gzip, NoBitFlipChangesTheContentUnnoticed) {
  const Folder folder;
  const Bytes bytes = content(2000, 9, false);
  for (const Bytes& file : {zipped(bytes), deflated(bytes, 12)}) {
    for (std::size_t bit = 0; bit < 8 * file.size(); ++bit) {
      Bytes flipped = file;
      flipped[bit / 8] = static_cast<std::uint8_t>(flipped[bit / 8] ^ (1u << (bit % 8)));
      try {
        EXPECT_EQ(gunzip(folder.put("a.gz", flipped)), bytes) << "bit " << bit;
      } catch (const InputError&) {
        EXPECT_FALSE(bit / 8 >= 4 && bit / 8 < 10) << "time and system do not matter, bit " << bit;
      }
    }
  }
}

TEST(Gzip, RefusesWrongChecksumAndWrongLength) {
  const Folder folder;
  const Bytes file = zipped(content(3000, 2, false));
  for (const std::size_t back : {1u, 4u, 5u, 8u}) {
    Bytes wrong = file;
    wrong[wrong.size() - back] ^= 0x40;
    try {
      gunzip(folder.put("a.gz", wrong));
      ADD_FAILURE() << back;
    } catch (const InputError& error) {
      EXPECT_TRUE(has(error.what(), "checksum or length")) << error.what();
    }
  }
}

TEST(Gzip, RefusesFlagsThatTheStandardReserves) {
  const Folder folder;
  const Bytes good = zipped({1, 2, 3, 4});
  for (const int flag : {0x20, 0x40, 0x80}) {
    Bytes first = good, second = joined({good, good});
    first[3] |= static_cast<std::uint8_t>(flag);
    second[good.size() + 3] |= static_cast<std::uint8_t>(flag);
    EXPECT_THROW(gunzip(folder.put("first.gz", first)), InputError) << flag;
    EXPECT_THROW(gunzip(folder.put("second.gz", second)), InputError) << flag;
  }
}

TEST(Gzip, RefusesGarbageAfterTheLastMemberButCountsZeros) {
  const Folder folder;
  const Bytes file = zipped(content(3000, 2, false));
  EXPECT_THROW(gunzip(folder.put("a.gz", joined({file, {'x'}}))), InputError);
  EXPECT_THROW(gunzip(folder.put("a.gz", joined({file, Bytes(600), {1}}))), InputError);
  EXPECT_THROW(gunzip(folder.put("a.gz", joined({file, Bytes(100'000)}))), InputError);
  const auto path = folder.put("b.gz", joined({file, Bytes(600)}));
  EXPECT_EQ(gunzip(path).size(), 3000u);
  const Source source(path);
  Gunzip stream(source);
  Bytes out(4000);
  EXPECT_EQ(stream.read(out), 3000u);
  EXPECT_EQ(stream.trailing_zeros(), 600);
}

TEST(Gzip, SurvivesNoiseInPlaceOfData) {
  const Folder folder;
  for (unsigned seed = 0; seed < 300; ++seed) {
    Bytes noise = content(400, seed, true);
    std::copy_n(zipped({1}).begin(), 10, noise.begin());
    EXPECT_THROW(gunzip(folder.put("a.gz", noise)), InputError) << "seed " << seed;
  }
}

TEST(Zlib, RowsApartGiveTheBytesOfRowsTogether) {
  const Bytes rows = content(60'000, 7, false);
  std::vector<Piece> apart;
  for (std::size_t at = 0; at < rows.size(); at += 600) {
    apart.emplace_back(std::span(rows).subspan(at, 1));
    apart.emplace_back(std::span(rows).subspan(at + 1, 599));
  }
  const Piece together(rows);
  EXPECT_EQ(zlib(apart), zlib({&together, 1}));
}

RC_GTEST_PROP(Zlib, AgreesWithAnotherLibraryBothWaysInAnyPartOfAFile, (unsigned seed, bool noise)) {
  const Folder folder;
  const auto size = *rc::gen::inRange<std::size_t>(0, 400'000);
  const auto before = *rc::gen::inRange<std::size_t>(0, 300'000);
  const Bytes bytes = content(size, seed, noise);
  auto* const compressor = libdeflate_alloc_compressor(1 + static_cast<int>(seed % 9));
  Bytes theirs(libdeflate_zlib_compress_bound(compressor, size));
  theirs.resize(libdeflate_zlib_compress(compressor, bytes.data(), size, theirs.data(), theirs.size()));
  libdeflate_free_compressor(compressor);
  const Piece piece(bytes);
  for (const Bytes& packed : {theirs, zlib({&piece, 1})}) {
    const Source source(folder.put("a", joined({Bytes(before, 9), packed, Bytes(3, 7)})));
    const auto start = static_cast<std::int64_t>(before);
    Gunzip stream(source, {start, start + static_cast<std::int64_t>(packed.size()), Packing::zlib});
    Bytes out(size + 1);
    out.resize(stream.read(out));
    RC_ASSERT(out == bytes);
  }
  auto* const decompressor = libdeflate_alloc_decompressor();
  const Bytes ours = zlib({&piece, 1});
  Bytes out(size);
  RC_ASSERT(libdeflate_zlib_decompress(decompressor, ours.data(), ours.size(), out.data(), size, nullptr) ==
            LIBDEFLATE_SUCCESS);
  libdeflate_free_decompressor(decompressor);
  RC_ASSERT(out == bytes);
}

}  // namespace
}  // namespace crema::files::testing
