// SPDX-License-Identifier: Apache-2.0
// What the page inflates by itself is what was deflated, in whatever pieces it comes, and damage never
// passes.
#include "web/app/inflate.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include <gtest/gtest.h>

#include "files/io/gzip/gzip.h"

namespace crema::report {
namespace {

using Bytes = std::vector<std::uint8_t>;

struct Inflated {
  Bytes bytes;
  std::optional<InflateFault> fault;
};

/// Bare deflate data, handed over in pieces of an awkward size.
Inflated inflated(std::span<const std::uint8_t> packed, std::size_t piece = 61) {
  BitSource bits([&packed, piece](std::span<std::uint8_t> out) {
    const std::size_t count = std::min({out.size(), packed.size(), piece});
    std::copy_n(packed.begin(), count, out.begin());
    packed = packed.subspan(count);
    return count;
  });
  Inflater inflater(bits);
  inflater.begin();
  Inflated result;
  try {
    Bytes part(1000);
    for (std::size_t got = part.size(); got == part.size();) {
      got = inflater.read(part);
      result.bytes.insert(result.bytes.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(got));
    }
  } catch (const InflateError& error) {
    result.fault = error.fault;
  }
  return result;
}

/// Runs, noise and repeats far back.
Bytes sample(std::size_t size, unsigned seed) {
  Bytes bytes(size);
  for (std::size_t i = 0; i < size; ++i) {
    seed = seed * 1664525U + 1013904223U;
    const unsigned kind = seed >> 30;
    bytes[i] = kind == 0 || i < 40000 ? static_cast<std::uint8_t>(seed >> 16)
               : kind == 1            ? bytes[i - 1 - (seed >> 8) % 32768]
                                      : bytes[i - 1];
  }
  return bytes;
}

/// Without the ten bytes before and the eight behind of gzip.
std::span<const std::uint8_t> bare(const Bytes& gzipped) {
  return std::span(gzipped).subspan(10, gzipped.size() - 18);
}

Bytes gzipped(const Bytes& bytes) {
  const files::Piece piece(bytes);
  return files::gzip({&piece, 1});
}

TEST(Inflate, GivesBackWhatWasDeflated) {
  for (unsigned seed = 1; seed < 6; ++seed) {
    for (const std::size_t size : {std::size_t{1}, std::size_t{100}, std::size_t{150000}}) {
      const Bytes bytes = sample(size, seed), packed = gzipped(bytes);
      const Inflated result = inflated(bare(packed), 60 + seed);
      EXPECT_FALSE(result.fault);
      EXPECT_EQ(result.bytes, bytes) << size << " bytes, seed " << seed;
    }
    const Bytes zeros(100000 + seed), packed = gzipped(zeros);
    EXPECT_EQ(inflated(bare(packed)).bytes, zeros);
  }
}

TEST(Inflate, EndsOnWhateverItIsGivenAndTheChecksumTellsDamage) {
  const Bytes bytes = sample(50000, 5);
  const Bytes sound = gzipped(bytes);
  for (unsigned seed = 1; seed < 100; ++seed) {
    Bytes packed = sound;
    packed[10 + seed * 7919U % (packed.size() - 18)] ^= static_cast<std::uint8_t>(1U << seed % 8);
    const Inflated result = inflated(bare(packed), 64);
    if (result.fault) continue;
    EXPECT_EQ(result.bytes == bytes, crc32(0, result.bytes) == crc32(0, bytes)) << seed;
  }
  for (unsigned seed = 1; seed < 100; ++seed) inflated(sample(500, seed), 64);
}

TEST(Inflate, KnowsTheChecksumsOfTheStandards) {
  const std::string_view text = "123456789";
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  EXPECT_EQ(crc32(0, bytes), 0xcbf43926U);
  EXPECT_EQ(crc32(crc32(0, bytes.first(4)), bytes.subspan(4)), 0xcbf43926U);
  EXPECT_EQ(adler32(1, bytes), 0x091e01deU);
}

}  // namespace
}  // namespace crema::report
