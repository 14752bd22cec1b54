// SPDX-License-Identifier: Apache-2.0
// What the page packs is what others unpack, byte for byte, and masks become small.
#include "web/app/deflate.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <libdeflate.h>

namespace crema::report {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes packed(const Bytes& bytes, std::size_t piece) {
  Deflater deflater;
  const std::span<const std::uint8_t> all(bytes);
  for (std::size_t at = 0; at < bytes.size(); at += piece)
    deflater.add(all.subspan(at, std::min(piece, bytes.size() - at)));
  return deflater.finish();
}

Bytes unpacked(const Bytes& small, std::size_t size) {
  Bytes bytes(size + 1);
  std::size_t got = 0, used = 0;
  libdeflate_decompressor* const tool = libdeflate_alloc_decompressor();
  const auto result = libdeflate_deflate_decompress_ex(tool, small.data(), small.size(), bytes.data(),
                                                       bytes.size(), &used, &got);
  libdeflate_free_decompressor(tool);
  EXPECT_EQ(result, LIBDEFLATE_SUCCESS);
  EXPECT_EQ(used, small.size());
  bytes.resize(got);
  return bytes;
}

TEST(Deflate, IsUnpackedByAnotherLibrary) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Bytes bytes(seed * 7);
    unsigned state = seed;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      state = state * 1664525U + 1013904223U;
      bytes[i] = i == 0 || state >> 28 == 0 ? static_cast<std::uint8_t>(state >> 16) : bytes[i - 1];
    }
    for (const std::size_t piece : {std::size_t{1}, std::size_t{5}, std::size_t{4096}})
      ASSERT_EQ(unpacked(packed(bytes, piece), bytes.size()), bytes) << seed << " in pieces of " << piece;
  }
}

TEST(Deflate, EveryLengthOfRunIsUnpacked) {
  for (std::size_t run = 1; run < 700; ++run) {
    Bytes bytes(run, 200);
    bytes.push_back(7);
    ASSERT_EQ(unpacked(packed(bytes, 4096), bytes.size()), bytes) << run;
  }
}

TEST(Deflate, AMaskBecomesSmall) { EXPECT_LT(packed(Bytes(1'000'000, 0), 1'000'000).size(), 7'000U); }

}  // namespace
}  // namespace crema::report
