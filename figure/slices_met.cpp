// SPDX-License-Identifier: Apache-2.0
#include "figure/slices_met.h"

#include "figure/slice.h"

namespace crema::plot {
namespace {

/// 1 where is_inside(component, voxel, its index in the component) holds of any voxel of the slice.
template <class F>
std::vector<std::uint8_t> slices_where(const Reduction& reduction, std::optional<std::size_t> only,
                                       F is_inside) {
  const auto& list = reduction.components.list;
  const auto a = static_cast<std::size_t>(widest_axis(reduction.grid));
  std::vector<std::uint8_t> met(static_cast<std::size_t>(reduction.grid.size[a]));
  for (std::size_t c = only.value_or(0); c < (only ? *only + 1 : list.size()); ++c) {
    std::size_t index = 0;
    for (const Run& run : reduction.components.runs_of(list[c])) {
      const std::int64_t first = reduction.grid.point(run.first)[a];
      for (std::int32_t i = 0; i < run.length; ++i, ++index)
        if (is_inside(c, static_cast<std::size_t>(run.first + i), index))
          met[static_cast<std::size_t>(first + (a == 0 ? i : 0))] = 1;
    }
  }
  return met;
}

}  // namespace

std::vector<std::uint8_t> slices_met(const Reduction& reduction, const Image& image,
                                     std::optional<std::size_t> component) {
  return std::visit(
      [&](const auto& voxels) {
        return slices_where(reduction, component, [&](std::size_t, std::size_t voxel, std::size_t) {
          return static_cast<float>(voxels[voxel]) > 0.5F;
        });
      },
      image);
}

std::vector<std::uint8_t> slices_met(const Reduction& reduction, const Solution& solution) {
  if (solution.image) return slices_met(reduction, *solution.image);
  return slices_where(reduction, {}, [&](std::size_t c, std::size_t, std::size_t index) {
    return solution.components[c].levels[reduction.crowns[c].row_of_voxel[index]] > 0.5;
  });
}

}  // namespace crema::plot
