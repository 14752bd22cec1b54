// SPDX-License-Identifier: Apache-2.0
#include "crema/base/memory.h"

#include <gtest/gtest.h>

#include "crema/base/error.h"
#include "crema/fuse.h"

namespace crema {
namespace {

constexpr std::int64_t kMega = 1 << 20;

TEST(MemoryAccount, AllowsWhatFitsBesideWhatIsHeld) {
  MemoryAccount memory(10 * kMega);
  memory.hold(4 * kMega);
  EXPECT_NO_THROW(memory.require("a stage", 6 * kMega, "crop"));
  EXPECT_THROW(memory.require("a stage", 6 * kMega + 1, "crop"), ResourceError);
  memory.hold(-4 * kMega);
  EXPECT_NO_THROW(memory.require("a stage", 10 * kMega, "crop"));
}

TEST(MemoryAccount, NamesStageEstimateLimitAndFix) {
  MemoryAccount memory(10 * kMega);
  memory.hold(4 * kMega);
  try {
    memory.require("finding the components", 7 * kMega, "give " + Sentence::setting("low_memory"));
    FAIL();
  } catch (const ResourceError& error) {
    EXPECT_EQ(error.sentence.text(Spelling::program),
              "finding the components needs about 7.0 MB on top of 4.0 MB in use, but 10.0 MB are "
              "allowed; give --low-memory or raise --max-memory.");
  }
}

std::vector<std::uint8_t> lattice(int n) {
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(n * n * n), 0);
  for (int z = 0; z < n; z += 2)
    for (int y = 0; y < n; y += 2)
      for (int x = 0; x < n; x += 2) mask[static_cast<std::size_t>((z * n + y) * n + x)] = 1;
  return mask;
}

TEST(MemoryAccount, IsolatedVoxelsTakeAtMostTwoHundredBytesAsComponents) {
  constexpr int kSize = 32;
  const auto mask = lattice(kSize);
  const std::vector<Mask> masks{mask, mask};
  Options options{.memory = std::make_shared<MemoryAccount>(100 * kMega)};
  const Consensus c = fuse({.size = {kSize, kSize, kSize}}, masks, options);
  const std::int64_t components = std::ssize(c.reduction.crowns);
  EXPECT_EQ(components, kSize * kSize * kSize / 8);
  EXPECT_LE(options.memory->held(), 200 * components);
  EXPECT_GE(options.memory->held(), 100 * components);
  EXPECT_LE(sizeof(Decision) + 2 * heap_block(sizeof(double)), 200U);
}

TEST(MemoryAccount, StopsCountingThatWouldTakeTooMuch) {
  constexpr int kSize = 32;
  const auto mask = lattice(kSize);
  const std::vector<Mask> masks{mask, mask};
  for (const std::int64_t kilobytes : {40, 100, 200, 400, 600}) {
    const Options options{.memory = std::make_shared<MemoryAccount>(kilobytes << 10)};
    EXPECT_THROW(fuse({.size = {kSize, kSize, kSize}}, masks, options), ResourceError) << kilobytes;
  }
}

}  // namespace
}  // namespace crema
