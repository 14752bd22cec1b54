// SPDX-License-Identifier: Apache-2.0
#include "raters/read/census.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "crema/base/error.h"
#include "files/values/values.h"

namespace crema::raters {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// Warnings or a refusal, as text.
template <class Check>
std::string said_by(Check check) {
  std::string text;
  try {
    for (const Warning& warning : check()) text += warning.text() + "\n";
  } catch (const InputError& refusal) {
    text = refusal.what();
  }
  return text;
}

/// Hands over the blocks in which anything is marked, as votes do.
std::string said_by_census(const Bytes& mask, const Grid& grid) {
  ByteCensus census(2, std::ssize(mask));
  for (std::size_t at = 0; at < mask.size(); at += Votes::kBlock) {
    const Mask block = Mask(mask).subspan(at, std::min<std::size_t>(Votes::kBlock, mask.size() - at));
    std::uint8_t bits = 0;
    for (const std::uint8_t byte : block) bits = static_cast<std::uint8_t>(bits | byte);
    if (bits != 0) census.look_at(1, block, bits);
  }
  return said_by([&] { return census.check(1, mask, "ann", grid); });
}

std::string said_by_reader(const Bytes& mask, const Grid& grid) {
  const files::MaskSink nowhere = [](std::int64_t, Mask) {};
  files::MaskBuilder builder({}, {}, nowhere);
  builder.take(mask);
  return said_by([&] { return builder.finish("ann", grid).warnings; });
}

TEST(ByteCensus, SaysOfAMaskInMemoryWhatReadersSayOfAFile) {
  std::mt19937 random(7);
  const Grid grid{.size = {100, 100, 1}};
  const std::vector<Bytes> values{{0},      {1},    {255},     {0, 1},
                                  {0, 255}, {3, 7}, {0, 1, 2}, {0, 1, 2, 3, 4, 5, 200}};
  for (const Bytes& some : values)
    for (const std::size_t from : {0U, 5000U, 9999U}) {
      Bytes mask(10'000, some.front());
      for (std::size_t i = from; i < mask.size(); ++i) mask[i] = some[random() % some.size()];
      mask.back() = some.back();
      EXPECT_EQ(said_by_census(mask, grid), said_by_reader(mask, grid)) << some.size() << " from " << from;
    }
}

TEST(ByteCensus, LooksAtEachRaterAlone) {
  const Grid grid{.size = {8, 1, 1}};
  const Bytes other{0, 1, 2, 3, 4, 5, 6, 7}, own{0, 0, 0, 0, 1, 1, 1, 1};
  ByteCensus census(2, 8);
  census.look_at(0, other, 7);
  census.look_at(1, own, 1);
  EXPECT_EQ(said_by([&] { return census.check(1, own, "ann", grid); }), "");
  EXPECT_NE(said_by([&] { return census.check(0, other, "bob", grid); }), "");
}

}  // namespace
}  // namespace crema::raters
