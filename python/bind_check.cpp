// SPDX-License-Identifier: Apache-2.0
// What is reported of raters without fusing them: whether they can be fused, what the background does, whom
// to cite.
#include <tuple>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "crema/tables/citation.h"
#include "plot/background_plot.h"
#include "python/bind.h"
#include "python/intake.h"
#include "python/record.h"
#include "python/work.h"
#include "raters/open/names.h"
#include "raters/run/examine.h"
#include "raters/run/stopwatch.h"

namespace crema::python {
namespace {

using Sentences = std::vector<std::string>;
using Paths = std::vector<std::filesystem::path>;

/// The program's record of these files.
nb::object check_files(const Paths& paths, const Settings& settings, Sentences command,
                       const nb::object& progress) {
  Json record;
  run(progress, 2, [&](Control& control) {
    const raters::Examination found = raters::examine(paths, settings, control.hooks());
    const RunFacts facts{.command = std::move(command),
                         .raters = {},
                         .warnings = crema::spelled(found.warnings, Spelling::python)};
    record = raters::examination_record(facts, settings, found, Spelling::python);
    control.reach(2);
  });
  return to_python(record);
}

/// Takes raters in as a fusion does: the voxels inside each, and what there is to say about them.
std::pair<std::vector<std::int64_t>, ReportedWarnings> count_masks(const Intake& intake,
                                                                   const Settings& settings,
                                                                   const nb::object& progress) {
  Counted counts(intake, settings, {});
  run(progress, 2, [&](Control& control) {
    counts.count(intake, Needs::groups, control.hooks());
    control.reach(2);
  });
  return {raters::voxels_of_raters(counts.counted), spelled(counts.counted.warnings)};
}

/// A rater in memory: its name, problems, where it lies, its type of number, its voxels.
using Checked = std::tuple<std::string, Sentences, std::optional<Grid>, std::string, std::int64_t>;

/// The same record of masks that are no files.
nb::object check_record(const std::vector<Checked>& masks, const Sentences& problems,
                        const Settings& settings, Sentences command, const Reported& warnings) {
  RunFacts facts{.command = std::move(command), .raters = {}, .warnings = taken(warnings)};
  if (settings.provenance) facts.date = raters::now();
  std::vector<CheckedRater> rows;
  for (const auto& [name, own, grid, type, voxels] : masks) rows.push_back({name, own, grid, type, voxels});
  return to_python(crema::check_record(facts, settings, rows, problems));
}

/// The program's record, a picture of each structure, and the warnings.
std::tuple<nb::object, Sentences, ReportedWarnings> background(const Intake& intake, const Settings& settings,
                                                               Sentences command,
                                                               const nb::object& progress) {
  Counted counts(intake, settings, std::move(command));
  raters::Case& counted = counts.counted;
  std::vector<BackgroundStudy> studies;
  Sentences pictures;
  double seconds = 0;
  run(progress, 3, [&](Control& control) {
    counts.count(intake, Needs::distances, control.hooks());
    control.reach(2);
    const raters::Stopwatch watch;
    for (std::size_t s = 0; s < counted.structures(); ++s) {
      studies.push_back(study_background(counted.reduction(s), counted.options));
      pictures.push_back(plot::background_picture(studies[s], raters::title_of(counted)));
      append(counted.warnings, background_warnings(studies[s]));
    }
    seconds = watch.seconds();
    control.reach(3);
  });
  RunFacts facts = counts.facts(counted.warnings);
  facts.solving = seconds;
  Json::Array records;
  for (std::size_t s = 0; s < studies.size(); ++s)
    records.push_back(background_record(facts, counts.settings, counted.reduction(s), studies[s]));
  return {to_python(counts.reported_of({}, std::move(records))), pictures, spelled(facts.warnings)};
}

/// What to write in a paper, and the bibliography of it.
std::pair<std::string, std::string> cite(const Sentences& names) {
  const std::vector<const Method*> methods = find_methods(names);
  return {methods_sentence(methods), bibtex(methods)};
}

}  // namespace

void bind_check(nb::module_& m) {
  m.def("check_files", check_files, nb::arg("paths"), nb::arg("settings"), nb::arg("command"),
        nb::arg("progress").none(),
        nb::sig("def check_files(paths: Sequence[str], settings: Settings, command: Sequence[str], "
                "progress: object | None) -> dict[str, typing.Any]"));
  m.def("count_masks", count_masks, nb::arg("raters"), nb::arg("settings"), nb::arg("progress").none());
  m.def("check_record", check_record,
        nb::sig("def check_record(masks: Sequence[tuple[str, Sequence[str], Grid | None, str, int]], "
                "problems: Sequence[str], settings: Settings, command: Sequence[str], "
                "warnings: Sequence[str]) -> dict[str, typing.Any]"));
  m.def("background", background, nb::arg("raters"), nb::arg("settings"), nb::arg("command"),
        nb::arg("progress").none(),
        nb::sig("def background(raters: Raters, settings: Settings, command: Sequence[str], "
                "progress: object | None) -> tuple[dict[str, typing.Any], list[str], list[str]]"));
  m.def("cite", cite, nb::arg("methods"));
}

}  // namespace crema::python
