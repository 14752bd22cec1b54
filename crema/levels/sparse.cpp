// SPDX-License-Identifier: Apache-2.0
#include "crema/levels/sparse.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "crema/base/bits.h"
#include "crema/base/error.h"
#include "crema/base/parallel.h"
#include "crema/counts/processor.h"
#include "crema/image/large_pages.h"

namespace crema {
namespace {

/// Levels that are looked at together: most of an image has none.
constexpr std::size_t kGlance = 256;

std::int32_t bits_of(float level) { return bits_as<std::int32_t>(level); }

/// Of the least level that is held: levels are in the order of their bits.
std::int32_t least_bits(double floor) { return std::max(bits_of(static_cast<float>(floor)), 1); }

CREMA_FOR_EACH_PROCESSOR bool any_from(std::span<const float> part, std::int32_t least) {
  std::int32_t any = 0;
  for (const float level : part) any |= bits_of(level) >= least ? 1 : 0;
  return any != 0;
}

std::int64_t end_of(const Run& run) { return run.first + run.length; }

/// Adds a run behind the others, which it may touch.
void join(std::vector<Run>& runs, std::int64_t first, std::int64_t length) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int32_t>::max();
  if (!runs.empty() && first <= end_of(runs.back()) && runs.back().length + length <= kMax) {
    runs.back().length =
        static_cast<std::int32_t>(std::max(end_of(runs.back()), first + length) - runs.back().first);
    return;
  }
  runs.push_back({first, static_cast<std::int32_t>(length)});
}

}  // namespace

LevelList::~LevelList() { std::free(levels_); }  // NOLINT: pairs with realloc

void LevelList::swap(LevelList& other) noexcept {
  std::swap(levels_, other.levels_);
  std::swap(size_, other.size_);
  std::swap(capacity_, other.capacity_);
}

void LevelList::resize(std::size_t capacity) {
  void* const moved = std::realloc(levels_, capacity * sizeof(float));  // NOLINT: no vector grows in place
  if (moved == nullptr) throw std::bad_alloc();
  levels_ = static_cast<float*>(moved);
  capacity_ = capacity;
  prefer_large_pages(levels_ + size_, (capacity - size_) * sizeof(float));
}

void LevelList::add(std::span<const float> levels) {
  if (levels.empty()) return;
  if (capacity_ - size_ < levels.size()) resize(std::max(size_ + levels.size(), capacity_ + capacity_ / 2));
  std::copy(levels.begin(), levels.end(), levels_ + size_);
  size_ += levels.size();
}

void LevelList::fit() {
  if (size_ > 0 && capacity_ > size_ + size_ / 8) resize(size_);
}

SparseLevels::SparseLevels(double floor) : least_(least_bits(floor)) {}

void SparseLevels::add(std::int64_t first, std::span<const float> part) {
  while (!part.empty()) {
    const auto glance = part.first(std::min(part.size(), kGlance));
    if (any_from(glance, least_)) add_run(first, glance);
    first += std::ssize(glance);
    part = part.subspan(glance.size());
  }
}

void SparseLevels::add_run(std::int64_t first, std::span<const float> part) {
  const auto counts = [&](float level) { return bits_of(level) >= least_; };
  auto at = part.begin();
  while (true) {
    at = std::find_if(at, part.end(), counts);
    if (at == part.end()) return;
    const auto end = std::find_if_not(at, part.end(), counts);
    join(runs_, first + (at - part.begin()), end - at);
    values_.add({at, end});
    at = end;
  }
}

void SparseLevels::finish() {
  values_.fit();
  if (runs_.capacity() > runs_.size() + runs_.size() / 8) runs_.shrink_to_fit();
}

std::int64_t SparseLevels::bytes() const {
  return static_cast<std::int64_t>(runs_.capacity() * sizeof(Run) + values_.capacity() * sizeof(float));
}

/// As whole numbers, levels are the bits up to those of 1; below 0 and beyond it a difference has the highest
/// bit, which takes no comparison.
CREMA_FOR_EACH_PROCESSOR Content content_of(std::span<const float> part, double floor) {
  const auto one = bits_as<std::uint32_t>(1.0F);
  const std::int32_t least = least_bits(floor);
  std::uint32_t strange = 0;
  std::int32_t most = 0;
  for (const float level : part) {
    const auto bits = bits_as<std::uint32_t>(level);
    strange |= bits | (one - bits);
    most = std::max(most, bits_of(level));
  }
  if (strange >> 31U != 0) return Content::other;
  return most < least ? Content::nothing : Content::levels;
}

namespace {

/// Throws InputError unless all are from 0 to 1; −0 is 0.
std::vector<float> require_levels(std::span<const float> part, std::int64_t first, int rater) {
  std::vector<float> levels;
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (!(part[i] >= 0 && part[i] <= 1))
      throw InputError(fmt::format("rater {}: voxel {} is {}; levels lie from 0 to 1", rater + 1,
                                   first + static_cast<std::int64_t>(i), part[i]));
    levels.push_back(part[i] == 0 ? 0 : part[i]);
  }
  return levels;
}

SparseLevels take_map(std::span<const float> map, int rater, double floor) {
  constexpr std::size_t kBlock = 1024;
  SparseLevels levels(floor);
  for (std::size_t at = 0; at < map.size(); at += kBlock) {
    const auto first = static_cast<std::int64_t>(at);
    const auto part = map.subspan(at, std::min(kBlock, map.size() - at));
    const Content content = content_of(part, floor);
    if (content == Content::other) levels.add(first, require_levels(part, first, rater));
    if (content == Content::levels) levels.add(first, part);
  }
  levels.finish();
  return levels;
}

}  // namespace

std::vector<SparseLevels> take_levels(std::int64_t voxels, std::span<const std::span<const float>> maps,
                                      double floor) {
  if (!(floor >= 0 && floor <= 1))
    throw UsageError(fmt::format("the floor is {}; it lies from 0 to 1", floor));
  for (std::size_t k = 0; k < maps.size(); ++k)
    if (std::ssize(maps[k]) != voxels)
      throw InputError(
          fmt::format("rater {}: the map has {} voxels, but the grid has {}; all maps must lie on one grid",
                      k + 1, maps[k].size(), voxels));
  std::vector<SparseLevels> levels(maps.size(), SparseLevels(floor));
  parallel_for(std::ssize(maps), [&](std::int64_t k) {
    const auto place = static_cast<std::size_t>(k);
    levels[place] = take_map(maps[place], static_cast<int>(k), floor);
  });
  return levels;
}

std::vector<Run> unite(std::span<const SparseLevels> maps) {
  std::vector<std::size_t> next(maps.size(), 0);
  std::vector<Run> all;
  while (true) {
    const Run* first = nullptr;
    std::size_t of = 0;
    for (std::size_t k = 0; k < maps.size(); ++k) {
      if (next[k] == maps[k].runs().size()) continue;
      const Run& run = maps[k].runs()[next[k]];
      if (first == nullptr || run.first < first->first) {
        first = &run;
        of = k;
      }
    }
    if (first == nullptr) return all;
    ++next[of];
    if (all.empty() || end_of(*first) > end_of(all.back())) {
      const std::int64_t from = all.empty() ? first->first : std::max(first->first, end_of(all.back()));
      join(all, from, end_of(*first) - from);
    }
  }
}

}  // namespace crema
