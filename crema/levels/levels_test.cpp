// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <queue>

#include <gtest/gtest.h>
#include <nlopt.h>
#include <rapidcheck/gtest.h>

#include "crema/base/error.h"
#include "crema/levels/clipped_mean.h"
#include "crema/levels/layers.h"
#include "crema/levels/testing.h"

namespace crema::level_testing {
namespace {

constexpr std::array kSix{"jaccard", "dice", "soergel", "dice1", "tanimoto", "dice2"};
constexpr std::array kAll{"jaccard",  "dice",    "soergel", "dice1",         "tanimoto", "dice2",
                          "majority", "average", "median",  "logit-average", "robust"};

std::vector<std::vector<std::uint8_t>> masks_of(const Case& c) {
  std::vector<std::vector<std::uint8_t>> masks;
  for (const Map& map : c.maps) masks.emplace_back(map.begin(), map.end());
  return masks;
}

RC_GTEST_PROP(Levels, MapsOf0And1GiveTheBinaryConsensusOfGroups, (std::uint64_t seed)) {
  const Case c = cut(make(seed));
  const auto masks = masks_of(c);
  const std::vector<Mask> views(masks.begin(), masks.end());
  for (const std::string_view method : kSix) {
    const Fused own = level_testing::fuse(c, method);
    const Consensus binary = crema::fuse(c.grid, views, {.method = method, .blocks = Blocks::group});
    RC_ASSERT(std::abs(own.solution.lmsd - binary.solution.lmsd) <= 1e-12);
    std::vector<double> painted;
    std::visit([&](const auto& image) { painted.assign(image.begin(), image.end()); }, binary.image);
    RC_ASSERT(own.levels == painted);
  }
  for (const std::string_view method : {"average", "majority"}) {
    const Consensus binary = crema::fuse(c.grid, views, {.method = method});
    RC_ASSERT(std::abs(level_testing::fuse(c, method).solution.lmsd - binary.solution.lmsd) <= 1e-12);
  }
}

RC_GTEST_PROP(Levels, LayersAndMeansSolveMasksWithoutCounts, (std::uint64_t seed)) {
  const Reduction r = level_testing::reduce(cut(make(seed)));
  for (std::size_t c = 0; c < r.levels->parts.size(); ++c) {
    const LevelComponent component{r.raters, r.levels->parts[c], r.components.runs_of(r.components.list[c]),
                                   r.crowns[c]};
    for (const Distance& distance :
         {Distance::soergel, Distance::dice1, Distance::tanimoto, Distance::dice2}) {
      const double best =
          criterion(r.crowns[c].tally, solve_groups(r.crowns[c].tally, distance, {}).levels, distance);
      const LevelAnswer own = squares(distance) ? solve_clipped_mean(component, distance, {})
                                                : solve_layers(component, distance, {});
      RC_ASSERT(own.criterion >= best - 1e-9);
      // Each search ends where it gains less than 1e-12 of the criterion at a time.
      RC_ASSERT(own.criterion <= best + (squares(distance) ? 1e-9 : 1e-11));
    }
  }
}

RC_GTEST_PROP(Levels, TheCriterionIsThatOfThePaintedLevels, (std::uint64_t seed)) {
  const Case c = make(seed);
  for (const std::string_view method : kAll) {
    const Fused fused = level_testing::fuse(c, method);
    double sum = 0;
    for (std::size_t p = 0; p < fused.reduction.levels->parts.size(); ++p)
      sum += plain_criterion(fused.reduction.levels->parts[p], fused.reduction.raters, on_part(fused, p),
                             find_method(method).distance);
    RC_ASSERT(std::abs(sum - fused.solution.lmsd) <= 1e-6);
    for (const double level : fused.levels) RC_ASSERT(level >= 0 && level <= 1);
  }
}

/// One level after the other to the best of the raters' levels, 0, 1 and those between; from a random start.
double descend_voxels(const LevelPart& part, int raters, std::vector<double> x, const Distance& distance) {
  double now = plain_criterion(part, raters, x, distance);
  for (int sweep = 0; sweep < 30; ++sweep) {
    const double before = now;
    for (std::size_t v = 0; v < x.size(); ++v) {
      std::vector<double> tries;
      for (int i = 0; i <= 16; ++i) tries.push_back(i / 16.0);
      for (int k = 0; k < raters; ++k) tries.push_back(static_cast<double>(part.of(k)[v]));
      for (const double level : tries) {
        const double old = std::exchange(x[v], level);
        if (const double then = plain_criterion(part, raters, x, distance); then < now)
          now = then;
        else
          x[v] = old;
      }
    }
    if (now >= before - 1e-12) break;
  }
  return now;
}

RC_GTEST_PROP(Levels, NoVoxelwiseSearchGetsBelowTheLayersOrTheirBound, (std::uint64_t seed)) {
  const Case c = make(seed, 3);
  for (const std::string_view method : {"soergel", "dice1"}) {
    const Fused fused = level_testing::fuse(c, method);
    for (std::size_t p = 0; p < fused.reduction.levels->parts.size(); ++p) {
      const LevelPart& part = fused.reduction.levels->parts[p];
      if (part.voxels > 60) continue;
      const Decision& decision = fused.solution.components[p];
      random_case::Dice dice{seed};
      std::vector<double> start(static_cast<std::size_t>(part.voxels));
      for (double& level : start) level = dice.roll(0, 8) / 8.0;
      const double found = std::min(descend_voxels(part, 3, start, find_method(method).distance),
                                    descend_voxels(part, 3, on_part(fused, p), find_method(method).distance));
      // A search may end before its tolerance is met where two minima are nearly as low as each other.
      RC_ASSERT(decision.certificate->proven ||
                decision.criterion - decision.certificate->lower_bound <= 1e-5 * decision.criterion);
      RC_ASSERT(decision.criterion <= found + 1e-7);
      RC_ASSERT(decision.certificate->lower_bound <= found + 1e-9);
    }
  }
}

struct Smooth {
  const LevelPart& part;
  int raters;
  Distance distance;
};

/// The criterion with squares and its slopes, for NLopt.
double smooth(unsigned n, const double* x, double* slope, void* data) {
  const Smooth& s = *static_cast<const Smooth*>(data);
  const std::vector<double> levels(x, x + n);
  if (slope != nullptr) {
    std::fill_n(slope, n, 0.0);
    for (int k = 0; k < s.raters; ++k) {
      if ((s.part.present >> static_cast<unsigned>(k) & 1) == 0) continue;
      double a = 0, q = 0, size = 0;
      for (unsigned v = 0; v < n; ++v) {
        const auto level = static_cast<double>(s.part.of(k)[v]);
        a += x[v] * level;
        q += x[v] * x[v];
        size += level * level;
      }
      const bool tanimoto = s.distance == Distance::tanimoto;
      const double c = tanimoto ? q + size - a : q + size;
      const double d = tanimoto ? 1 - a / c : 1 - 2 * a / c;
      for (unsigned v = 0; v < n; ++v) {
        const auto level = static_cast<double>(s.part.of(k)[v]);
        const double dc = tanimoto ? 2 * x[v] - level : 2 * x[v];
        slope[v] += 2 * d * -(tanimoto ? 1 : 2) * (level / c - a * dc / (c * c)) / s.raters;
      }
    }
  }
  return plain_criterion(s.part, s.raters, levels, s.distance);
}

RC_GTEST_PROP(Levels, TheClippedMeanIsWhatAVoxelwiseOptimiserFinds, (std::uint64_t seed)) {
  const Case c = make(seed);
  for (const std::string_view method : {"tanimoto", "dice2"}) {
    const Fused fused = level_testing::fuse(c, method);
    for (std::size_t p = 0; p < fused.reduction.levels->parts.size(); ++p) {
      const LevelPart& part = fused.reduction.levels->parts[p];
      Smooth data{part, fused.reduction.raters, find_method(method).distance};
      std::vector<double> x(static_cast<std::size_t>(part.voxels), 0);
      for (std::size_t v = 0; v < x.size(); ++v)
        for (int k = 0; k < fused.reduction.raters; ++k)
          if ((part.present >> static_cast<unsigned>(k) & 1) != 0)
            x[v] += static_cast<double>(part.of(k)[v]) / fused.reduction.raters;
      nlopt_opt search = nlopt_create(NLOPT_LD_LBFGS, static_cast<unsigned>(x.size()));
      nlopt_set_lower_bounds1(search, 0);
      nlopt_set_upper_bounds1(search, 1);
      nlopt_set_min_objective(search, smooth, &data);
      nlopt_set_ftol_rel(search, 1e-14);
      nlopt_set_maxeval(search, 2000);
      double found = 0;
      nlopt_optimize(search, x.data(), &found);
      nlopt_destroy(search);
      const double empty =
          plain_criterion(part, fused.reduction.raters, std::vector<double>(x.size(), 0), data.distance);
      RC_ASSERT(fused.solution.components[p].criterion <= std::min(found, empty) + 1e-7);
    }
  }
}

RC_GTEST_PROP(Levels, BackgroundOrderAndThreadsChangeNothing, (std::uint64_t seed)) {
  const Case c = make(seed);
  Case larger = c, turned = c;
  larger.grid.size = {c.grid.size[0] + 3, c.grid.size[1] + 2, c.grid.size[2]};
  std::reverse(turned.maps.begin(), turned.maps.end());
  for (Map& map : larger.maps) map.assign(static_cast<std::size_t>(larger.grid.voxels()), 0.049F);
  const auto place = [&](std::size_t v) {
    const auto p = slow::point(c.grid, v);
    return static_cast<std::size_t>(p[0] + 1 + larger.grid.size[0] * (p[1] + 2 + larger.grid.size[1] * p[2]));
  };
  for (std::size_t k = 0; k < c.maps.size(); ++k)
    for (std::size_t v = 0; v < c.maps[k].size(); ++v) larger.maps[k][place(v)] = c.maps[k][v];
  for (const std::string_view method : kAll) {
    const Fused one = level_testing::fuse(c, method, {.threads = 1});
    RC_ASSERT(level_testing::fuse(c, method, {.threads = 4}).levels == one.levels);
    const Fused more = level_testing::fuse(larger, method);
    const Fused other = level_testing::fuse(turned, method);
    for (std::size_t v = 0; v < one.levels.size(); ++v) {
      RC_ASSERT(more.levels[place(v)] == one.levels[v]);
      // Minimisers of these two are not unique: another order may find another one of the same criterion.
      if (method != "soergel" && method != "dice1")
        RC_ASSERT(std::abs(other.levels[v] - one.levels[v]) <= 1e-3);
    }
    RC_ASSERT(std::abs(other.solution.lmsd - one.solution.lmsd) <= 1e-7);
  }
}

TEST(Levels, ARaterWhoReachesAHalfNowhereDoesNotMoveAKeptComponent) {
  Case c = make(7, 4);
  for (std::size_t k = 1; k < 4; ++k) c.maps[k] = c.maps[0];
  c.maps[3].assign(c.maps[3].size(), 0.3F);
  Case without = c;
  without.maps.pop_back();
  for (const std::string_view method : kSix) {
    const Fused with = level_testing::fuse(c, method);
    const Fused alone = level_testing::fuse(without, method);
    for (std::size_t v = 0; v < alone.levels.size(); ++v)
      EXPECT_NEAR(with.levels[v], alone.levels[v], 1e-6) << method;
  }
}

TEST(Levels, EqualMapsAreTheirOwnConsensus) {
  Case c = make(3, 1);
  c.maps.resize(3, c.maps[0]);
  for (const std::string_view method : {"soergel", "dice1", "tanimoto", "dice2", "average", "median"}) {
    const Fused fused = level_testing::fuse(c, method);
    EXPECT_NEAR(fused.solution.lmsd, 0, 1e-12) << method;
    for (std::size_t v = 0; v < fused.levels.size(); ++v)
      EXPECT_NEAR(fused.levels[v], c.maps[0][v] < 0.05F ? 0 : c.maps[0][v], 1e-6) << method;
  }
}

/// Steps from the cores through the support, by a queue over single voxels.
RC_GTEST_PROP(Levels, AVoxelOutsideTheCoresJoinsTheNearestOne, (std::uint64_t seed)) {
  const Case c = make(seed);
  const Reduction r = level_testing::reduce(c);
  std::vector<int> part(static_cast<std::size_t>(c.grid.voxels()), -2), far(part.size(), -1);
  for (std::size_t v = 0; v < part.size(); ++v)
    for (const Map& map : c.maps)
      if (map[v] >= 0.05F) part[v] = -1;
  std::queue<std::size_t> queue;
  for (std::size_t n = 0; n < r.components.list.size(); ++n)
    for (const Run& run : r.components.runs_of(r.components.list[n]))
      for (std::int64_t v = run.first; v < run.first + run.length; ++v) {
        far[static_cast<std::size_t>(v)] = 0;
        queue.push(static_cast<std::size_t>(v));
      }
  for (; !queue.empty(); queue.pop())
    for (std::size_t v = 0; v < part.size(); ++v) {
      if (part[v] != -1 || far[v] >= 0) continue;
      const auto a = slow::point(c.grid, v), b = slow::point(c.grid, queue.front());
      if (std::max({std::abs(a[0] - b[0]), std::abs(a[1] - b[1]), std::abs(a[2] - b[2])}) != 1) continue;
      far[v] = far[queue.front()] + 1;
      queue.push(v);
    }
  std::int64_t inside = 0, reached = 0;
  for (const LevelPart& own : r.levels->parts) inside += own.voxels;
  for (const int steps : far) reached += steps >= 0 ? 1 : 0;
  RC_ASSERT(inside == reached);
  std::map<std::int64_t, std::size_t> owner;
  for (std::size_t n = 0; n < r.levels->parts.size(); ++n)
    for (const Run& run : r.levels->parts[n].runs)
      for (std::int64_t v = run.first; v < run.first + run.length; ++v) RC_ASSERT(owner.emplace(v, n).second);
  for (const auto& owned : owner) {
    const auto v = static_cast<std::size_t>(owned.first);
    if (far[v] == 0) continue;
    const auto a = slow::point(c.grid, v);
    const bool beside = std::any_of(owner.begin(), owner.end(), [&](const auto& other) {
      const auto b = slow::point(c.grid, static_cast<std::size_t>(other.first));
      return other.second == owned.second && far[static_cast<std::size_t>(other.first)] == far[v] - 1 &&
             std::max({std::abs(a[0] - b[0]), std::abs(a[1] - b[1]), std::abs(a[2] - b[2])}) == 1;
    });
    RC_ASSERT(beside);
  }
}

TEST(Levels, MethodsForMasksRefuseLevelsAndTheOtherWayRound) {
  const Case c = make(1);
  EXPECT_THROW(level_testing::fuse(c, "staple"), UsageError);
  const auto masks = masks_of(cut(c));
  const std::vector<Mask> views(masks.begin(), masks.end());
  EXPECT_THROW(crema::fuse(c.grid, views, {.method = "median"}), UsageError);
}

}  // namespace
}  // namespace crema::level_testing
