// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <chrono>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "python/arrays.h"
#include "python/bind.h"
#include "python/fused.h"
#include "python/record.h"
#include "python/work.h"
#include "raters/memory.h"

namespace crema::python {
namespace {

Fused answer(const std::shared_ptr<const Counted>& run, const Method& method) {
  Fused fused{run, raters::solve_method(run->counted, method, run->settings), {}, run->counted.warnings};
  fused.image = raters::paint_outcome(run->counted, fused.outcome);
  append(fused.warnings, fused.outcome.warnings);
  fused.outcome.options.progress = {};  // nobody listens once the call is over
  fused.outcome.options.stop = {};
  return fused;
}

/// One counting of the voxels, and every method's answer from it.
std::vector<Fused> fuse(const Intake& intake, const Settings& settings, const std::vector<std::string>& names,
                        std::vector<std::string> command, const nb::object& progress) {
  const std::vector<const Method*> methods = find_methods(names);
  const Warnings unfit = check(settings, methods);
  const auto made = std::make_shared<Counted>(intake, settings, std::move(command));
  std::vector<Fused> answers;
  run(progress, 2 + static_cast<int>(methods.size()), [&](Control& control) {
    raters::Case& counted = made->counted;
    made->count(intake, raters::needs_of(methods), control.hooks());
    append(counted.warnings, unfit);
    raters::check_memory(counted, methods, settings, {.images = raters::Afterwards::Images::kept});
    counted.options.progress = [&control](double share) { control.tell(share); };
    control.reach(2);
    for (const Method* method : methods) {
      answers.push_back(answer(made, *method));
      control.reach(2 + static_cast<int>(answers.size()));
    }
    counted.options.progress = {};
    counted.options.stop = {};
    counted.reduction->votes.reset();
  });
  return answers;
}

/// The program's record.
nb::object record(const Fused& fused) {
  const raters::Outcome& outcome = fused.outcome;
  RunFacts facts = fused.run->facts(fused.warnings);
  facts.solving = outcome.solving;
  facts.writing = outcome.painting;
  return to_python(fuse_record(facts, fused.run->settings, fused.reduction(),
                               {outcome.solution, outcome.options, outcome.search, "", outcome.threshold}));
}

/// The image can be had once: its memory goes to Python.
std::variant<Given<std::uint8_t>, Given<float>> take_image(Fused& fused) {
  if (auto* const hard = std::get_if<HardImage>(&fused.image)) return give(std::move(*hard));
  return give(std::get<SoftImage>(std::move(fused.image)));
}

/// Columns, one value per subcrown: component, distance, raters, voxels, level.
auto subcrowns(const Fused& fused) {
  std::vector<std::int64_t> component, voxels;
  std::vector<std::int32_t> distance;
  std::vector<std::uint64_t> raters;
  std::vector<double> level;
  for (std::size_t c = 0; c < fused.reduction().crowns.size(); ++c) {
    const auto& rows = fused.reduction().crowns[c].tally.rows;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      component.push_back(static_cast<std::int64_t>(c));
      distance.push_back(rows[r].distance);
      raters.push_back(rows[r].raters);
      voxels.push_back(rows[r].voxels);
      level.push_back(fused.outcome.solution.components[c].levels[r]);
    }
  }
  return std::make_tuple(give(std::move(component)), give(std::move(distance)), give(std::move(raters)),
                         give(std::move(voxels)), give(std::move(level)));
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
Given<std::uint8_t> votes(const Fused& fused) {
  std::vector<std::uint8_t> counts(static_cast<std::size_t>(fused.reduction().grid.voxels()), 0);
  for_each_voxel(fused.reduction(), [&](std::int64_t i, Raters raters) {
    counts[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(std::popcount(raters));
  });
  return give(std::move(counts));
}

/// Seconds that the library's own fuse() takes on these buffers: what this package is measured against.
double time_fuse(const Grid& grid, const std::vector<Bytes>& borrowed, const std::string& method) {
  using Clock = std::chrono::steady_clock;
  std::vector<Mask> masks;
  for (const Bytes& mask : borrowed) masks.push_back(view(mask));
  std::chrono::duration<double> spent{};
  run([&] {
    const auto start = Clock::now();
    const Consensus consensus = crema::fuse(grid, masks, {.method = method});
    spent = Clock::now() - start;
  });
  return spent.count();
}

}  // namespace

void bind_fuse(nb::module_& m) {
  nb::class_<Fused>(m, "Fused")
      .def_prop_ro("method", [](const Fused& fused) { return fused.outcome.method().name; })
      .def_prop_ro("lmsd", [](const Fused& fused) { return fused.outcome.solution.lmsd; })
      .def_prop_ro("lower_bound", [](const Fused& fused) { return fused.outcome.solution.lower_bound; })
      .def_prop_ro("voxels", [](const Fused& fused) { return fused.outcome.solution.voxels; })
      .def_prop_ro("raters", [](const Fused& fused) { return fused.reduction().raters; })
      .def_prop_ro("components", [](const Fused& fused) { return fused.reduction().crowns.size(); })
      .def_prop_ro("favours_foreground",
                   [](const Fused& fused) { return fused.outcome.options.tie == Tie::foreground; })
      .def_prop_ro("warnings", [](const Fused& fused) { return spelled(fused.warnings); })
      .def_prop_ro("reference", [](const Fused& fused) { return fused.run->counted.reference; })
      .def("take_image", take_image)
      .def("subcrowns", subcrowns)
      .def("votes", votes)
      .def("record", record, nb::sig("def record(self) -> dict[str, typing.Any]"));
  m.def("fuse", fuse, nb::arg("raters"), nb::arg("settings"), nb::arg("methods"), nb::arg("command"),
        nb::arg("progress").none());
  m.def("time_fuse", time_fuse, nb::arg("grid"), nb::arg("masks"), nb::arg("method"));
}

}  // namespace crema::python
