// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>
#include <tuple>

#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "crema/error.h"
#include "crema/preset.h"
#include "python/arrays.h"
#include "python/bind.h"
#include "python/settings.h"

namespace crema::python {
namespace {

/// The place of a word in a list is the value of its enumerator.
template <class Enum, std::size_t N>
Enum choose(const std::array<const char*, N>& words, nb::handle value) {
  const auto word = nb::cast<std::string>(value);
  for (std::size_t i = 0; i < N; ++i)
    if (word == words[i]) return static_cast<Enum>(i);
  throw UsageError(fmt::format("\"{}\" is not one of {}.", word, fmt::join(words, ", ")));
}

constexpr std::array kTies{"background", "foreground"};
constexpr std::array kBlocks{"subcrown", "crown", "voxel", "group"};
constexpr std::array kEmptyTests{"apply", "skip"};
constexpr std::array kCertify{"no", "yes"};
constexpr std::array kPriors{"mean", "number", "power"};
constexpr std::array kRegions{"full", "box", "union", "mask"};

void set_preset(Settings& s, nb::handle v) { apply_preset(nb::cast<std::string>(v), s.options); }

void set_prior(Settings& s, nb::handle v) {
  const auto [kind, value, alpha] = nb::cast<std::tuple<nb::object, double, double>>(v);
  s.options.estimate.prior = {choose<Prior::Kind>(kPriors, kind), value, alpha};
}

void set_region_mask(Settings& s, nb::handle v) {
  s.region = nb::borrow(v);
  s.options.region.kind = Region::Kind::mask;
  s.options.region.mask = view(nb::cast<Bytes>(v));
}

struct Setting {
  const char* name;
  void (*set)(Settings&, nb::handle);
};

/// Each keyword with the field it sets. A preset comes first: what else is given wins over it.
constexpr Setting kSettings[] = {
    {"preset", set_preset},
    {"connectivity", [](Settings& s, nb::handle v) { s.options.connectivity = nb::cast<int>(v); }},
    {"slice_wise", [](Settings& s, nb::handle v) { s.options.slice_wise = Axis(nb::cast<int>(v)); }},
    {"tie", [](Settings& s, nb::handle v) { s.options.tie = choose<Tie>(kTies, v); }},
    {"blocks", [](Settings& s, nb::handle v) { s.options.blocks = choose<Blocks>(kBlocks, v); }},
    {"weights", [](Settings& s, nb::handle v) { s.options.weights = nb::cast<std::vector<double>>(v); }},
    {"empty_test",
     [](Settings& s, nb::handle v) { s.options.empty_test = choose<EmptyTest>(kEmptyTests, v); }},
    {"certify", [](Settings& s, nb::handle v) { s.options.certify = choose<Certify>(kCertify, v); }},
    {"budget", [](Settings& s, nb::handle v) { s.options.budget.nodes = nb::cast<int>(v); }},
    {"budget_seconds", [](Settings& s, nb::handle v) { s.options.budget.seconds = nb::cast<double>(v); }},
    {"prior", set_prior},
    {"region", [](Settings& s, nb::handle v) { s.options.region.kind = choose<Region::Kind>(kRegions, v); }},
    {"region_mask", set_region_mask},
    {"margin", [](Settings& s, nb::handle v) { s.options.region.margin = nb::cast<std::int32_t>(v); }},
    {"tolerance", [](Settings& s, nb::handle v) { s.options.estimate.tolerance = nb::cast<double>(v); }},
    {"max_iterations",
     [](Settings& s, nb::handle v) { s.options.estimate.max_iterations = nb::cast<int>(v); }},
    {"drop_below", [](Settings& s, nb::handle v) { s.options.estimate.drop_below = nb::cast<double>(v); }},
    {"coupling", [](Settings& s, nb::handle v) { s.options.spatial.coupling = nb::cast<double>(v); }},
    {"window", [](Settings& s, nb::handle v) { s.options.spatial.half_window = nb::cast<int>(v); }},
    {"softness", [](Settings& s, nb::handle v) { s.options.spatial.softness = nb::cast<double>(v); }},
    {"threads", [](Settings& s, nb::handle v) { s.options.threads = nb::cast<int>(v); }},
};

/// Sets what is there; a keyword nobody knows is a mistake in our own Python code.
void set_all(Settings& settings, const nb::kwargs& given) {
  std::size_t known = 0;
  for (const Setting& setting : kSettings) {
    if (!given.contains(setting.name)) continue;
    setting.set(settings, given[setting.name]);
    ++known;
  }
  if (known != given.size()) throw nb::type_error("there is no setting of that name");
}

}  // namespace

void bind_settings(nb::module_& m) {
  nb::class_<Settings>(m, "Settings")
      .def(
          "__init__",
          [](Settings* made, const nb::kwargs& given) {
            new (made) Settings{};
            set_all(*made, given);
          },
          nb::sig("def __init__(self, **given: object) -> None"))
      .def(
          "but",
          [](const Settings& settings, const nb::kwargs& given) {
            Settings changed = settings;
            set_all(changed, given);
            return changed;
          },
          nb::sig("def but(self, **given: object) -> Settings"))
      .def_prop_ro("tie", [](const Settings& s) { return kTies.at(std::size_t(s.options.tie)); })
      .def_prop_ro("weights", [](const Settings& s) { return s.options.weights; });
}

}  // namespace crema::python
