// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <vector>

#include "crema/fuse.h"
#include "crema/levels/level_maps.h"
#include "crema/levels/reduce_levels.h"
#include "crema/levels/sparse.h"
#include "test/random_case.h"

/// Small random maps of levels, all from one number, and plain readings of what is computed on them.
namespace crema::level_testing {

using Map = std::vector<float>;

struct Case {
  Grid grid;
  std::vector<Map> maps;
};

/// Blobs with soft edges; each rater's lie elsewhere, are sharper or blurred, and some are missing.
inline Case make(std::uint64_t seed, int raters = 0) {
  random_case::Dice dice{seed};
  const auto share = [&] { return dice.roll(0, 1000) / 1000.0; };
  Case c;
  c.grid.size = {dice.roll(5, 12), dice.roll(4, 9), dice.roll(1, 3)};
  c.maps.assign(static_cast<std::size_t>(raters > 0 ? raters : dice.roll(2, 5)),
                Map(static_cast<std::size_t>(c.grid.voxels()), 0));
  for (int blob = dice.roll(1, 2); blob > 0; --blob) {
    const double centre[] = {share() * c.grid.size[0], share() * c.grid.size[1], share() * c.grid.size[2]};
    const double radius = 1 + 2 * share();
    for (Map& map : c.maps) {
      if (dice.roll(0, 6) == 0) continue;
      const double shift[] = {1.5 * share(), 1.5 * share(), 0}, blur = 0.2 + share(),
                   top = 0.6 + 0.4 * share();
      for (std::size_t v = 0; v < map.size(); ++v) {
        const auto p = slow::point(c.grid, v);
        double far = 0;
        for (std::size_t a = 0; a < 3; ++a) far += std::pow(p[a] - centre[a] - shift[a], 2);
        const double level = top / (1 + std::exp((std::sqrt(far) - radius) / blur));
        map[v] = std::max(map[v], static_cast<float>(level));
      }
    }
  }
  return c;
}

inline Case cut(Case c) {
  for (Map& map : c.maps)
    for (float& level : map) level = level >= 0.5F ? 1 : 0;
  return c;
}

inline constexpr double kFloor = 0.05;

inline Reduction reduce(const Case& c, const Options& options = {}) {
  std::vector<SparseLevels> maps(c.maps.size(), SparseLevels(kFloor));
  for (std::size_t k = 0; k < maps.size(); ++k) maps[k].add(0, c.maps[k]);
  return reduce_levels(c.grid, std::move(maps), kFloor, Needs::distances, options);
}

struct Fused {
  Reduction reduction;
  Solution solution;
  std::vector<double> levels;  ///< as painted
};

inline Fused fuse(const Case& c, std::string_view method, Options options = {}) {
  Fused fused{reduce(c, options), {}, {}};
  fused.solution = solve(fused.reduction, find_method(method), options);
  std::visit([&](const auto& image) { fused.levels.assign(image.begin(), image.end()); },
             *fused.solution.image);
  return fused;
}

/// The criterion of levels `x` of one component, from the formulas alone.
inline double plain_criterion(const LevelPart& part, int raters, const std::vector<double>& x,
                              const Distance& distance) {
  double sum = 0;
  for (int k = 0; k < raters; ++k) {
    const bool here = (part.present >> static_cast<unsigned>(k) & 1) != 0;
    double a = 0, e = 0, s = 0;
    for (std::size_t v = 0; v < x.size(); ++v) {
      const double level = here ? static_cast<double>(part.of(k)[v]) : 0;
      a += squares(distance) ? x[v] * level : std::min(x[v], level);
      e += squares(distance) ? x[v] * x[v] : x[v];
      s += squares(distance) ? level * level : level;
    }
    if (e == 0 && s == 0) continue;
    const bool jaccard = twin_of(distance) == Distance::jaccard;
    const double d = jaccard ? 1 - a / (e + s - a) : 1 - 2 * a / (e + s);
    sum += d * d;
  }
  return sum / raters;
}

/// The levels of one component of a painted result.
inline std::vector<double> on_part(const Fused& fused, std::size_t c) {
  std::vector<double> x;
  for (const Run& run : fused.reduction.levels->parts[c].runs)
    for (std::int32_t i = 0; i < run.length; ++i)
      x.push_back(fused.levels[static_cast<std::size_t>(run.first + i)]);
  return x;
}

}  // namespace crema::level_testing
