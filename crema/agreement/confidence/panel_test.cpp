// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/confidence/panel.h"

#include <bit>
#include <set>

#include <gtest/gtest.h>

#include "crema/base/error.h"
#include "test/agreement_testing.h"

namespace crema {
namespace {

using agreement_testing::Bytes;

/// The masks of a panel, fused as if they were all there is.
Bytes fused_alone(const agreement_testing::Fused& fused, Raters panel) {
  std::vector<Mask> masks;
  for (std::size_t k = 0; k < fused.random.masks.size(); ++k)
    if ((panel >> k & 1) != 0) masks.emplace_back(fused.random.masks[k]);
  return agreement_testing::inside(fuse(fused.random.grid, masks, fused.options).image);
}

double dice_of_panels(const Bytes& a, const Bytes& b) {
  const auto sizes = static_cast<double>(agreement_testing::count(a) + agreement_testing::count(b));
  return sizes == 0 ? 1 : 2 * static_cast<double>(agreement_testing::count_both(a, b)) / sizes;
}

TEST(Panels, AreFusedAsIfNobodyElseHadDrawn) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    const auto fused = agreement_testing::make(seed, seed % 3 == 0 ? "staple" : "jaccard", 5);
    const int raters = fused.consensus.reduction.raters;
    if (raters < 2) continue;
    const Raters all = everyone(raters);
    const Bytes whole = fused_alone(fused, all);
    auto found =
        compare_panels(fused.consensus.reduction, *fused.consensus.solution.method, fused.options, 1);
    std::multiset<std::tuple<int, double, double>> mine, expected;
    for (const PanelResult& one : found) mine.emplace(one.raters, one.against_rest, one.against_all);
    for (Raters panel = 1; panel < all; ++panel) {
      const Bytes own = fused_alone(fused, panel), rest = fused_alone(fused, all & ~panel);
      expected.emplace(std::popcount(panel), dice_of_panels(own, rest), dice_of_panels(own, whole));
    }
    EXPECT_EQ(mine, expected);
  }
}

TEST(Panels, AreAllOfASizeOrTwoHundredThatDiffer) {
  for (const auto& [raters, size, count] :
       {std::tuple{5, 2, 10}, {6, 3, 20}, {4, 4, 1}, {12, 6, 200}, {64, 3, 200}}) {
    const std::vector<Raters> panels = panels_of(raters, size, 7);
    EXPECT_EQ(std::ssize(panels), count);
    const std::set<Raters> different(panels.begin(), panels.end());
    EXPECT_EQ(different.size(), panels.size());
    for (const Raters panel : panels) {
      EXPECT_EQ(std::popcount(panel), size);
      EXPECT_EQ(panel & ~everyone(raters), 0U);
    }
    EXPECT_EQ(panels, panels_of(raters, size, 7));
  }
  EXPECT_NE(panels_of(12, 6, 7), panels_of(12, 6, 8));
}

}  // namespace
}  // namespace crema
