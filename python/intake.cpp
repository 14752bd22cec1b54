// SPDX-License-Identifier: Apache-2.0
#include "python/intake.h"

#include <algorithm>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "crema/error.h"
#include "python/bind.h"
#include "python/work.h"
#include "raters/segments.h"

namespace crema::python {
namespace {

using Names = std::vector<std::string>;
using Paths = std::vector<std::filesystem::path>;

/// The caller's names instead of the files' own; a file of several segments gives its name to each of them.
Names given_names(const raters::RaterFiles& files, const Names& given) {
  if (given.empty()) return raters::rater_names(files);
  if (files.headers.size() == given.size()) return given;
  Names names;
  for (const files::Header& header : files.headers) {
    const auto file = std::find(files.paths.begin(), files.paths.end(), header.path) - files.paths.begin();
    names.push_back(given.at(static_cast<std::size_t>(file)) +
                    (header.name.empty() ? "" : "#" + header.name));
  }
  return names;
}

/// Headers alone are read: the voxels are folded into the votes when these are counted.
Intake open_files(const Paths& paths, const Names& names, const Settings& settings) {
  Intake intake{.paths = raters::files_of(paths)};
  run([&] {
    raters::RaterFiles files = raters::open_raters(paths, settings);
    intake.told = given_names(files, names);
    intake.source = raters::from_files(std::move(files));
    intake.source.names = intake.told;
  });
  return intake;
}

/// Masks in memory; a name in `unchecked` wants the values to be looked at.
Intake open_masks(const files::Header& reference, std::vector<Bytes> masks, const Names& names,
                  const Names& unchecked, Names told, const Names& warnings) {
  std::vector<Mask> views;
  for (const Bytes& mask : masks) views.push_back(view(mask));
  Intake intake{raters::from_memory(reference, std::move(views), names, unchecked),
                std::move(told),
                {},
                std::move(masks)};
  intake.source.warnings.assign(warnings.begin(), warnings.end());
  return intake;
}

void set_region(Intake& intake, const Bytes& region, const Names& warnings) {
  const Mask mask = view(region);
  intake.region.assign(mask.begin(), mask.end());
  intake.source.region = intake.region;
  intake.source.warnings.insert(intake.source.warnings.end(), warnings.begin(), warnings.end());
}

/// Each file with its checksum. A record may be asked for long after a file is gone: it is left out.
std::vector<std::pair<std::string, std::string>> checksums(const Paths& inputs) {
  std::vector<std::pair<std::string, std::string>> facts;
  run([&] {
    for (const std::filesystem::path& input : inputs) try {
        for (InputFact& fact : raters::checksums({input})) facts.emplace_back(fact.path, fact.sha256);
      } catch (const FileError&) {
        continue;
      }
  });
  return facts;
}

}  // namespace

Counted::Counted(const Intake& intake, Settings asked, std::vector<std::string> call)
    : settings(std::move(asked)), told(intake.told), command(std::move(call)), date(raters::now()) {}

void Counted::count(const Intake& intake, Needs asked, const raters::Hooks& hooks) {
  needs = asked;
  counted = raters::count(intake.source, settings, needs, hooks);
  if (intake.region.empty()) return;
  counted.region = intake.region;
  counted.options.region.mask = counted.region;
}

RunFacts Counted::facts(const Warnings& warnings) const {
  RunFacts facts{.command = command, .raters = told, .warnings = spelled(warnings), .date = date};
  facts.reading = counted.reading;
  facts.counting = counted.counting;
  return facts;
}

void bind_raters(nb::module_& m) {
  nb::class_<Intake>(m, "Raters")
      .def("set_region", set_region, nb::arg("region"), nb::arg("warnings"))
      .def_ro("paths", &Intake::paths)
      .def_prop_ro("reference", [](const Intake& intake) {
        files::Header header = intake.source.reference;
        header.consensus = true;  // what is made on this grid comes from fusing
        return header;
      });
  m.def("checksums", checksums, nb::sig("def checksums(inputs: Sequence[str]) -> list[tuple[str, str]]"));
  m.def("check_count", raters::check_count, nb::arg("raters"));
  m.def("open_files", open_files,
        nb::sig("def open_files(paths: Sequence[str], names: Sequence[str], settings: Settings) -> Raters"));
  m.def("open_masks", open_masks, nb::arg("reference"), nb::arg("masks"), nb::arg("names"),
        nb::arg("unchecked"), nb::arg("told"), nb::arg("warnings"));
}

}  // namespace crema::python
