// SPDX-License-Identifier: Apache-2.0
#include "crema/voxels/distance.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "crema/base/error.h"
#include "crema/base/parallel.h"
#include "crema/voxels/steps.h"

namespace crema {
namespace {

/// A run inside the box of its component.
struct PlacedRun {
  std::int32_t x, y, z, length;
  std::int64_t first;  ///< offset of its first voxel in the image
};

std::vector<PlacedRun> place(std::span<const Run> runs, const Grid& grid, const Box& box) {
  std::vector<PlacedRun> placed;
  placed.reserve(runs.size());
  for (const Run& run : runs) {
    const std::int64_t row = run.first / grid.size[0], z = row / grid.size[1];
    placed.push_back({.x = static_cast<std::int32_t>(run.first - row * grid.size[0]) - box.low[0],
                      .y = static_cast<std::int32_t>(row - z * grid.size[1]) - box.low[1],
                      .z = static_cast<std::int32_t>(z) - box.low[2],
                      .length = run.length,
                      .first = run.first});
  }
  return placed;
}

/// The longest way between two voxels of a box.
std::int64_t longest_way(const std::array<std::int32_t, 3>& size, const Neighbourhood& neighbourhood) {
  std::int64_t sum = 0, longest = 0;
  for (const std::int32_t n : size) {
    sum += n - 1;
    longest = std::max<std::int64_t>(longest, n - 1);
  }
  return neighbourhood.order == 1 ? sum : std::max(longest, (sum + 1) / 2);
}

/// Raters who drew some but not all voxels of the component: the others add nothing to any distance.
template <class Set>
Raters partial_raters(const Set* sets, std::span<const Run> runs) {
  Set some = 0;
  Set all = std::numeric_limits<Set>::max();
  for (const Run& run : runs)
    for (const Set* s = sets + run.first; s != sets + run.first + run.length; ++s) {
      some = static_cast<Set>(some | *s);
      all = static_cast<Set>(all & *s);
    }
  return static_cast<Raters>(static_cast<Set>(some & ~all));
}

template <class Number, class Set>
void mark(const Set* __restrict sets, Set rater, std::int32_t count, Number* __restrict cells) {
  for (std::int32_t i = 0; i < count; ++i)
    cells[i] = (sets[i] & rater) != 0 ? Number{0} : StepField<Number>::kFar;
}

template <class Number, class Set>
void measure(StepField<Number>& field, const Set* sets, std::span<const PlacedRun> runs, int rater) {
  auto run = runs.begin();
  field.spread([&](std::int32_t z) {
    for (; run != runs.end() && run->z == z; ++run)
      mark(sets + run->first, static_cast<Set>(Set{1} << rater), run->length, field.row(run->y, z) + run->x);
  });
}

/// Adds the cells to the totals. Stretches of sources, most of a component, are passed over.
template <class Number>
void add_cells(const Number* __restrict cells, std::int32_t count, std::uint32_t* __restrict total) {
  constexpr std::int32_t kBlock = 32;
  std::int32_t i = 0;
  for (; count - i >= kBlock; i += kBlock) {
    std::array<std::uint64_t, kBlock * sizeof(Number) / sizeof(std::uint64_t)> words{};
    std::memcpy(words.data(), cells + i, sizeof words);
    std::uint64_t any = 0;
    for (const std::uint64_t word : words) any |= word;
    if (any == 0) continue;
    for (std::int32_t j = i; j < i + kBlock; ++j) total[j] += cells[j];
  }
  for (; i < count; ++i) total[i] += cells[i];
}

template <class Number>
void add_up(StepField<Number>& field, std::span<const PlacedRun> runs, std::uint32_t* total) {
  for (const PlacedRun& run : runs) {
    add_cells(field.row(run.y, run.z) + run.x, run.length, total);
    total += run.length;
  }
}

/// As many fields as there are threads are held at once; sums of whole numbers do not care about the order.
template <class Number, class Set>
void sum_fields(const Set* sets, std::span<const PlacedRun> runs, const std::array<std::int32_t, 3>& size,
                const Neighbourhood& neighbourhood, std::span<const int> raters,
                std::vector<std::uint32_t>& total) {
  const auto batch = std::min<std::size_t>(raters.size(), static_cast<std::size_t>(available_threads()));
  std::vector<StepField<Number>> fields;
  for (std::size_t i = 0; i < batch; ++i) fields.emplace_back(size, neighbourhood);
  for (std::size_t first = 0; first < raters.size(); first += batch) {
    const std::size_t count = std::min(batch, raters.size() - first);
    parallel_for(static_cast<std::int64_t>(count), [&](std::int64_t i) {
      const auto at = static_cast<std::size_t>(i);
      measure(fields[at], sets, runs, raters[first + at]);
    });
    for (std::size_t i = 0; i < count; ++i) add_up(fields[i], runs, total.data());
  }
}

std::vector<int> members(Raters raters) {
  std::vector<int> list;
  for (; raters != 0; raters &= raters - 1) list.push_back(std::countr_zero(raters));
  return list;
}

}  // namespace

std::vector<std::uint32_t> total_distances(const Grid& grid, const Votes& votes, const Components& components,
                                           const Component& component, const Neighbourhood& neighbourhood) {
  const auto runs = components.runs_of(component);
  const auto size = component.box.size();
  const std::int64_t longest = longest_way(size, neighbourhood);
  if (longest > std::numeric_limits<std::int32_t>::max() / kMaxRaters)
    throw ResourceError("a component is too long to sum its distances; crop the image");
  std::vector<std::uint32_t> total(static_cast<std::size_t>(component.voxels), 0);
  votes.visit([&](const auto* sets) {
    const auto raters = members(partial_raters(sets, runs));
    if (raters.empty()) return;
    const auto placed = place(runs, grid, component.box);
    if (longest < 0xFE)
      sum_fields<std::uint8_t>(sets, placed, size, neighbourhood, raters, total);
    else if (longest < 0xFFFE)
      sum_fields<std::uint16_t>(sets, placed, size, neighbourhood, raters, total);
    else
      sum_fields<std::uint32_t>(sets, placed, size, neighbourhood, raters, total);
  });
  return total;
}

std::int64_t distance_bytes(const Component& component, const Neighbourhood& neighbourhood, int raters,
                            int threads) {
  const auto size = component.box.size();
  const std::int64_t longest = longest_way(size, neighbourhood);
  const std::int64_t number = longest < 0xFE ? 1 : longest < 0xFFFE ? 2 : 4;
  constexpr auto kBlock = static_cast<std::int64_t>(kRowBlock);
  const std::int64_t row = (size[0] + kBlock - 1) / kBlock * kBlock + 1;
  return std::min(raters, threads) * number * row * size[1] * size[2] +
         static_cast<std::int64_t>(component.runs * sizeof(PlacedRun));
}

}  // namespace crema
