// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "crema/agreement/doubts.h"
#include "crema/parallel.h"
#include "python/arrays.h"
#include "python/bind.h"
#include "python/sentence.h"
#include "python/settings.h"
#include "python/values.h"
#include "python/work.h"

namespace crema::python {
namespace {

using Notes = std::vector<std::string>;

struct Counted {
  std::shared_ptr<Reduction> reduction;
  Notes notes;
};

void append(Notes& to, const Notes& more) { to.insert(to.end(), more.begin(), more.end()); }

/// The votes, and notes on the values of masks that have a name.
Votes take_and_judge(const Grid& grid, const std::vector<Mask>& masks, const std::vector<std::string>& names,
                     Notes& notes) {
  ByteCensus census(masks.size(), grid.voxels());
  Votes votes = take_votes(grid.voxels(), masks, [&](std::size_t rater, Mask block, std::uint8_t bits) {
    if (!names[rater].empty()) census.look_at(rater, block, bits);
  });
  for (std::size_t k = 0; k < masks.size(); ++k)
    if (!names[k].empty()) append(notes, census.judge(k, masks[k], names[k], grid));
  return votes;
}

Notes keep_inside(Votes& votes, const Region& region) {
  if (region.kind != Region::Kind::mask) return {};
  const std::int64_t lost = votes.keep_inside(region.mask);
  if (lost == 0) return {};
  return {std::to_string(lost) + " voxels that raters drew lie outside the region and count as outside."};
}

Needs strongest_needs(const std::vector<std::string>& methods) {
  Needs strongest = Needs::groups;
  for (const std::string& name : methods) strongest = std::max(strongest, find_method(name).needs);
  return strongest;
}

Counted count_masks(const Grid& grid, const std::vector<Mask>& masks, const std::vector<std::string>& names,
                    Needs needs, const Options& options) {
  Counted counted;
  std::optional<Votes> votes;
  with_threads(options.threads, [&] { votes = take_and_judge(grid, masks, names, counted.notes); });
  append(counted.notes, keep_inside(*votes, options.region));
  counted.reduction = std::make_shared<Reduction>(reduce(grid, *votes, needs, options));
  if (needs == Needs::neighbours) counted.reduction->votes = std::make_shared<Votes>(std::move(*votes));
  append(counted.notes, doubts_about_raters(*counted.reduction));
  return counted;
}

/// Masks to counts. Values are judged for masks that have a name; a nameless one was judged before.
Counted count(const Grid& grid, const std::vector<Bytes>& borrowed, const std::vector<std::string>& names,
              const std::vector<std::string>& methods, const Settings& settings, const nb::object& progress) {
  std::vector<Mask> masks;
  for (const Bytes& mask : borrowed) masks.push_back(view(mask));
  const Needs needs = strongest_needs(methods);
  Counted counted;
  run(progress, [&](Control& control) {
    counted = count_masks(grid, masks, names, needs, under(control, settings.options));
  });
  counted.notes = with_keywords(std::move(counted.notes));
  return counted;
}

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
      .def("drop_votes", [](Reduction& r) { r.votes.reset(); })
      .def("vote_counts", vote_counts)
      .def("busiest_slice", busiest_slice)
      .def("raters_in_slice", raters_in_slice, nb::arg("slice"));
  nb::class_<Counted>(m, "Counted").def_ro("reduction", &Counted::reduction).def_ro("notes", &Counted::notes);
  m.def("count", count, nb::arg("grid"), nb::arg("masks"), nb::arg("names"), nb::arg("methods"),
        nb::arg("settings"), nb::arg("progress").none());
  m.def(
      "default_slice_axis", [](const Grid& grid) { return static_cast<int>(default_slice_axis(grid)); },
      nb::arg("grid"));
}

}  // namespace crema::python
