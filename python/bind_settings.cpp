// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <tuple>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "crema/base/text.h"
#include "crema/tables/settings.h"
#include "python/bind.h"
#include "raters/run/run.h"

namespace crema::python {
namespace {

namespace nb = nanobind;
using Text = std::string_view;

/// A switch that stands as it would anyway is not given: the program has no flag for that.
void set_one(Settings& settings, const std::string& name, const std::string& text) {
  const Setting& setting = find_setting(name);
  set(settings, setting, text);
  if (setting.is_switch() && setting.get(settings) == setting.get(Settings{})) settings.given.pop_back();
}

void make_settings(Settings* self, const nb::dict& given) {
  Settings settings;
  for (const auto [name, text] : given)
    set_one(settings, nb::cast<std::string>(name), nb::cast<std::string>(text));
  new (self) Settings(std::move(settings));
}

/// The mask itself is given to the raters: it lies on their grid.
void take_region_mask(Settings& settings) {
  settings.options.region.kind = Region::Kind::mask;
  settings.given.push_back(&find_setting("roi"));
}

/// Per setting: name, values, type, sentence, whether it is a switch that is on unless it is given, and its
/// former name.
auto setting_rows() {
  std::vector<std::tuple<Text, Text, Text, Text, bool, Text>> rows;
  for (const Setting& s : settings())
    rows.emplace_back(s.name, s.values, s.type, s.text, s.is_on(), s.former);
  return rows;
}

std::vector<Text> names_of(const std::vector<const Setting*>& settings) {
  std::vector<Text> names;
  for (const Setting* setting : settings) names.push_back(setting->name);
  return names;
}

/// Per method: name, paper's name, kind, distance, summary, reference.
auto method_rows() {
  std::vector<std::tuple<Text, Text, Text, Text, Text, Text>> rows;
  for (const Method& m : methods())
    rows.emplace_back(m.name, m.paper_name, m.kind == Kind::hard ? "hard" : "soft", to_string(m.distance),
                      m.summary, m.reference);
  return rows;
}

std::vector<Text> method_names(const std::vector<std::string>& wanted) {
  std::vector<Text> names;
  for (const Method* method : find_methods(wanted)) names.push_back(method->name);
  return names;
}

std::vector<Text> distance_names() {
  std::vector<Text> names;
  for (const Distance distance : distances()) names.push_back(to_string(distance));
  return names;
}

}  // namespace

void bind_settings(nb::module_& m) {
  nb::class_<Settings>(m, "Settings")
      .def("__init__", make_settings, nb::sig("def __init__(self, given: dict[str, str]) -> None"))
      .def("set", set_one, nb::arg("name"), nb::arg("text"))
      .def("take_region_mask", take_region_mask)
      .def_prop_ro("strict", [](const Settings& s) { return !s.threshold && !s.label; })
      .def_prop_ro("wants_labels", raters::wants_labels)
      .def_ro("probabilities", &Settings::probabilities)
      .def_prop_ro("regions", [](const Settings& s) { return s.regions.has_value(); })
      .def_prop_ro("floor",
                   [](const Settings& s) {  // below it levels count as 0; logits have none
                     return s.logits == Logits::none ? std::optional(s.options.floor) : std::nullopt;
                   })
      .def_rw("takes_levels", &Settings::takes_levels)
      .def_rw("cut_later", &Settings::cut_later)
      .def_ro("region_file", &Settings::region_file);
  m.def("settings", setting_rows);
  m.def("fuse_settings", [] { return names_of(fuse_settings()); });
  m.def("certify_settings", [] { return names_of(certify_settings()); });
  m.def("check_settings", [] { return names_of(check_settings()); });
  m.def("background_settings", [] { return names_of(background_settings()); });
  m.def("measure_settings", [] { return names_of(measure_settings()); });
  m.def(
      "suggestion",
      [](const std::string& typed, const std::vector<std::string>& names) {
        return suggestion(typed, names);
      },
      nb::arg("typed"), nb::arg("names"));
  m.def("methods", method_rows);
  m.def("find_methods", method_names, nb::arg("names"));
  m.def("distances", distance_names);
}

}  // namespace crema::python
