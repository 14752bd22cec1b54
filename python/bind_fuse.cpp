// SPDX-License-Identifier: Apache-2.0
#include <chrono>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "crema/agreement/record.h"
#include "crema/agreement/warnings.h"
#include "python/arrays.h"
#include "python/bind.h"
#include "python/count.h"
#include "python/sentence.h"
#include "python/settings.h"
#include "python/work.h"

namespace crema::python {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// One method to run: its name, its settings, and whether its weights are to be found first.
using Wish = std::tuple<std::string, Settings, bool>;

/// One method's answer, painted.
struct Fused {
  Solution solution;
  Image image;
  Warnings warnings;
  std::optional<WeightSearch> search;
  double seconds = 0;
};

Fused answer(const Reduction& reduction, const Wish& wish, Control& control) {
  const auto start = Clock::now();
  const auto& [name, settings, search] = wish;
  const Method& method = find_method(name);
  Options options = control.under(settings.options);
  Fused fused;
  if (search) {
    fused.search = find_weights(reduction, method, options);
    options.weights = fused.search->weights;
  }
  fused.solution = solve(reduction, method, options);
  fused.image = paint(reduction, fused.solution, options);
  fused.solution.image.reset();
  fused.warnings = with_keywords(warnings_about_estimate(reduction, fused.solution));
  fused.seconds = since(start);
  control.end_step();
  return fused;
}

Needs strongest_needs(const std::vector<Wish>& wishes) {
  Needs strongest = Needs::groups;
  for (const Wish& wish : wishes) strongest = std::max(strongest, find_method(std::get<0>(wish)).needs);
  return strongest;
}

/// One counting of the voxels and every method's answer from it: the counts, warnings on the raters, the
/// seconds that counting took, the answers. The settings are those that the methods share.
auto fuse(const Grid& grid, const std::vector<Bytes>& borrowed, const std::vector<std::string>& names,
          const Settings& settings, const std::vector<Wish>& wishes, const nb::object& progress) {
  const auto start = Clock::now();
  const Masks masks(grid, borrowed, names);
  const Needs needs = strongest_needs(wishes);
  Counted counted;
  double counting = 0;
  std::vector<Fused> answers;
  run(progress, 1 + static_cast<int>(wishes.size()), [&](Control& control) {
    counted = count(masks, needs, control.under(settings.options));
    control.end_step();
    counting = since(start);
    for (const Wish& wish : wishes) answers.push_back(answer(*counted.reduction, wish, control));
    counted.reduction->votes.reset();
  });
  return std::make_tuple(counted.reduction, with_keywords(std::move(counted.warnings)), counting,
                         std::move(answers));
}

/// Seconds that the library's own fuse() takes on these buffers: what this package is measured against.
double time_fuse(const Grid& grid, const std::vector<Bytes>& borrowed, const std::string& method) {
  std::vector<Mask> masks;
  for (const Bytes& mask : borrowed) masks.push_back(view(mask));
  double spent = 0;
  run([&] {
    const auto start = Clock::now();
    const Consensus consensus = crema::fuse(grid, masks, {.method = method});
    spent = since(start);
  });
  return spent;
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
                   const Warnings& warnings, double seconds) {
  return to_json({command, files, "", warnings, seconds, fused.search}, reduction, fused.solution,
                 settings.options);
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
      .def_ro("warnings", &Fused::warnings)
      .def_ro("search", &Fused::search)
      .def_ro("seconds", &Fused::seconds)
      .def("take_image", take_image)
      .def("subcrowns", subcrowns, nb::arg("reduction"))
      .def("record", record, nb::arg("reduction"), nb::arg("settings"), nb::arg("command"), nb::arg("files"),
           nb::arg("warnings"), nb::arg("seconds"));
  m.def("fuse", fuse, nb::arg("grid"), nb::arg("masks"), nb::arg("names"), nb::arg("settings"),
        nb::arg("wishes"), nb::arg("progress").none());
  m.def("time_fuse", time_fuse, nb::arg("grid"), nb::arg("masks"), nb::arg("method"));
}

}  // namespace crema::python
