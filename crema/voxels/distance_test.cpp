// SPDX-License-Identifier: Apache-2.0
#include "crema/voxels/distance.h"

#include <gtest/gtest.h>

#include "test/slow.h"

namespace crema {
namespace {

/// A line of voxels drawn by one rater, of which another drew the first one only.
std::vector<std::uint32_t> along_a_line(std::int32_t length) {
  const Grid grid{.size = {length, 1, 1}};
  slow::Masks masks(2, std::vector<std::uint8_t>(static_cast<std::size_t>(length), 1));
  std::fill(masks[1].begin() + 1, masks[1].end(), std::uint8_t{0});
  const Votes votes = take_votes(length, std::vector<Mask>(masks.begin(), masks.end()));
  const auto neighbourhood = make_neighbourhood(grid, 8, {});
  const auto components = find_components(grid, votes, neighbourhood);
  return total_distances(grid, votes, components, components.list[0], neighbourhood);
}

TEST(Distance, StaysRightWhereItsNumbersGrowWider) {
  for (const std::int32_t length : {254, 255, 256, 300, 65534, 65535, 65536, 70000}) {
    const auto distances = along_a_line(length);
    for (std::int32_t x = 0; x < length; ++x)
      ASSERT_EQ(distances[static_cast<std::size_t>(x)], static_cast<std::uint32_t>(x)) << length;
  }
}

TEST(Distance, IsNothingWhereAllRatersAgree) {
  const Grid grid{.size = {5, 4, 3}};
  const std::vector<std::uint8_t> mask(60, 1);
  const Votes votes = take_votes(60, std::vector<Mask>{mask, mask, mask});
  const auto neighbourhood = make_neighbourhood(grid, 26, {});
  const auto components = find_components(grid, votes, neighbourhood);
  EXPECT_EQ(total_distances(grid, votes, components, components.list[0], neighbourhood),
            std::vector<std::uint32_t>(60, 0));
}

}  // namespace
}  // namespace crema
