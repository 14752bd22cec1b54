// SPDX-License-Identifier: Apache-2.0
// What the page computes is what the library computes.
#include "web/wasm/what_if.h"

#include <gtest/gtest.h>

#include "crema/base/error.h"
#include "crema/fuse.h"

namespace crema::report {
namespace {

constexpr int kRaters = 4;
const Grid kGrid{.size = {9, 8, 7}};

std::vector<std::vector<std::uint8_t>> masks_of(unsigned seed) {
  std::vector<std::vector<std::uint8_t>> masks(kRaters, std::vector<std::uint8_t>(9 * 8 * 7));
  for (std::size_t v = 0; v < masks[0].size(); ++v)
    for (std::size_t k = 0; k < kRaters; ++k) {
      seed = seed * 1664525U + 1013904223U;
      const auto x = static_cast<int>(v % 9), y = static_cast<int>(v / 9 % 8);
      masks[k][v] = (x - 4) * (x - 4) + (y - 4) * (y - 4) < 6 && (seed >> 24) % 5 != 0;
    }
  return masks;
}

WhatIf filled_in(const std::vector<std::vector<std::uint8_t>>& masks) {
  WhatIf what(kGrid, kRaters);
  for (std::size_t v = 0; v < what.sets().size(); ++v)
    for (std::size_t k = 0; k < masks.size(); ++k) what.sets()[v] |= Raters{masks[k][v]} << k;
  return what;
}

std::vector<float> fused(const std::vector<std::vector<std::uint8_t>>& masks, const Options& options) {
  const std::vector<Mask> list(masks.begin(), masks.end());
  const Consensus consensus = fuse(kGrid, list, options);
  return std::visit([](const auto& image) { return std::vector<float>(image.begin(), image.end()); },
                    consensus.image);
}

TEST(WhatIf, AnswersWhatFusingAnswers) {
  for (unsigned seed = 1; seed < 6; ++seed) {
    const auto masks = masks_of(seed);
    WhatIf what = filled_in(masks);
    for (const char* method : {"jaccard", "dice", "tanimoto", "soergel", "majority", "average"}) {
      what.ask(std::string("method ") + method);
      Options options;
      options.method = method;
      EXPECT_EQ(what.levels(), fused(masks, options)) << method;
    }
    what.ask(
        "method jaccard\nweights 2,1,1,0.5\ntie foreground\nconnectivity 6\nblocks group\ncertify True\n");
    Options options;
    options.weights = {2, 1, 1, 0.5};
    options.tie = Tie::foreground;
    options.connectivity = 6;
    options.blocks = Blocks::group;
    EXPECT_EQ(what.levels(), fused(masks, options));
  }
}

TEST(WhatIf, LeavesARaterOutAltogether) {
  auto masks = masks_of(9);
  WhatIf what = filled_in(masks);
  what.ask("method dice\nwithout 1\nweights 1,9,2,1\n");
  masks.erase(masks.begin() + 1);
  Options options;
  options.method = "dice";
  options.weights = {1, 2, 1};
  EXPECT_EQ(what.levels(), fused(masks, options));
  EXPECT_THROW(what.ask("without 0,1,2,3"), InputError);
  EXPECT_THROW(what.ask("without 4"), UsageError);
  EXPECT_THROW(what.ask("method nobody"), UsageError);
}

}  // namespace
}  // namespace crema::report
