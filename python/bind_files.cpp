// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/array.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "files/files.h"
#include "python/arrays.h"
#include "python/bind.h"
#include "python/sentence.h"
#include "python/work.h"

namespace crema::python {
namespace {

using files::Header;
using files::ReadOptions;

ReadOptions read_options(std::optional<double> threshold, std::optional<double> label,
                         std::int64_t max_memory) {
  return {.threshold = threshold, .label = label, .max_memory = max_memory};
}

/// A header for what is not a file; it goes by the name in sentences.
Header make_header(const std::string& name, const Grid& grid, bool positioned) {
  Header header;
  header.path = name;
  header.grid = grid;
  header.positioned = positioned;
  return header;
}

std::pair<Given<std::uint8_t>, Warnings> read_mask(const Header& header, const ReadOptions& options) {
  files::MaskFile file;
  run([&] { file = files::read_mask(header, options); });
  return {give(std::move(file.voxels)), with_keywords(std::move(file.warnings))};
}

std::pair<Given<float>, Warnings> read_map(const Header& header, const ReadOptions& options) {
  files::MapFile file;
  run([&] { file = files::read_map(header, options); });
  return {give(std::move(file.levels)), with_keywords(std::move(file.warnings))};
}

template <class T>
Given<T> apply(const files::Placement& placement, const Grid& reference, const Grid& other,
               const Borrowed<T>& voxels) {
  const std::span<const T> own = view(voxels);
  return give(files::apply(placement, reference, other, std::vector<T>(own.begin(), own.end())));
}

template <class T>
Warnings write(const std::filesystem::path& path, const Borrowed<T>& voxels, const Header& reference,
               const files::WriteOptions& options) {
  const std::span<const T> own = view(voxels);
  Warnings warnings;
  run([&] {
    const Image image = Canvas<T>(own);
    warnings = files::write_image(path, image, reference, options);
  });
  return with_keywords(std::move(warnings));
}

void check_output(const std::filesystem::path& path, const Grid& grid, const files::WriteOptions& options) {
  files::check_output(path, grid, {}, options);
}

files::WriteOptions write_options(bool overwrite) { return {.overwrite = overwrite}; }

}  // namespace

void bind_grid(nb::module_& m) {
  nb::class_<Grid>(m, "Grid")
      .def(nb::init<std::array<std::int32_t, 3>, std::array<double, 3>, std::array<double, 3>,
                    std::array<double, 9>>(),
           nb::arg("size"), nb::arg("spacing"), nb::arg("origin"), nb::arg("direction"))
      .def_ro("size", &Grid::size)
      .def_ro("spacing", &Grid::spacing)
      .def_ro("origin", &Grid::origin)
      .def_ro("direction", &Grid::direction);
}

void bind_files(nb::module_& m) {
  nb::class_<ReadOptions>(m, "ReadOptions")
      .def(
          "__init__",
          [](ReadOptions* made, std::optional<double> threshold, std::optional<double> label,
             std::int64_t max_memory) { new (made) ReadOptions(read_options(threshold, label, max_memory)); },
          nb::arg("threshold").none(), nb::arg("label").none(), nb::arg("max_memory"));
  nb::class_<Header>(m, "Header")
      .def(
          "__init__",
          [](Header* made, const std::string& name, const Grid& grid, bool positioned) {
            new (made) Header(make_header(name, grid, positioned));
          },
          nb::arg("name"), nb::arg("grid"), nb::arg("positioned"))
      .def_ro("path", &Header::path)
      .def_ro("name", &Header::name)
      .def_ro("grid", &Header::grid)
      .def_ro("type", &Header::type)
      .def_ro("positioned", &Header::positioned)
      .def_prop_ro("warnings", [](const Header& header) { return with_keywords(header.warnings); });
  nb::class_<files::Placement>(m, "Placement")
      .def_ro("identity", &files::Placement::identity)
      .def_prop_ro("warnings", [](const files::Placement& place) { return with_keywords(place.warnings); });
  nb::class_<files::WriteOptions>(m, "WriteOptions")
      .def(
          "__init__",
          [](files::WriteOptions* made, bool overwrite) {
            new (made) files::WriteOptions(write_options(overwrite));
          },
          nb::arg("overwrite"));
  m.def("read_headers", files::read_headers,
        nb::sig("def read_headers(path: str, options: ReadOptions) -> list[Header]"));
  m.def("rater_name", files::rater_name, nb::arg("header"));
  m.def("read_mask", read_mask, nb::arg("header"), nb::arg("options"));
  m.def("read_map", read_map, nb::arg("header"), nb::arg("options"));
  m.def("place", files::place, nb::arg("reference"), nb::arg("other"));
  m.def("apply", apply<std::uint8_t>, nb::arg("placement"), nb::arg("reference"), nb::arg("other"),
        nb::arg("voxels"));
  m.def("apply", apply<float>, nb::arg("placement"), nb::arg("reference"), nb::arg("other"),
        nb::arg("voxels"));
  m.def(
      "write", write<std::uint8_t>,
      nb::sig("def write(path: str, voxels: NDArray[numpy.uint8], reference: Header, options: WriteOptions) "
              "-> list[str]"));
  m.def("write", write<float>,
        nb::sig(
            "def write(path: str, voxels: NDArray[numpy.float32], reference: Header, options: WriteOptions) "
            "-> list[str]"));
  m.def("check_output", check_output,
        nb::sig("def check_output(path: str, grid: Grid, options: WriteOptions) -> None"));
}

}  // namespace crema::python
