// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "crema/method.h"
#include "crema/preset.h"
#include "python/bind.h"

namespace crema::python {
namespace {

namespace nb = nanobind;

std::string_view kind_of(const Method& method) { return method.kind == Kind::hard ? "hard" : "soft"; }

std::string_view aim_of(const Method& method) {
  constexpr std::array<std::string_view, 4> names{"distance", "vote", "performance", "shape"};
  return names.at(static_cast<std::size_t>(method.aim));
}

bool heeds_weights(const Method& method) { return method.heeds == Heeds::weights; }
bool heeds_prior(const Method& method) { return method.heeds == Heeds::prior_and_region; }
bool heeds_region(const Method& method) { return heeds_prior(method) || method.heeds == Heeds::region; }

std::vector<const Method*> all_methods() {
  std::vector<const Method*> all;
  for (const Method& method : methods()) all.push_back(&method);
  return all;
}

std::vector<std::string_view> preset_names() {
  std::vector<std::string_view> names;
  for (const Preset& preset : presets()) names.push_back(preset.name);
  return names;
}

}  // namespace

void bind_methods(nb::module_& m) {
  nb::class_<Method>(m, "Method")
      .def_ro("name", &Method::name)
      .def_ro("paper_name", &Method::paper_name)
      .def_prop_ro("kind", kind_of)
      .def_prop_ro("aim", aim_of)
      .def_prop_ro("distance", [](const Method& method) { return to_string(method.distance); })
      .def_prop_ro("heeds_weights", heeds_weights)
      .def_prop_ro("heeds_prior", heeds_prior)
      .def_prop_ro("heeds_region", heeds_region)
      .def_ro("summary", &Method::summary)
      .def_ro("reference", &Method::reference);
  m.def("methods", all_methods, nb::rv_policy::reference);
  m.def("find_method", find_method, nb::arg("name"), nb::rv_policy::reference);
  m.def("presets", preset_names);
}

}  // namespace crema::python
