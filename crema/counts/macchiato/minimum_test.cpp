// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/macchiato/minimum.h"

#include <array>
#include <cmath>
#include <map>
#include <optional>

#include <gtest/gtest.h>
#include <nlopt.h>
#include <rapidcheck/gtest.h>

#include "test/random_tally.h"

namespace crema {
namespace {

/// A random block of a random problem, the other blocks at random levels.
struct Fixture {
  Problem problem;
  Line line;

  explicit Fixture(std::uint64_t seed) {
    random_case::Dice dice{seed};
    const Tally tally = random_tally::make(dice, {.max_raters = 6, .max_rows = 12, .max_voxels = 200});
    const auto weights = random_tally::random_weights(dice, tally.raters);
    problem = make_problem(tally, random_tally::kSoftDistances[static_cast<std::size_t>(dice.roll(0, 5))],
                           weights, dice.roll(0, 1) == 0 ? Blocks::subcrown : Blocks::crown);
    std::vector<double> levels;
    for (std::size_t b = 0; b < problem.blocks(); ++b) levels.push_back(dice.roll(0, 4) / 4.0);
    const auto block = static_cast<std::size_t>(dice.roll(0, static_cast<int>(problem.blocks()) - 1));
    levels[block] = 0;
    line = {problem, block, sum_up(problem, levels)};
  }
};

RC_GTEST_PROP(Minimum, IsNotAboveAnyPointOfAFineGrid, (std::uint64_t seed)) {
  for (std::uint64_t i = 0; i < 5; ++i) {
    const Fixture f(seed + i);
    const double least = value_at(f.line, minimise(f.line));
    for (int step = 0; step <= 5000; ++step) RC_ASSERT(least <= value_at(f.line, step / 5000.0) + 1e-14);
  }
}

double nlopt_value(unsigned /*n*/, const double* y, double* /*gradient*/, void* line) {
  return value_at(*static_cast<const Line*>(line), *y);
}

RC_GTEST_PROP(Minimum, IsNotAboveWhatNloptFinds, (std::uint64_t seed)) {
  Fixture f(seed);
  const double least = value_at(f.line, minimise(f.line));
  for (const nlopt_algorithm algorithm : {NLOPT_GN_DIRECT, NLOPT_LN_COBYLA}) {
    nlopt_opt search = nlopt_create(algorithm, 1);
    nlopt_set_lower_bounds1(search, 0);
    nlopt_set_upper_bounds1(search, 1);
    nlopt_set_min_objective(search, nlopt_value, &f.line);
    nlopt_set_maxeval(search, 300);
    double y = 0.5, found = 0;
    nlopt_optimize(search, &y, &found);
    nlopt_destroy(search);
    RC_ASSERT(least <= found + 1e-14);
  }
}

RC_GTEST_PROP(Minimum, StaysInTheUnitInterval, (std::uint64_t seed)) {
  const Fixture f(seed);
  const double y = minimise(f.line);
  RC_ASSERT(y >= 0);
  RC_ASSERT(y <= 1);
}

RC_GTEST_PROP(Minimum, DifferencesAreThoseOfTheValues, (std::uint64_t seed)) {
  const Fixture f(seed);
  for (const double y : {0.0, 0.3, 1.0})
    for (const double z : {0.0, 0.6, 1.0}) {
      const Difference d = difference(f.line, y, z);
      RC_ASSERT(std::abs(d.value - (value_at(f.line, y) - value_at(f.line, z))) <= 1e-14);
      RC_ASSERT(std::abs(d.value) <= d.terms * (1 + 1e-9));
    }
}

TEST(Minimum, IsTheSameToTheLastBitAtAGlanceAndBySearch) {
  std::map<bool, int> found;  // by whether the extent is a sum of squares
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Fixture f(seed);
    random_case::Dice dice{seed};
    // Levels far from each other, and rests of all sizes, so that blocks are small and large beside them.
    for (const double more : {0.0, 1.0, 30.0, 1e3, 1e6}) {
      Line line = f.line;
      line.rest.extent += more;
      for (std::size_t k = 0; k < line.rest.overlap.size(); ++k) {
        const double both = more * dice.roll(0, 10) / 10;
        f.problem.panel.size[k] += both + more * dice.roll(0, 2) / 10;
        line.rest.overlap[k] += both * dice.roll(5, 10) / 10;
      }
      for (const double now : {0.0, 0.25, 0.9, 1.0}) {
        const std::optional<double> level = find_at_a_glance(line, now);
        const bool squared = squares(f.problem.distance);
        if (!level) continue;
        ++found[squared];
        ASSERT_EQ(*level, find_by_search(line, now)) << seed << " " << more << " " << now;
      }
    }
  }
  EXPECT_GT(found[false], 1000);
  EXPECT_GT(found[true], 1000);
}

TEST(Minimum, OfAVoxelAmongAHundredMillionIsAsExactAsOfALargeBlock) {
  // Two thirds of the weight drew the voxel: the best level follows from the slope, not from values whose
  // differences are lost in rounding.
  const Tally tally{.raters = 3, .rows = {{0, 0b111, 100'000'000}, {1, 0b011, 1}}};
  const Problem problem = make_problem(tally, Distance::tanimoto, {}, Blocks::subcrown);
  const Line line(problem, 1, sum_up(problem, {0.999, 0}));
  const double y = minimise(line);
  for (const double z : {std::max(0.0, y - 1e-5), std::min(1.0, y + 1e-5)})
    EXPECT_GE(difference(line, z, y).value, 0) << z;
}

TEST(Minimum, OfALoneGroupIsToTakeItWhole) {
  const Tally tally{.raters = 1, .rows = {{0, 1, 10}}};
  for (const Distance d : random_tally::kSoftDistances) {
    const Problem problem = make_problem(tally, d, {}, Blocks::subcrown);
    EXPECT_EQ(minimise({problem, 0, sum_up(problem, {0})}), 1) << to_string(d);
  }
}

}  // namespace
}  // namespace crema
