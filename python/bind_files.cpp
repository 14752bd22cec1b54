// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/array.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "crema/base/error.h"
#include "files/files.h"
#include "files/layout.h"
#include "files/values/collect.h"
#include "files/values/values.h"
#include "python/arrays.h"
#include "python/bind.h"
#include "python/work.h"
#include "raters/open/headers.h"
#include "raters/open/segments.h"

namespace crema::python {
namespace {

using files::Header;
using raters::read_options;
using Sentences = std::vector<std::string>;
using Path = std::filesystem::path;

/// The same for what is no consensus: nothing that is written with it says so.
Header unmarked(Header header) {
  header.consensus = false;
  header.segments.clear();
  return header;
}

/// A header for what is not a file; it goes by the name in sentences.
void make_header(Header* self, const std::string& name, const Grid& grid, bool positioned) {
  new (self) Header{.path = name, .grid = grid, .positioned = positioned};
}

std::vector<Header> read_headers(const Path& path, const Settings& settings) {
  std::vector<Header> headers;
  run([&] { headers = files::read_headers(path, read_options(settings)); });
  for (Header& header : headers) header = unmarked(std::move(header));
  return headers;
}

std::pair<Given<std::uint8_t>, ReportedWarnings> read_mask(const Header& header, const Settings& settings) {
  files::MaskFile file;
  run([&] { file = files::read_mask(header, read_options(settings)); });
  return {give(std::move(file.voxels)), spelled(file.warnings)};
}

std::pair<Given<float>, ReportedWarnings> read_map(const Header& header, const Settings& settings) {
  files::MapFile file;
  run([&] { file = files::read_map(header, read_options(settings)); });
  return {give(std::move(file.levels)), spelled(file.warnings)};
}

files::Number number_of(const std::string& name) {
  for (int n = 0; n <= static_cast<int>(files::Number::float64); ++n)
    if (name_of(static_cast<files::Number>(n)) == name) return static_cast<files::Number>(n);
  throw InputError(name + " is not a valid type for a mask; convert it to uint8.");
}

void make_value_type(files::ValueType* self, const std::string& number, bool swapped, double slope,
                     double intercept) {
  new (self) files::ValueType{number_of(number), swapped, slope, intercept};
}

/// Numbers of any kind as a mask, by the rules for files. `stored` are their bytes. Without settings it is no
/// rater's mask, and settings that cut and choose are not for it.
std::pair<Given<std::uint8_t>, ReportedWarnings> to_mask(const Bytes& stored, const files::ValueType& type,
                                                         const std::string& name, const Grid& grid,
                                                         const Settings* settings) {
  const files::ReadOptions beside{.threshold_setting = "", .takes_label = false};
  files::MaskCollector whole(grid.voxels());
  Warnings warnings;
  run([&] {
    const files::MaskSink sink = whole.sink();
    files::MaskBuilder builder(type, settings != nullptr ? read_options(*settings) : beside, sink);
    builder.take(view(stored));
    warnings = builder.finish(name, grid).warnings;
  });
  return {give(std::move(whole).take()), spelled(warnings)};
}

/// Numbers of any kind as labels, by the same rules.
Given<Label> to_labels(const Bytes& stored, const files::ValueType& type, const std::string& name,
                       const Grid& grid) {
  std::vector<Label> labels(static_cast<std::size_t>(grid.voxels()), 0);
  run([&] {
    const files::LabelSink sink = [&](std::int64_t first, std::span<const Label> part) {
      std::copy(part.begin(), part.end(), labels.begin() + first);
    };
    const files::MaskSink nobody = [](std::int64_t, Mask) {};
    files::ReadOptions options;
    options.labels = &sink;
    files::MaskBuilder builder(type, options, nobody);
    builder.take(view(stored));
    static_cast<void>(builder.finish(name, grid));
  });
  return give(std::move(labels));
}

/// Where all images of a call lie on the common grid, and its header.
std::pair<Header, std::vector<files::Placement>> lay_out(const std::vector<Header>& headers,
                                                         const Settings& settings) {
  files::Layout layout;
  run([&] {
    std::optional<Header> like;
    if (!settings.like.empty()) like = raters::open_grid(settings.like, {.max_memory = settings.max_memory});
    layout = files::lay_out(headers, like ? &*like : nullptr);
  });
  return {std::move(layout.reference), std::move(layout.placements)};
}

template <class T>
Given<T> apply(const files::Placement& placement, const Grid& reference, const Grid& other,
               const Borrowed<T>& voxels) {
  const std::span<const T> own = view(voxels);
  std::vector<T> placed;
  run([&] { placed = files::apply(placement, reference, other, std::vector<T>(own.begin(), own.end())); });
  return give(std::move(placed));
}

template <class T>
ReportedWarnings write(const Path& path, const Borrowed<T>& voxels, const Header& reference, bool overwrite) {
  const files::WriteOptions options{.overwrite = overwrite};
  Warnings warnings;
  run([&] {
    files::check_output(path, reference.grid, {}, options);
    const Image image = Canvas<T>(view(voxels));
    warnings = files::write_image(path, image, reference, options);
  });
  return spelled(warnings);
}

void bind_grid(nb::module_& m) {
  nb::class_<Grid>(m, "Grid")
      .def(nb::init<std::array<std::int32_t, 3>, std::array<double, 3>, std::array<double, 3>,
                    std::array<double, 9>, bool>(),
           nb::arg("size"), nb::arg("spacing"), nb::arg("origin"), nb::arg("direction"),
           nb::arg("measured") = true)
      .def_ro("size", &Grid::size)
      .def_ro("spacing", &Grid::spacing)
      .def_ro("origin", &Grid::origin)
      .def_ro("direction", &Grid::direction)
      .def_ro("measured", &Grid::measured);
}

}  // namespace

void bind_files(nb::module_& m) {
  bind_grid(m);
  nb::class_<Header>(m, "Header")
      .def("__init__", make_header, nb::arg("name"), nb::arg("grid"), nb::arg("positioned"))
      .def_ro("path", &Header::path)
      .def_ro("name", &Header::name)
      .def_ro("grid", &Header::grid)
      .def("unmarked", unmarked)
      .def_prop_ro("warnings", [](const Header& header) { return spelled(header.warnings); });
  nb::class_<files::Placement>(m, "Placement")
      .def_ro("identity", &files::Placement::identity)
      .def_prop_ro("warnings", [](const files::Placement& place) { return spelled(place.warnings); });
  nb::class_<files::ValueType>(m, "ValueType")
      .def("__init__", make_value_type, nb::arg("number"), nb::arg("swapped"), nb::arg("slope"),
           nb::arg("intercept"));
  m.def("read_headers", read_headers,
        nb::sig("def read_headers(path: str, settings: Settings) -> list[Header]"));
  m.def(
      "file_of", [](const std::string& path) { return raters::split_input(path).file.string(); },
      nb::arg("path"));
  m.def("read_mask", read_mask, nb::arg("header"), nb::arg("settings"));
  m.def("read_map", read_map, nb::arg("header"), nb::arg("settings"));
  m.def("to_mask", to_mask, nb::arg("stored"), nb::arg("type"), nb::arg("name"), nb::arg("grid"),
        nb::arg("settings").none());
  m.def("to_labels", to_labels, nb::arg("stored"), nb::arg("type"), nb::arg("name"), nb::arg("grid"));
  m.def("lay_out", lay_out, nb::arg("headers"), nb::arg("settings"));
  m.def("place", files::place, nb::arg("reference"), nb::arg("other"));
  m.def("apply", apply<std::uint8_t>, nb::arg("placement"), nb::arg("reference"), nb::arg("other"),
        nb::arg("voxels"));
  m.def("apply", apply<float>, nb::arg("placement"), nb::arg("reference"), nb::arg("other"),
        nb::arg("voxels"));
  m.def("apply", apply<Label>, nb::arg("placement"), nb::arg("reference"), nb::arg("other"),
        nb::arg("voxels"));
  m.def("write", write<std::uint8_t>,
        nb::sig("def write(path: str, voxels: NDArray[numpy.uint8], reference: Header, overwrite: bool) -> "
                "list[str]"));
  m.def("write", write<float>,
        nb::sig("def write(path: str, voxels: NDArray[numpy.float32], reference: Header, overwrite: bool) -> "
                "list[str]"));
}

}  // namespace crema::python
