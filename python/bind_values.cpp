// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "crema/error.h"
#include "files/values/collect.h"
#include "files/values/values.h"
#include "python/arrays.h"
#include "python/bind.h"
#include "python/sentence.h"
#include "python/work.h"

namespace crema::python {
namespace {

files::Number parse_number(const std::string& name) {
  for (int n = 0; n <= static_cast<int>(files::Number::float64); ++n)
    if (name_of(static_cast<files::Number>(n)) == name) return static_cast<files::Number>(n);
  throw InputError(name + " is no type of number that a mask may have; convert it to uint8.");
}

/// Numbers of any kind as a mask, by the rules for files. `stored` are their bytes.
std::pair<Given<std::uint8_t>, std::vector<std::string>> to_mask(const Bytes& stored,
                                                                 const files::ValueType& type,
                                                                 const std::string& name, const Grid& grid,
                                                                 const files::ReadOptions& options) {
  files::MaskCollector whole(grid.voxels());
  files::Judged judged;
  run([&] {
    const files::MaskSink sink = whole.sink();
    files::MaskBuilder builder(type, options, sink);
    builder.take(view(stored));
    judged = builder.finish(name, grid);
  });
  return {give(std::move(whole).take()), with_keywords(std::move(judged.warnings))};
}

}  // namespace

void bind_values(nb::module_& m) {
  nb::class_<files::ValueType>(m, "ValueType")
      .def(
          "__init__",
          [](files::ValueType* made, const std::string& number, bool swapped, double slope,
             double intercept) {
            new (made) files::ValueType{parse_number(number), swapped, slope, intercept};
          },
          nb::arg("number"), nb::arg("swapped"), nb::arg("slope"), nb::arg("intercept"));
  m.def("to_mask", to_mask, nb::arg("stored"), nb::arg("type"), nb::arg("name"), nb::arg("grid"),
        nb::arg("options"));
}

}  // namespace crema::python
