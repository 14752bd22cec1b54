// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <gtest/gtest.h>

#include "crema/counts/groups.h"
#include "crema/counts/solvers.h"
#include "crema/fuse.h"
#include "test/random_tally.h"

/// Laws 3 and 5 of the method on counts: neither the order of the raters nor a rater who drew nothing in a
/// component shows in its result.
namespace crema {
namespace {

using random_case::Dice;

constexpr std::array kBlocks{Blocks::subcrown, Blocks::crown, Blocks::group};

/// New place of each rater.
std::vector<int> shuffled(Dice& dice, int raters) {
  std::vector<int> place(static_cast<std::size_t>(raters));
  std::iota(place.begin(), place.end(), 0);
  for (std::size_t k = place.size(); k > 1; --k)
    std::swap(place[k - 1], place[static_cast<std::size_t>(dice.roll(0, static_cast<int>(k) - 1))]);
  return place;
}

Raters moved(Raters raters, const std::vector<int>& place) {
  Raters result = 0;
  for (std::size_t k = 0; k < place.size(); ++k)
    if ((raters >> k & 1) != 0) result |= Raters{1} << place[k];
  return result;
}

Tally moved(const Tally& tally, const std::vector<int>& place) {
  Tally result{.raters = static_cast<int>(place.size()), .rows = {}};
  for (const Subcrown& row : tally.rows)
    result.rows.push_back({row.distance, moved(row.raters, place), row.voxels});
  std::sort(result.rows.begin(), result.rows.end(), [](const Subcrown& a, const Subcrown& b) {
    return std::tie(a.distance, a.raters) < std::tie(b.distance, b.raters);
  });
  return result;
}

std::vector<double> moved(const std::vector<double>& weights, const std::vector<int>& place) {
  std::vector<double> result(weights.size());
  for (std::size_t k = 0; k < weights.size(); ++k) result[static_cast<std::size_t>(place[k])] = weights[k];
  return result;
}

/// The largest difference between the levels of a row and those of the same row after the raters changed
/// places.
double worst(const Tally& tally, const Levels& levels, const std::vector<int>& place, const Tally& other,
             const Levels& others) {
  std::map<std::pair<int, Raters>, double> level;
  for (std::size_t r = 0; r < others.size(); ++r)
    level[{other.rows[r].distance, other.rows[r].raters}] = others[r];
  double most = 0;
  for (std::size_t r = 0; r < levels.size(); ++r)
    most = std::max(
        most, std::abs(levels[r] - level.at({tally.rows[r].distance, moved(tally.rows[r].raters, place)})));
  return most;
}

std::string described(const Tally& tally) {
  std::string text;
  for (const Subcrown& row : tally.rows)
    text += "{" + std::to_string(row.distance) + ", " + std::to_string(row.raters) + ", " +
            std::to_string(row.voxels) + "} ";
  return text;
}

/// Small counts make ties; of every third tally two raters are exchanged and added, so that it is its own
/// mirror image.
Tally tied_tally(Dice& dice) {
  Tally tally = random_tally::make(dice, {.max_raters = 5, .max_rows = 8, .max_voxels = dice.roll(1, 4)});
  if (tally.raters < 2 || dice.roll(0, 2) > 0) return tally;
  std::vector<int> exchange(static_cast<std::size_t>(tally.raters));
  std::iota(exchange.begin(), exchange.end(), 0);
  std::swap(exchange[0], exchange[1]);
  std::map<std::pair<int, Raters>, std::int64_t> rows;
  for (const Tally& part : {tally, moved(tally, exchange)})
    for (const Subcrown& row : part.rows) rows[{row.distance, row.raters}] += row.voxels;
  tally.rows.clear();
  for (const auto& [key, n] : rows) tally.rows.push_back({key.first, key.second, n});
  return tally;
}

TEST(Law3, TheOrderOfRatersChangesNoLevelOfASoftConsensus) {
  Dice dice{3};
  for (int i = 0; i < 3000; ++i) {
    const Tally tally = tied_tally(dice);
    const auto weights = random_tally::random_weights(dice, tally.raters);
    const auto place = shuffled(dice, tally.raters);
    const Tally other = moved(tally, place);
    for (const Method& method : methods()) {
      if (method.kind != Kind::soft || !takes_masks(method) || !std::holds_alternative<Solver>(method.solver))
        continue;
      for (const Blocks blocks : {Blocks::subcrown, Blocks::crown}) {
        const auto solve = std::get<Solver>(method.solver);
        const SolveOptions options{.blocks = blocks, .weights = weights};
        const Levels levels = solve(tally, options).levels;
        const Levels others = solve(other, {.blocks = blocks, .weights = moved(weights, place)}).levels;
        ASSERT_LE(worst(tally, levels, place, other, others), 1e-6)
            << method.name << ", tally " << i << ": " << described(tally) << testing::PrintToString(levels)
            << testing::PrintToString(others);
      }
    }
  }
}

TEST(Law3, TheOrderOfRatersChangesNoCriterionOfATrueMinimiser) {
  Dice dice{4};
  for (int i = 0; i < 300; ++i) {
    const Tally tally = tied_tally(dice);
    const auto place = shuffled(dice, tally.raters);
    const Tally other = moved(tally, place);
    for (const Method& method : methods()) {
      if (method.aim != Aim::distance) continue;
      const auto solve = std::get<Solver>(method.solver);
      const SolveOptions options{.blocks = Blocks::group};
      EXPECT_NEAR(criterion(tally, solve(tally, options).levels, method.distance),
                  criterion(other, solve(other, options).levels, method.distance), 1e-7)
          << method.name << ", tally " << i << ": " << described(tally);
    }
  }
}

TEST(Law3, TheOrderOfRatersChangesNoVote) {
  Dice dice{5};
  for (int i = 0; i < 2000; ++i) {
    const Tally tally = tied_tally(dice);
    const auto place = shuffled(dice, tally.raters);
    const Tally other = moved(tally, place);
    EXPECT_EQ(worst(tally, solve_majority(tally, {}).levels, place, other, solve_majority(other, {}).levels),
              0);
  }
}

Groups groups_of(const Tally& tally) {
  std::map<Raters, std::int64_t> voxels{{0, 50}};
  for (const Subcrown& row : tally.rows) voxels[row.raters] += row.voxels;
  Groups groups{.raters = tally.raters, .rows = {}};
  for (const auto& [raters, n] : voxels) groups.rows.push_back({raters, n});
  return groups;
}

TEST(Law3, TheOrderOfRatersChangesNoEstimateOfPerformance) {
  Dice dice{6};
  for (int i = 0; i < 1000; ++i) {
    const Groups groups = groups_of(tied_tally(dice));
    const auto place = shuffled(dice, groups.raters);
    Groups other{.raters = groups.raters, .rows = {}};
    for (const Group& row : groups.rows) other.rows.push_back({moved(row.raters, place), row.voxels});
    std::sort(other.rows.begin(), other.rows.end(),
              [](const Group& a, const Group& b) { return a.raters < b.raters; });
    for (const Method& method : methods()) {
      if (!std::holds_alternative<GroupSolver>(method.solver)) continue;
      const auto solve = std::get<GroupSolver>(method.solver);
      const Levels levels = solve(groups, {}).levels, others = solve(other, {}).levels;
      for (std::size_t r = 0; r < levels.size(); ++r) {
        const auto at = std::find_if(other.rows.begin(), other.rows.end(), [&](const Group& row) {
          return row.raters == moved(groups.rows[r].raters, place);
        });
        EXPECT_NEAR(levels[r], others[static_cast<std::size_t>(at - other.rows.begin())], 1e-6)
            << method.name << ", tally " << i;
      }
    }
  }
}

TEST(Law5, ARaterAbsentFromAKeptComponentDoesNotMoveItWhereThereAreTies) {
  Dice dice{7};
  int kept = 0;
  for (int i = 0; i < 2000; ++i) {
    const Tally tally = tied_tally(dice);
    Tally with = tally;
    with.raters += dice.roll(1, 3);
    for (const Method& method : methods()) {
      if (method.aim != Aim::distance || is_linear(method.distance)) continue;  // in a vote all count
      const auto solve = std::get<Solver>(method.solver);
      for (const Blocks blocks : kBlocks) {
        if (blocks == Blocks::group && i >= 300) continue;
        const Levels before = solve(tally, {.blocks = blocks}).levels,
                     after = solve(with, {.blocks = blocks}).levels;
        if (std::all_of(after.begin(), after.end(), [](double x) { return x == 0; })) continue;
        ++kept;
        if (blocks != Blocks::group)
          EXPECT_EQ(before, after) << method.name << ", tally " << i << ": " << described(tally);
        else
          for (std::size_t r = 0; r < before.size(); ++r)
            EXPECT_NEAR(before[r], after[r], 1e-4)
                << method.name << ", tally " << i << ": " << described(tally);
      }
    }
  }
  EXPECT_GT(kept, 5000);
}

}  // namespace
}  // namespace crema
