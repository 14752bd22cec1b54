// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/surfaces/site_tree.h"

#include <algorithm>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "crema/spatial/euclidean.h"

namespace crema {
namespace {

TEST(SiteTree, FindsToTheBitWhatSpreadingFinds) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return static_cast<std::int32_t>(random() % n); };
    const std::array<std::int32_t, 3> size{1 + below(17), 1 + below(13), 1 + below(5)};
    const std::array<double, 3> spacing{0.7, 1.3, 0.1 * (1 + below(40))};
    std::vector<double> map(static_cast<std::size_t>(size[0] * size[1] * size[2]),
                            std::numeric_limits<double>::infinity());
    std::vector<SiteRun> sites;
    const std::int32_t count = 1 + below(seed % 3 == 0 ? 200 : 40);
    for (std::int32_t n = 0; n < count; ++n) {
      const SiteTree::Place p{below(static_cast<unsigned>(size[0])), below(static_cast<unsigned>(size[1])),
                              below(static_cast<unsigned>(size[2]))};
      const std::int32_t length = 1 + below(static_cast<unsigned>(size[0] - p[0]));
      sites.push_back({p, length});
      std::fill_n(map.begin() + (p[2] * size[1] + p[1]) * size[0] + p[0], length, 0.0);
    }
    spread_squared_distances(size, spacing, map);
    const SiteTree tree(sites, spacing);
    SiteTree::Walk walk(tree);
    std::size_t at = 0;
    for (std::int32_t z = 0; z < size[2]; ++z)
      for (std::int32_t y = 0; y < size[1]; ++y)
        for (std::int32_t x = 0; x < size[0]; ++x) ASSERT_EQ(walk.nearest({x, y, z}), map[at++]) << seed;
  }
}

}  // namespace
}  // namespace crema
