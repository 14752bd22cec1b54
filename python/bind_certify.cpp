// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/array.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "crema/agreement/certify_map.h"
#include "crema/error.h"
#include "python/arrays.h"
#include "python/bind.h"
#include "python/count.h"
#include "python/sentence.h"
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

/// The certificate, the counts it rests on, and warnings on the raters.
auto certify_array(const Grid& grid, const std::vector<Bytes>& borrowed,
                   const std::vector<std::string>& names, const Borrowed<float>& map,
                   const std::string& distance, const Settings& settings, const nb::object& progress) {
  const Distance measure = parse_distance(distance);
  const Masks masks(grid, borrowed, names);
  Counted counted;
  MapCertificate certificate;
  run(progress, 2, [&](Control& control) {
    const Options options = control.under(settings.options);
    // A bound sees rater groups alone: distances inside a component need not be known.
    counted = count(masks, Needs::groups, options);
    control.end_step();
    certificate = certify_map(*counted.reduction, view(map), measure, options);
    control.end_step();
  });
  return std::make_tuple(std::move(certificate), counted.reduction,
                         with_keywords(std::move(counted.warnings)));
}

/// Per component: low and high corner of its box, union, voxels, criterion, bound, proven.
auto components(const MapCertificate& certificate, const Reduction& reduction) {
  using Corner = std::array<std::int32_t, 3>;
  std::vector<std::tuple<Corner, Corner, std::int64_t, std::int64_t, double, double, bool>> rows;
  for (std::size_t c = 0; c < certificate.components.size(); ++c) {
    const Component& component = reduction.components.list[c];
    const Decision& decision = certificate.components[c];
    rows.emplace_back(component.box.low, component.box.high, component.voxels, decision.voxels,
                      decision.criterion, decision.certificate->lower_bound, decision.certificate->proven);
  }
  return rows;
}

}  // namespace

void bind_certify(nb::module_& m) {
  nb::class_<MapCertificate>(m, "MapCertificate")
      .def_ro("lmsd", &MapCertificate::lmsd)
      .def_ro("lower_bound", &MapCertificate::lower_bound)
      .def_ro("unproven", &MapCertificate::unproven)
      .def_ro("voxels", &MapCertificate::voxels)
      .def_ro("outside", &MapCertificate::outside)
      .def("components", components, nb::arg("reduction"));
  m.def("judge", certify_array, nb::arg("grid"), nb::arg("masks"), nb::arg("names"), nb::arg("map"),
        nb::arg("distance"), nb::arg("settings"), nb::arg("progress").none());
}

}  // namespace crema::python
