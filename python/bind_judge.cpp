// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "crema/agreement/variance.h"
#include "crema/error.h"
#include "python/arrays.h"
#include "python/bind.h"
#include "python/settings.h"
#include "python/work.h"

namespace crema::python {
namespace {

Distance parse_distance(const std::string& name) {
  for (const Method& method : methods())
    if (method.aim == Aim::distance && to_string(method.distance) == name) return method.distance;
  throw UsageError("\"" + name +
                   "\" is no distance; there are jaccard, dice, soergel, tanimoto, dice1, dice2.");
}

Judgement judge_map(const Reduction& reduction, const Borrowed<float>& map, const std::string& distance,
                    const Settings& settings, const nb::object& progress) {
  const Distance measure = parse_distance(distance);
  Judgement judgement;
  run(progress, [&](Control& control) {
    judgement = judge(reduction, view(map), measure, under(control, settings.options));
  });
  return judgement;
}

/// Per component: low and high corner of its box, union, voxels, criterion, bound, proven.
auto components(const Judgement& judgement, const Reduction& reduction) {
  using Corner = std::array<std::int32_t, 3>;
  std::vector<std::tuple<Corner, Corner, std::int64_t, std::int64_t, double, double, bool>> rows;
  for (std::size_t c = 0; c < judgement.components.size(); ++c) {
    const Component& component = reduction.components.list[c];
    const Decision& decision = judgement.components[c];
    rows.emplace_back(component.box.low, component.box.high, component.voxels, decision.voxels,
                      decision.criterion, decision.certificate->lower_bound, decision.certificate->proven);
  }
  return rows;
}

}  // namespace

void bind_judge(nb::module_& m) {
  nb::class_<Judgement>(m, "Judgement")
      .def_ro("lmsd", &Judgement::lmsd)
      .def_ro("lower_bound", &Judgement::lower_bound)
      .def_ro("unproven", &Judgement::unproven)
      .def_ro("voxels", &Judgement::voxels)
      .def_ro("outside", &Judgement::outside)
      .def("components", components, nb::arg("reduction"));
  m.def("judge", judge_map, nb::arg("reduction"), nb::arg("map"), nb::arg("distance"), nb::arg("settings"),
        nb::arg("progress").none());
}

}  // namespace crema::python
