// SPDX-License-Identifier: Apache-2.0
#include <chrono>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/arrays.h"
#include "python/bind.h"
#include "python/intake.h"
#include "python/record.h"
#include "python/work.h"
#include "raters/certify.h"

namespace crema::python {
namespace {

using Sentences = std::vector<std::string>;

/// A consensus file on the raters' grid.
std::pair<Given<float>, Sentences> read_consensus(const std::filesystem::path& path, const Intake& intake,
                                                  const std::string& distance, const Settings& settings) {
  const Distance measure = find_distance(distance);
  const files::Header& reference = intake.source.reference;
  raters::ConsensusFile file;
  std::vector<float> levels;
  run([&] {
    file = raters::open_consensus(path, reference, settings);
    levels = raters::read_consensus(file, reference.grid, measure, settings);
  });
  return {give(std::move(levels)), spelled(file.warnings)};
}

/// The program's record of levels on the raters' grid; `known` are the warnings that the caller has about
/// them.
nb::object certify(const Intake& intake, const Settings& settings, const std::string& name,
                   const Borrowed<float>& levels, const std::string& distance, const Sentences& known,
                   Sentences command, const nb::object& progress) {
  const Distance measure = find_distance(distance);
  raters::check_certify(settings);
  Counted made(intake, settings, std::move(command));
  Warnings warnings(known.begin(), known.end());
  MapCertificate certificate;
  double seconds = 0;
  run(progress, 3, [&](Control& control) {
    // A bound sees rater groups alone: distances inside a component need not be known.
    made.count(intake, Needs::groups, control.hooks());
    control.reach(2);
    const auto start = std::chrono::steady_clock::now();
    append(warnings, made.counted.warnings);
    certificate = raters::certify(made.counted, view(levels), name, measure, warnings);
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    control.reach(3);
  });
  RunFacts facts = made.facts(warnings);
  facts.solving = seconds;
  return to_python(certify_record(facts, settings, *made.counted.reduction, name, measure, certificate));
}

}  // namespace

void bind_certify(nb::module_& m) {
  m.def("read_consensus", read_consensus,
        nb::sig("def read_consensus(path: str, raters: Raters, distance: str, settings: Settings) -> "
                "tuple[NDArray[numpy.float32], list[str]]"));
  m.def("certify", certify, nb::arg("raters"), nb::arg("settings"), nb::arg("name"), nb::arg("levels"),
        nb::arg("distance"), nb::arg("known"), nb::arg("command"), nb::arg("progress").none(),
        nb::sig("def certify(raters: Raters, settings: Settings, name: str, levels: NDArray[numpy.float32], "
                "distance: str, known: Sequence[str], command: Sequence[str], progress: object | None) -> "
                "dict[str, typing.Any]"));
}

}  // namespace crema::python
