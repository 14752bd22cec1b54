// SPDX-License-Identifier: Apache-2.0
#include "python/intake.h"

#include <algorithm>
#include <numeric>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "crema/base/error.h"
#include "python/bind.h"
#include "python/work.h"
#include "raters/open/names.h"
#include "raters/open/segments.h"
#include "raters/read/levels.h"

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
    intake.reported = given_names(files, names);
    intake.source = raters::from_files(std::move(files));
    intake.source.names = intake.reported;
  });
  return intake;
}

/// Masks in memory; a name in `unchecked` wants the values to be looked at.
Intake open_masks(const files::Header& reference, std::vector<Bytes> masks, const Names& names,
                  const Names& unchecked, Names reported, const Reported& warnings) {
  std::vector<Mask> views;
  for (const Bytes& mask : masks) views.push_back(view(mask));
  Intake intake{raters::from_memory(reference, std::move(views), names, unchecked),
                std::move(reported),
                {},
                std::move(masks)};
  intake.source.warnings = taken(warnings);
  return intake;
}

/// Label maps in memory.
Intake open_maps(const files::Header& reference, const std::vector<Borrowed<Label>>& maps, const Names& names,
                 Names reported, const Reported& warnings) {
  Intake intake{.reported = std::move(reported)};
  run([&] {
    std::vector<std::span<const Label>> views;
    for (const Borrowed<Label>& map : maps) views.push_back(view(map));
    intake.source = raters::from_maps(
        reference, std::make_shared<const LabelMaps>(take_labels(reference.grid, views)), names);
  });
  intake.source.warnings = taken(warnings);
  return intake;
}

/// Maps of levels in memory, each of so many channels.
Intake open_levels(const files::Header& reference, std::vector<Borrowed<float>> maps, int channels,
                   const Names& names, Names reported, const Reported& warnings) {
  raters::LevelArrays views{.maps = {}, .channels = channels};
  for (const Borrowed<float>& map : maps) views.maps.push_back(view(map));
  Intake intake{.source = raters::from_levels(reference, std::move(views), names),
                .reported = std::move(reported)};
  intake.levels = std::move(maps);
  intake.source.warnings = taken(warnings);
  return intake;
}

void set_region(Intake& intake, const Bytes& region, const Reported& warnings) {
  const Mask mask = view(region);
  intake.region.assign(mask.begin(), mask.end());
  intake.source.region = intake.region;
  append(intake.source.warnings, taken(warnings));
}

/// Each file with its checksum. A record may be requested long after a file is gone: it is left out.
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

Counted::Counted(const Intake& intake, Settings requested, std::vector<std::string> call)
    : settings(std::move(requested)),
      reported(intake.reported),
      command(std::move(call)),
      date(raters::now()) {}

void Counted::count(const Intake& intake, Needs requested, const raters::Hooks& hooks) {
  needs = requested;
  counted = raters::count(intake.source, settings, needs, hooks);
  if (intake.region.empty()) return;
  counted.region = intake.region;
  counted.options.region.mask = counted.region;
}

std::vector<std::size_t> Counted::chosen(std::optional<std::size_t> structure) const {
  if (structure) return {*structure};
  std::vector<std::size_t> all(counted.structures());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

Json Counted::reported_of(std::optional<std::size_t> structure, Json::Array records) const {
  if (!structure) return join_records(raters::label_names(counted), std::move(records));
  if (!counted.labelled()) return std::move(records.front());
  return with_label(counted.label(*structure), records.front());
}

RunFacts Counted::facts(const Warnings& warnings) const {
  RunFacts facts{.command = command,
                 .raters = reported,
                 .warnings = crema::spelled(warnings, Spelling::python),
                 .date = date};
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
        nb::arg("unchecked"), nb::arg("given"), nb::arg("warnings"));
  m.def("open_levels", open_levels, nb::arg("reference"), nb::arg("maps"), nb::arg("channels"),
        nb::arg("names"), nb::arg("given"), nb::arg("warnings"));
  m.def("open_maps", open_maps, nb::arg("reference"), nb::arg("maps"), nb::arg("names"), nb::arg("given"),
        nb::arg("warnings"));
}

}  // namespace crema::python
