// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include "crema/fuse.h"
#include "python/arrays.h"
#include "python/bind.h"

namespace crema::python {
namespace {

/// Calls f(offset of the voxel in the image, raters who drew it) for every voxel of the union.
template <class F>
void for_each_voxel(const Reduction& reduction, F f) {
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c) {
    const Crowns& crowns = reduction.crowns[c];
    std::size_t v = 0;
    for (const Run& run : reduction.components.runs_of(reduction.components.list[c]))
      for (std::int64_t i = run.first; i < run.first + run.length; ++i)
        f(i, crowns.tally.rows[crowns.row_of_voxel[v++]].raters);
  }
}

/// How many raters drew each voxel.
Given<std::uint8_t> vote_counts(const Reduction& reduction) {
  std::vector<std::uint8_t> counts(static_cast<std::size_t>(reduction.grid.voxels()), 0);
  for_each_voxel(reduction, [&](std::int64_t i, Raters raters) {
    counts[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(std::popcount(raters));
  });
  return give(std::move(counts));
}

std::int64_t plane_of(const Grid& grid) { return std::int64_t{grid.size[0]} * grid.size[1]; }

/// The slice of the last axis in which most voxels were drawn by anybody.
std::int64_t busiest_slice(const Reduction& reduction) {
  std::vector<std::int64_t> drawn(static_cast<std::size_t>(reduction.grid.size[2]), 0);
  for (const Run& run : reduction.components.runs)
    drawn[static_cast<std::size_t>(run.first / plane_of(reduction.grid))] += run.length;
  return std::max_element(drawn.begin(), drawn.end()) - drawn.begin();
}

/// Who drew each voxel of a slice: bit k is rater k.
Given<std::uint64_t> raters_in_slice(const Reduction& reduction, std::int64_t slice) {
  const std::int64_t plane = plane_of(reduction.grid);
  std::vector<std::uint64_t> sets(static_cast<std::size_t>(plane), 0);
  for_each_voxel(reduction, [&](std::int64_t i, Raters raters) {
    if (i / plane == slice) sets[static_cast<std::size_t>(i % plane)] = raters;
  });
  return give(std::move(sets));
}

}  // namespace

void bind_reduction(nb::module_& m) {
  nb::class_<Reduction>(m, "Reduction")
      .def_ro("grid", &Reduction::grid)
      .def_ro("raters", &Reduction::raters)
      .def_prop_ro("connectivity", [](const Reduction& r) { return r.neighbourhood.connectivity; })
      .def_prop_ro("components", [](const Reduction& r) { return r.crowns.size(); })
      .def("vote_counts", vote_counts)
      .def("busiest_slice", busiest_slice)
      .def("raters_in_slice", raters_in_slice, nb::arg("slice"));
  m.def(
      "default_slice_axis", [](const Grid& grid) { return static_cast<int>(default_slice_axis(grid)); },
      nb::arg("grid"));
}

}  // namespace crema::python
