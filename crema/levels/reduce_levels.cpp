// SPDX-License-Identifier: Apache-2.0
#include "crema/levels/reduce_levels.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "crema/base/memory.h"
#include "crema/base/parallel.h"
#include "crema/counts/processor.h"
#include "crema/image/large_pages.h"
#include "crema/levels/level_maps.h"
#include "crema/levels/shells/shells.h"
#include "crema/stop.h"
#include "crema/voxels/votes/votes.h"

namespace crema {
namespace {

/// Whether any is marked.
CREMA_FOR_EACH_PROCESSOR bool mark_core(std::span<const float> levels, std::uint8_t* marks) {
  std::uint8_t any = 0;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    marks[i] = levels[i] >= kCoreLevel ? 1 : 0;
    any |= marks[i];
  }
  return any != 0;
}

Votes votes_of(const Grid& grid, const std::vector<SparseLevels>& maps) {
  Votes votes(grid.voxels(), static_cast<int>(maps.size()));
  std::vector<std::uint8_t> part;
  for (std::size_t k = 0; k < maps.size(); ++k) {
    const float* level = maps[k].values().data();
    for (const Run& run : maps[k].runs()) {
      const auto length = static_cast<std::size_t>(run.length);
      if (part.size() < length) part.resize(length);
      if (mark_core({level, length}, part.data()))
        votes.fold_part(static_cast<int>(k), run.first, Mask(part).first(length));
      level += length;
    }
  }
  return votes;
}

/// Cuts the support into parts, each with its runs, and finds where each stretch begins in its part.
std::vector<std::int64_t> cut_parts(std::span<const Stretch> support, LevelMaps& maps) {
  std::vector<std::int64_t> places;
  places.reserve(support.size());
  for (const Stretch& stretch : support) {
    LevelPart& part = stretch.component == kNoComponent ? maps.rest : maps.parts[stretch.component];
    places.push_back(part.voxels);
    part.voxels += stretch.length;
    part.runs.push_back({stretch.first, stretch.length});
  }
  const auto reserve = [&](LevelPart& part) {
    part.values = Canvas<float>(static_cast<std::size_t>(part.voxels * maps.raters));
    prefer_large_pages(part.values.data(), part.values.size() * sizeof(float));
  };
  for (LevelPart& part : maps.parts) reserve(part);
  reserve(maps.rest);
  return places;
}

/// Where a rater's levels go in each part; the last one is the rest.
std::vector<float*> targets_of(LevelMaps& maps, std::int64_t rater) {
  std::vector<float*> targets;
  for (LevelPart& part : maps.parts) targets.push_back(part.values.data() + rater * part.voxels);
  targets.push_back(maps.rest.values.data() + rater * maps.rest.voxels);
  return targets;
}

/// A rater's levels lie in the support.
void place_levels(const SparseLevels& source, std::span<const Stretch> support,
                  const std::vector<std::int64_t>& places, const std::vector<float*>& targets) {
  const float* level = source.values().data();
  std::size_t s = 0;
  for (const Run& run : source.runs())
    for (std::int64_t v = run.first, end = run.first + run.length; v < end;) {
      while (support[s].first + support[s].length <= v) ++s;
      const std::int64_t count = std::min(end, support[s].first + support[s].length) - v;
      float* const part = targets[std::min(std::size_t{support[s].component}, targets.size() - 1)];
      std::copy_n(level, count, part + places[s] + (v - support[s].first));
      level += count;
      v += count;
    }
}

/// What placing takes: the levels once more, and two numbers for a voxel of the support.
void require_support(const std::vector<Run>& runs, std::size_t raters, const Options& options) {
  if (!options.memory) return;
  std::int64_t voxels = 0;
  for (const Run& run : runs) voxels += run.length;
  constexpr std::int64_t kNumbers = 2 * sizeof(std::uint32_t);
  options.memory->require(fmt::format("the levels of {} voxels and {} raters", voxels, raters),
                          voxels * (kNumbers + static_cast<std::int64_t>(raters * sizeof(float))),
                          "crop the images, raise " + Sentence::setting("floor"));
}

}  // namespace

Reduction reduce_levels(const Grid& grid, std::vector<SparseLevels> maps, double floor, Needs needs,
                        const Options& options) {
  std::vector<Run> runs;
  Reduction result;
  with_threads(options.threads, [&] {
    runs = unite(maps);
    require_support(runs, maps.size(), options);
    result = reduce(grid, votes_of(grid, maps), needs, options);
    auto levels = std::make_shared<LevelMaps>();
    levels->raters = static_cast<int>(maps.size());
    levels->floor = floor;
    levels->parts.resize(result.components.list.size());
    const auto support = share_support(grid, runs, maps, result.components, result.neighbourhood);
    throw_if_stopped(options);
    const std::vector<std::int64_t> places = cut_parts(support, *levels);
    parallel_for(std::ssize(maps), [&](std::int64_t k) {
      const SparseLevels source = std::move(maps[static_cast<std::size_t>(k)]);
      place_levels(source, support, places, targets_of(*levels, k));
    });
    for (std::size_t c = 0; c < levels->parts.size(); ++c)
      for (const Subcrown& row : result.crowns[c].tally.rows) levels->parts[c].present |= row.raters;
    result.levels = std::move(levels);
  });
  if (options.memory) options.memory->hold(result.levels->bytes());
  return result;
}

}  // namespace crema
