// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/confidence/level_raters.h"

#include <algorithm>

#include "crema/levels/level_sums.h"
#include "crema/levels/reduce_levels.h"
#include "crema/levels/solve_levels.h"
#include "crema/stop.h"
#include "crema/tables/method.h"
#include "crema/voxels/votes/votes.h"

namespace crema {
namespace {

LevelPart remap(const LevelPart& part, const std::vector<std::size_t>& sources) {
  LevelPart own{
      .runs = part.runs, .voxels = part.voxels, .present = drawn_set(part.present, sources), .values = {}};
  own.values = Canvas<float>(sources.size() * static_cast<std::size_t>(part.voxels));
  float* to = own.values.data();
  for (const std::size_t source : sources) {
    const auto levels = part.of(static_cast<int>(source));
    to = std::copy(levels.begin(), levels.end(), to);
  }
  return own;
}

/// A run of one part of the support, and where its levels lie.
struct Placed {
  Run run;
  const LevelPart* part;
  std::size_t at;
};

/// The runs of all parts in raster order.
std::vector<Placed> runs_of_support(const LevelMaps& maps) {
  std::vector<Placed> all;
  const auto add = [&](const LevelPart& part) {
    std::size_t at = 0;
    for (const Run& run : part.runs) {
      all.push_back({run, &part, at});
      at += static_cast<std::size_t>(run.length);
    }
  };
  for (const LevelPart& part : maps.parts) add(part);
  add(maps.rest);
  std::sort(all.begin(), all.end(),
            [](const Placed& a, const Placed& b) { return a.run.first < b.run.first; });
  return all;
}

/// Voxels that a mask has and its vote has not, or the other way round; ties left out.
std::int64_t count_exceptions(const LevelPart& part, const std::vector<double>& votes,
                              const HardImage& mask) {
  constexpr double kTie = 1e-5;
  std::int64_t exceptions = 0;
  std::size_t i = 0;
  for (const Run& run : part.runs)
    for (std::int64_t v = run.first; v < run.first + run.length; ++v, ++i) {
      double sum = 0;
      for (std::size_t k = 0; k < votes.size(); ++k)
        if ((part.present >> k & 1) != 0)
          sum += votes[k] * static_cast<double>(part.of(static_cast<int>(k))[i]);
      const bool inside = mask[static_cast<std::size_t>(v)] != 0;
      if ((sum > 1 + kTie && !inside) || (sum < 1 - kTie && inside)) ++exceptions;
    }
  return exceptions;
}

FoundWeights weights_in(const Reduction& reduction, const Solution& solution, std::size_t c) {
  const LevelPart& part = reduction.levels->parts[c];
  const Distance& distance = solution.method->distance;
  FoundWeights found{.present = part.present, .graded = squares(distance)};
  found.threshold = found.graded ? 0.5 : 1;
  if (solution.method->aim != Aim::distance) {
    found.reason = Undefined::no_criterion;
  } else if (solution.components[c].soft_voxels == 0) {
    found.reason = Undefined::empty_consensus;
  } else if (c >= solution.votes.size() || solution.votes[c].empty()) {
    found.reason = Undefined::all_alike;
  } else {
    found.weights = solution.votes[c];
    if (const auto* const mask = solution.image ? std::get_if<HardImage>(&*solution.image) : nullptr)
      found.exceptions = count_exceptions(part, found.weights, *mask);
  }
  return found;
}

}  // namespace

Raters drawn_set(Raters raters, const std::vector<std::size_t>& sources) {
  Raters result = 0;
  for (std::size_t place = 0; place < sources.size(); ++place)
    result |= (raters >> sources[place] & 1) << place;
  return result;
}

Reduction with_level_raters(const Reduction& reduction, const std::vector<std::size_t>& raters) {
  Reduction other = reduction;
  other.raters = static_cast<int>(raters.size());
  other.votes = {};
  for (Crowns& crowns : other.crowns) {
    crowns.tally.raters = other.raters;
    for (Subcrown& row : crowns.tally.rows) row.raters = drawn_set(row.raters, raters);
  }
  auto maps = std::make_shared<LevelMaps>();
  maps->raters = other.raters;
  maps->floor = reduction.levels->floor;
  for (const LevelPart& part : reduction.levels->parts) maps->parts.push_back(remap(part, raters));
  maps->rest = remap(reduction.levels->rest, raters);
  other.levels = std::move(maps);
  return other;
}

std::vector<SparseLevels> maps_of_level_raters(const Reduction& reduction,
                                               const std::vector<std::size_t>& raters) {
  const std::vector<Placed> support = runs_of_support(*reduction.levels);
  std::vector<SparseLevels> maps;
  for (const std::size_t k : raters) {
    maps.emplace_back(reduction.levels->floor);
    for (const Placed& one : support)
      maps.back().add(
          one.run.first,
          one.part->of(static_cast<int>(k)).subspan(one.at, static_cast<std::size_t>(one.run.length)));
  }
  return maps;
}

Reduction without_level_rater(const Reduction& reduction, int rater, Needs needs, const Options& options) {
  std::vector<std::size_t> others;
  for (int k = 0; k < reduction.raters; ++k)
    if (k != rater) others.push_back(static_cast<std::size_t>(k));
  return reduce_levels(reduction.grid, maps_of_level_raters(reduction, others), reduction.levels->floor,
                       needs, options);
}

std::vector<FoundWeights> find_level_weights(const Reduction& reduction, const Solution& solution) {
  std::vector<FoundWeights> list;
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c)
    list.push_back(weights_in(reduction, solution, c));
  return list;
}

std::vector<Measured> measure_level_margins(const Reduction& reduction, const Solution& solution,
                                            const Options& options) {
  std::vector<Measured> margins;
  SolveOptions kept = solve_options(options);
  kept.empty_test = EmptyTest::skip;
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c) {
    throw_if_stopped(options);
    if (solution.method->aim != Aim::distance) {
      margins.emplace_back(Undefined::no_criterion);
      continue;
    }
    const Decision& decision = solution.components[c];
    const double empty =
        empty_criterion(reduction.levels->parts[c].present, reduction.raters, options.weights);
    margins.emplace_back(
        empty - (decision.soft_voxels > 0
                     ? decision.criterion
                     : solve_part(level_component(reduction, c), solution.method->distance, kept).criterion));
  }
  return margins;
}

}  // namespace crema
