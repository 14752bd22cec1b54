// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/maps.h"

#include <bit>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/parallel.h"
#include "crema/measure.h"

namespace crema {
namespace {

/// Whole numbers up to here are held exactly by the 32 bits of a voxel.
constexpr std::size_t kLargestWhole = std::size_t{1} << 24;

void check_rows(std::size_t rows) {
  if (rows <= kLargestWhole) return;
  throw InputError(fmt::format(
      "a map can hold at most {1} subcrowns or components, but there are {0}; leave the maps out.", rows,
      kLargestWhole));
}

/// The number of the first row of each component, from 1, and behind them the number after the last.
std::vector<std::size_t> first_rows(const Reduction& reduction) {
  std::vector<std::size_t> first{1};
  for (const Crowns& crowns : reduction.crowns) first.push_back(first.back() + crowns.tally.rows.size());
  return first;
}

template <class F>
Image paint_rows(const Reduction& reduction, int threads, F value) {
  SoftImage image(static_cast<std::size_t>(reduction.grid.voxels()));
  with_threads(threads, [&] {
    parallel_for(std::ssize(reduction.crowns), [&](std::int64_t i) {
      const auto c = static_cast<std::size_t>(i);
      const Crowns& crowns = reduction.crowns[c];
      std::vector<float> values;
      for (std::size_t r = 0; r < crowns.tally.rows.size(); ++r)
        values.push_back(static_cast<float>(value(c, r)));
      const std::uint32_t* row = crowns.row_of_voxel.data();
      for (const Run& run : reduction.components.runs_of(reduction.components.list[c]))
        for (std::int64_t v = run.first; v < run.first + run.length; ++v)
          image[static_cast<std::size_t>(v)] = values[*row++];
    });
  });
  return image;
}

}  // namespace

std::string_view to_string(MapKind kind) {
  constexpr std::array<std::string_view, 5> names{"votes", "vote_entropy", "components", "total_distance",
                                                  "subcrowns"};
  return names[static_cast<std::size_t>(kind)];
}

Image paint_map(const Reduction& reduction, MapKind kind, int threads) {
  const auto first = first_rows(reduction);
  check_rows(first.back());
  const auto row_of = [&](std::size_t c, std::size_t r) -> const Subcrown& {
    return reduction.crowns[c].tally.rows[r];
  };
  return paint_rows(reduction, threads, [&](std::size_t c, std::size_t r) -> double {
    const double votes = std::popcount(row_of(c, r).raters);
    switch (kind) {
      case MapKind::votes:
        return votes;
      case MapKind::vote_entropy:
        return entropy(votes / reduction.raters);
      case MapKind::components:
        return static_cast<double>(c + 1);
      case MapKind::total_distance:
        return row_of(c, r).distance;
      case MapKind::subcrowns:
        return static_cast<double>(first[c] + r);
    }
    return 0;
  });
}

Image paint_entropy(const Reduction& reduction, const Evaluated& evaluated) {
  SoftImage map(static_cast<std::size_t>(reduction.grid.voxels()));
  Solution solution = evaluated.solution;
  Image own = solution.image ? *solution.image : paint(reduction, solution, evaluated.options);
  std::visit(
      [&](const auto& levels) {
        for (std::size_t v = 0; v < levels.size(); ++v)
          if (levels[v] != 0) map[v] = static_cast<float>(entropy(static_cast<double>(levels[v])));
      },
      own);
  return map;
}

}  // namespace crema
