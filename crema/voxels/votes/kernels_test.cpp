// SPDX-License-Identifier: Apache-2.0
#include "crema/voxels/votes/kernels.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace crema {
namespace {

template <class Number>
std::vector<Number> draw(std::size_t count, std::mt19937& random) {
  std::uniform_int_distribution<std::uint64_t> numbers(0, std::numeric_limits<Number>::max() - 1);
  std::vector<Number> drawn(count);
  for (Number& number : drawn) number = static_cast<Number>(numbers(random));
  return drawn;
}

/// What every instruction set makes of the same numbers, one after the other.
template <class Number>
std::vector<Number> row_results(const Kernels& kernels, std::uint32_t seed) {
  std::mt19937 random(seed);
  const std::size_t count = 5 * kRowBlock;
  const auto other = draw<Number>(count + 2, random);
  const auto second = draw<Number>(count, random), third = draw<Number>(count, random);
  std::vector<Number> one = draw<Number>(count, random), three = one, least(count);
  const RowKernels<Number>& rows = kernels.rows<Number>();
  rows.step_from_one(other.data() + 1, one.data(), count);
  rows.step_from_three(other.data() + 1, three.data(), count);
  rows.least(other.data() + 1, second.data(), third.data(), second.data(), least.data(), count);
  one.insert(one.end(), three.begin(), three.end());
  one.insert(one.end(), least.begin(), least.end());
  return one;
}

template <class Set>
std::vector<Set> fold_result(const Kernels& kernels, std::uint32_t seed, std::size_t count) {
  std::mt19937 random(seed);
  auto sets = draw<Set>(count, random);
  auto mask = draw<std::uint8_t>(count, random);
  for (std::uint8_t& voxel : mask) voxel = voxel % 3 == 0 ? voxel : 0;
  kernels.sets<Set>().fold(sets.data(), mask.data(), count,
                           static_cast<Set>(Set{1} << (sizeof(Set) * 8 - 1)));
  return sets;
}

TEST(Kernels, EveryInstructionSetGivesTheSameBytes) {
  const auto all = runnable_kernels();
  for (const Kernels* kernels : all)
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
      SCOPED_TRACE(testing::Message() << kernels->name << ", seed " << seed);
      EXPECT_EQ(row_results<std::uint8_t>(*kernels, seed), row_results<std::uint8_t>(*all[0], seed));
      EXPECT_EQ(row_results<std::uint16_t>(*kernels, seed), row_results<std::uint16_t>(*all[0], seed));
      EXPECT_EQ(row_results<std::uint32_t>(*kernels, seed), row_results<std::uint32_t>(*all[0], seed));
      const std::size_t count = 1 + seed * 13;
      EXPECT_EQ(fold_result<std::uint8_t>(*kernels, seed, count),
                fold_result<std::uint8_t>(*all[0], seed, count));
      EXPECT_EQ(fold_result<std::uint16_t>(*kernels, seed, count),
                fold_result<std::uint16_t>(*all[0], seed, count));
      EXPECT_EQ(fold_result<std::uint32_t>(*kernels, seed, count),
                fold_result<std::uint32_t>(*all[0], seed, count));
      EXPECT_EQ(fold_result<std::uint64_t>(*kernels, seed, count),
                fold_result<std::uint64_t>(*all[0], seed, count));
    }
}

TEST(Kernels, FindTheOnlyByteThatIsNotZero) {
  for (const Kernels* kernels : runnable_kernels())
    for (std::size_t count = 0; count < 200; ++count) {
      std::vector<std::uint8_t> bytes(count + 1, 0);
      bytes[count] = 1;  // beyond what is requested
      EXPECT_EQ(kernels->bytes.any(bytes.data(), count), 0) << kernels->name;
      for (std::size_t at = 0; at < count; ++at) {
        bytes[at] = 0x80;
        EXPECT_EQ(kernels->bytes.any(bytes.data(), count), 0x80) << kernels->name << " at " << at;
        bytes[at] = 0;
      }
    }
}

TEST(Kernels, StepsAreTheLeastOfThreePlusOne) {
  for (const Kernels* kernels : runnable_kernels()) {
    std::vector<std::uint8_t> other(kRowBlock + 2, 9), own(kRowBlock, 200);
    other[1 + 5] = 3;
    own[20] = 1;
    kernels->rows8.step_from_three(other.data() + 1, own.data(), kRowBlock);
    for (std::size_t x = 0; x < kRowBlock; ++x)
      EXPECT_EQ(own[x], x == 20 ? 1 : x >= 4 && x <= 6 ? 4 : 10) << kernels->name << " at " << x;
  }
}

}  // namespace
}  // namespace crema
