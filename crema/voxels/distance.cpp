// SPDX-License-Identifier: Apache-2.0
#include "crema/voxels/distance.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "crema/error.h"
#include "crema/parallel.h"
#include "crema/voxels/steps.h"

namespace crema {
namespace {

/// A run inside the box of its component.
struct PlacedRun {
  std::int32_t x, y, z;
};

struct Place {
  const Grid& grid;
  const Box& box;

  PlacedRun operator()(const Run& run) const {
    const std::int64_t row = run.first / grid.size[0];
    return {static_cast<std::int32_t>(run.first - row * grid.size[0]) - box.low[0],
            static_cast<std::int32_t>(row % grid.size[1]) - box.low[1],
            static_cast<std::int32_t>(row / grid.size[1]) - box.low[2]};
  }
};

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
void fill(StepField<Number>& field, const Set* sets, std::span<const Run> runs, const Place& place,
          int rater) {
  field.clear();
  for (const Run& run : runs) {
    const PlacedRun at = place(run);
    Number* cells = field.row(at.y, at.z) + at.x;
    const Set* own = sets + run.first;
    for (std::int32_t i = 0; i < run.length; ++i)
      cells[i] = ((own[i] >> rater) & 1) != 0 ? Number{0} : StepField<Number>::kFar;
  }
}

template <class Number>
void add_up(StepField<Number>& field, std::span<const Run> runs, const Place& place, std::uint32_t* total) {
  for (const Run& run : runs) {
    const PlacedRun at = place(run);
    const Number* cells = field.row(at.y, at.z) + at.x;
    for (std::int32_t i = 0; i < run.length; ++i) total[i] += cells[i];
    total += run.length;
  }
}

/// As many fields as there are threads are held at once; sums of whole numbers do not care about the order.
template <class Number, class Set>
void sum_fields(const Set* sets, std::span<const Run> runs, const Place& place,
                const Neighbourhood& neighbourhood, std::vector<int> raters,
                std::vector<std::uint32_t>& total) {
  const auto batch = std::min<std::size_t>(raters.size(), static_cast<std::size_t>(available_threads()));
  std::vector<StepField<Number>> fields(batch, StepField<Number>(place.box.size(), neighbourhood));
  for (std::size_t first = 0; first < raters.size(); first += batch) {
    const std::size_t count = std::min(batch, raters.size() - first);
    parallel_for(static_cast<std::int64_t>(count), [&](std::int64_t i) {
      auto& field = fields[static_cast<std::size_t>(i)];
      fill(field, sets, runs, place, raters[first + static_cast<std::size_t>(i)]);
      field.spread();
    });
    for (std::size_t i = 0; i < count; ++i) add_up(fields[i], runs, place, total.data());
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
  const Place place{grid, component.box};
  const std::int64_t longest = longest_way(component.box.size(), neighbourhood);
  if (longest > std::numeric_limits<std::int32_t>::max() / kMaxRaters)
    throw ResourceError("a component is too long for its distances to be summed; crop the image");
  std::vector<std::uint32_t> total(static_cast<std::size_t>(component.voxels), 0);
  votes.visit([&](const auto* sets) {
    const auto raters = members(partial_raters(sets, runs));
    if (longest < 0xFE)
      sum_fields<std::uint8_t>(sets, runs, place, neighbourhood, raters, total);
    else if (longest < 0xFFFE)
      sum_fields<std::uint16_t>(sets, runs, place, neighbourhood, raters, total);
    else
      sum_fields<std::uint32_t>(sets, runs, place, neighbourhood, raters, total);
  });
  return total;
}

}  // namespace crema
