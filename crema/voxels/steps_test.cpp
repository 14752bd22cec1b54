// SPDX-License-Identifier: Apache-2.0
#include "crema/voxels/steps.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "test/random_case.h"

namespace crema {
namespace {

/// Random sources on the case's grid; slice-wise cases get one slice, as a component would.
template <class Number>
void check_against_formula(std::uint64_t seed) {
  auto c = random_case::make(seed);
  if (c.setting.slice_wise) c.grid.size[static_cast<std::size_t>(*c.setting.slice_wise)] = 1;
  const auto voxels = static_cast<std::size_t>(c.grid.voxels());
  random_case::Dice dice{seed};
  std::vector<std::size_t> sources{static_cast<std::size_t>(dice.roll(0, static_cast<int>(voxels) - 1))};
  for (int i = dice.roll(0, 3); i > 0; --i)
    sources.push_back(static_cast<std::size_t>(dice.roll(0, static_cast<int>(voxels) - 1)));
  const Grid solid{.size = {2, 2, 2}};
  const auto neighbourhood = make_neighbourhood(c.grid.flat() && !c.setting.slice_wise ? c.grid : solid,
                                                c.setting.connectivity, c.setting.slice_wise);
  StepField<Number> field(c.grid.size, neighbourhood);
  field.spread([&](std::int32_t z) {
    for (const std::size_t v : sources) {
      const auto p = slow::point(c.grid, v);
      if (p[2] == z) field.row(p[1], z)[p[0]] = 0;
    }
  });
  for (std::size_t v = 0; v < voxels; ++v) {
    const auto p = slow::point(c.grid, v);
    int expected = 1000;
    for (const std::size_t s : sources)
      expected = std::min(expected, slow::steps(p, slow::point(c.grid, s), c.setting));
    RC_ASSERT(static_cast<int>(field.row(p[1], p[2])[p[0]]) == expected);
  }
}

RC_GTEST_PROP(Steps, EqualTheFormulasForEveryNeighbourhood, (std::uint64_t seed)) {
  for (std::uint64_t i = 0; i < 20; ++i) {
    check_against_formula<std::uint8_t>(seed + i);
    check_against_formula<std::uint16_t>(seed + i);
    check_against_formula<std::uint32_t>(seed + i);
  }
}

TEST(Steps, ReachTheLastNumberAByteHolds) {
  const Neighbourhood line = make_neighbourhood({.size = {254, 1, 1}}, 8, {});
  StepField<std::uint8_t> field({254, 1, 1}, line);
  field.spread([&](std::int32_t) { field.row(0, 0)[0] = 0; });
  EXPECT_EQ(field.row(0, 0)[253], 253);
}

}  // namespace
}  // namespace crema
