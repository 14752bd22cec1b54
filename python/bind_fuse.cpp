// SPDX-License-Identifier: Apache-2.0
#include <chrono>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "crema/agreement/doubts.h"
#include "crema/agreement/record.h"
#include "python/arrays.h"
#include "python/bind.h"
#include "python/sentence.h"
#include "python/settings.h"
#include "python/work.h"

namespace crema::python {
namespace {

/// One method's answer, painted.
struct Fused {
  Solution solution;
  Image image;
  std::vector<std::string> notes;
};

Fused fuse(const Reduction& reduction, const std::string& name, const Settings& settings,
           const nb::object& progress) {
  const Method& method = find_method(name);
  Fused fused;
  run(progress, [&](Control& control) {
    const Options options = under(control, settings.options);
    fused.solution = solve(reduction, method, options);
    fused.image = paint(reduction, fused.solution, options);
    fused.solution.image.reset();
    fused.notes = doubts_about_estimate(reduction, fused.solution);
  });
  fused.notes = with_keywords(std::move(fused.notes));
  return fused;
}

/// Seconds that the library's own fuse() takes on these buffers: what this package is measured against.
double time_fuse(const Grid& grid, const std::vector<Bytes>& borrowed, const std::string& method) {
  std::vector<Mask> masks;
  for (const Bytes& mask : borrowed) masks.push_back(view(mask));
  std::chrono::duration<double> spent{};
  run(nb::none(), [&](Control&) {
    const auto start = std::chrono::steady_clock::now();
    const Consensus consensus = crema::fuse(grid, masks, {.method = method});
    spent = std::chrono::steady_clock::now() - start;
  });
  return spent.count();
}

/// The image can be had once: its memory goes to Python.
std::variant<Given<std::uint8_t>, Given<float>> take_image(Fused& fused) {
  if (auto* const hard = std::get_if<HardImage>(&fused.image)) return give(std::move(*hard));
  return give(std::get<SoftImage>(std::move(fused.image)));
}

/// Columns, one value per subcrown: component, distance, raters, voxels, level.
auto subcrowns(const Fused& fused, const Reduction& reduction) {
  std::vector<std::int64_t> component, voxels;
  std::vector<std::int32_t> distance;
  std::vector<std::uint64_t> raters;
  std::vector<double> level;
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c) {
    const auto& rows = reduction.crowns[c].tally.rows;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      component.push_back(static_cast<std::int64_t>(c));
      distance.push_back(rows[r].distance);
      raters.push_back(rows[r].raters);
      voxels.push_back(rows[r].voxels);
      level.push_back(fused.solution.components[c].levels[r]);
    }
  }
  return std::make_tuple(give(std::move(component)), give(std::move(distance)), give(std::move(raters)),
                         give(std::move(voxels)), give(std::move(level)));
}

/// The program's record as JSON text.
std::string record(const Fused& fused, const Reduction& reduction, const Settings& settings,
                   const std::vector<std::string>& command, const std::vector<std::string>& files,
                   const std::vector<std::string>& notes, double seconds,
                   const std::optional<WeightSearch>& search) {
  return to_json({command, files, "", notes, seconds, search}, reduction, fused.solution, settings.options);
}

WeightSearch search_weights(const Reduction& reduction, const std::string& name, const Settings& settings,
                            const nb::object& progress) {
  const Method& method = find_method(name);
  WeightSearch search;
  run(progress,
      [&](Control& control) { search = find_weights(reduction, method, under(control, settings.options)); });
  return search;
}

}  // namespace

void bind_fuse(nb::module_& m) {
  nb::class_<WeightSearch>(m, "WeightSearch")
      .def_ro("weights", &WeightSearch::weights)
      .def_ro("rounds", &WeightSearch::rounds)
      .def_ro("converged", &WeightSearch::converged)
      .def_ro("change", &WeightSearch::change);
  nb::class_<Fused>(m, "Fused")
      .def_prop_ro("lmsd", [](const Fused& fused) { return fused.solution.lmsd; })
      .def_prop_ro("lower_bound", [](const Fused& fused) { return fused.solution.lower_bound; })
      .def_prop_ro("voxels", [](const Fused& fused) { return fused.solution.voxels; })
      .def_prop_ro("soft_volume", [](const Fused& fused) { return fused.solution.soft_volume; })
      .def_ro("notes", &Fused::notes)
      .def("take_image", take_image)
      .def("subcrowns", subcrowns, nb::arg("reduction"))
      .def("record", record, nb::arg("reduction"), nb::arg("settings"), nb::arg("command"), nb::arg("files"),
           nb::arg("notes"), nb::arg("seconds"), nb::arg("search").none());
  m.def("fuse", fuse, nb::arg("reduction"), nb::arg("method"), nb::arg("settings"),
        nb::arg("progress").none());
  m.def("time_fuse", time_fuse, nb::arg("grid"), nb::arg("masks"), nb::arg("method"));
  m.def("search_weights", search_weights, nb::arg("reduction"), nb::arg("method"), nb::arg("settings"),
        nb::arg("progress").none());
}

}  // namespace crema::python
