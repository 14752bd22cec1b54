// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/review/zones.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "crema/agreement/overlap.h"
#include "test/agreement_testing.h"
#include "test/ascii.h"

namespace crema {
namespace {

using Place = std::array<std::int32_t, 3>;

Place place_of_voxel(const Grid& grid, std::int64_t v) {
  return {static_cast<std::int32_t>(v % grid.size[0]),
          static_cast<std::int32_t>(v / grid.size[0] % grid.size[1]),
          static_cast<std::int32_t>(v / grid.size[0] / grid.size[1])};
}

bool touch(const Neighbourhood& near, const Place& a, const Place& b) {
  int changed = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const int step = std::abs(a[axis] - b[axis]);
    if (step > 1 || (step == 1 && !near.open[axis])) return false;
    changed += step;
  }
  return changed <= near.order;
}

/// Voxel by voxel: the disputed ones of a component with their rows.
std::map<std::int64_t, std::uint32_t> disputed_voxels(const Reduction& reduction, std::size_t c) {
  std::map<std::int64_t, std::uint32_t> found;
  const Crowns& crowns = reduction.crowns[c];
  const Raters present = raters_present(crowns.tally);
  std::size_t n = 0;
  for (const Run& run : reduction.components.runs_of(reduction.components.list[c]))
    for (std::int32_t i = 0; i < run.length; ++i, ++n)
      if (crowns.tally.rows[crowns.row_of_voxel[n]].raters != present)
        found[run.first + i] = crowns.row_of_voxel[n];
  return found;
}

/// The connected ones that the first of them leads to; they are taken out of the map.
std::map<std::int64_t, std::uint32_t> take_zone(const Reduction& reduction,
                                                std::map<std::int64_t, std::uint32_t>& left) {
  std::map<std::int64_t, std::uint32_t> zone;
  zone.insert(left.extract(left.begin()));
  for (bool grown = true; grown;) {
    grown = false;
    for (auto at = left.begin(); at != left.end();) {
      const Place own = place_of_voxel(reduction.grid, at->first);
      const bool joins = std::any_of(zone.begin(), zone.end(), [&](const auto& other) {
        return touch(reduction.neighbourhood, own, place_of_voxel(reduction.grid, other.first));
      });
      const auto next = std::next(at);
      if (joins) zone.insert(left.extract(at));
      grown |= joins;
      at = next;
    }
  }
  return zone;
}

void expect_zone(const Zones& zones, std::size_t z, const Grid& grid,
                 const std::map<std::int64_t, std::uint32_t>& plain) {
  const Zone& zone = zones.list[z];
  ASSERT_EQ(zone.first, plain.begin()->first);
  ASSERT_EQ(zone.voxels, std::ssize(plain));
  std::map<std::uint32_t, std::int64_t> rows;
  for (const auto& [voxel, row] : plain) ++rows[row];
  std::vector<ZoneRow> expected;
  for (const auto& [row, voxels] : rows) expected.push_back({row, voxels});
  ASSERT_EQ(zone.rows, expected);
  std::set<std::int64_t> voxels;
  for (const Run& run : zones.voxels_of(grid, z).runs)
    for (std::int32_t i = 0; i < run.length; ++i) voxels.insert(run.first + i);
  ASSERT_EQ(voxels.size(), plain.size());
  for (const auto& [voxel, row] : plain) ASSERT_TRUE(voxels.contains(voxel));
}

TEST(Zones, AreThoseOfAPlainSearchVoxelByVoxel) {
  std::size_t several = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    const auto c = agreement_testing::make(seed, "jaccard");
    const Reduction& reduction = c.consensus.reduction;
    for (std::size_t i = 0; i < reduction.crowns.size(); ++i) {
      const Zones zones = find_zones(reduction, i);
      auto left = disputed_voxels(reduction, i);
      for (std::size_t z = 0; z < zones.list.size(); ++z) {
        ASSERT_FALSE(left.empty());
        expect_zone(zones, z, reduction.grid, take_zone(reduction, left));
      }
      ASSERT_TRUE(left.empty());
      several += zones.list.size() > 1 ? 1U : 0U;
    }
  }
  EXPECT_GT(several, 10U);
}

TEST(Zones, ARaterWhoDrewNothingInAComponentDisputesNothingOfIt) {
  const auto a = ascii::mask({"##.#"}), b = ascii::mask({"#..#"}), c = ascii::mask({"...#"});
  const Reduction reduction = agreement_testing::reduce({.size = {4, 1, 1}}, {a, b, c});
  ASSERT_EQ(reduction.crowns.size(), 2U);
  const Zones first = find_zones(reduction, 0);
  ASSERT_EQ(first.list.size(), 1U);
  EXPECT_EQ(first.list[0].first, 1);
  EXPECT_EQ(first.list[0].voxels, 1);
  EXPECT_TRUE(find_zones(reduction, 1).list.empty());
}

TEST(Zones, AreTheSameFoundOnceInASmallCaseAndAnewInALargeOne) {
  for (const std::size_t length : {60U, 200'000U}) {
    std::vector<std::uint8_t> a(length, 1), b(length, 1);
    b[3] = b[10] = b[11] = 0;
    const Reduction reduction =
        agreement_testing::reduce({.size = {static_cast<std::int32_t>(length), 1, 1}}, {a, b});
    ZoneKeeper keeper(reduction);
    const Zones* last = nullptr;
    for (int round = 0; round < 2; ++round)
      keeper.with(0, [&](const Zones& zones) {
        ASSERT_EQ(zones.list.size(), 2U);
        EXPECT_EQ(zones.list[1].first, 10);
        EXPECT_EQ(zones.list[1].voxels, 2);
        EXPECT_TRUE(round == 0 || length > 100 || &zones == last);
        last = &zones;
      });
  }
}

}  // namespace
}  // namespace crema
