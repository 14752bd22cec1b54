// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "crema/base/error.h"
#include "crema/counts/solvers.h"
#include "python/arrays.h"
#include "python/bind.h"
#include "python/intake.h"
#include "python/record.h"
#include "python/work.h"
#include "raters/run/certify.h"
#include "raters/run/stopwatch.h"

namespace crema::python {
namespace {

using Sentences = std::vector<std::string>;

/// What is certified, on the raters' grid, and what it is called.
struct Candidate {
  raters::ConsensusFile file;
  std::string name;
};

Candidate read_candidate(const std::filesystem::path& path, const Intake& intake, const std::string& distance,
                         const Settings& settings) {
  const Distance measure = find_distance(distance);
  const files::Header& reference = intake.source.reference;
  Candidate candidate{.file = {}, .name = path.string()};
  run([&] {
    candidate.file = raters::open_consensus(path, reference, settings);
    raters::read_consensus(candidate.file, reference.grid, measure, settings);
  });
  return candidate;
}

Candidate from_memory(const std::string& name, const std::string& distance, const Reported& warnings) {
  Candidate candidate{.file = {}, .name = name};
  candidate.file.distance = find_distance(distance);
  candidate.file.warnings = taken(warnings);
  return candidate;
}

Candidate take_levels(const std::string& name, const Borrowed<float>& levels, const std::string& distance,
                      const Reported& warnings) {
  Candidate candidate = from_memory(name, distance, warnings);
  const auto own = view(levels);
  candidate.file.levels.assign(own.begin(), own.end());
  return candidate;
}

Candidate take_map(const std::string& name, const Borrowed<Label>& labels, const std::string& distance,
                   const Reported& warnings) {
  Candidate candidate = from_memory(name, distance, warnings);
  if (!is_hard(candidate.file.distance))
    throw UsageError(distance + " compares levels, but " + name + " is a label map; choose jaccard or dice.");
  const auto own = view(labels);
  candidate.file.labels.assign(own.begin(), own.end());
  return candidate;
}

/// The program's record.
nb::object certify(const Intake& intake, const Settings& settings, const Candidate& candidate,
                   Sentences command, const nb::object& progress) {
  raters::check_certify(settings, candidate.file.distance);
  Counted counts(intake, settings, std::move(command));
  raters::ConsensusFile file = candidate.file;
  if (settings.consensus_threshold)
    for (float& level : file.levels) level = level > *settings.consensus_threshold ? 1.0F : 0.0F;
  Warnings warnings = file.warnings;
  std::vector<MapCertificate> certificates;
  double seconds = 0;
  run(progress, 3, [&](Control& control) {
    // A bound sees rater groups alone: distances inside a component need not be known.
    counts.count(intake, Needs::groups, control.hooks());
    control.reach(2);
    const raters::Stopwatch watch;
    append(warnings, counts.counted.warnings);
    for (std::size_t s = 0; s < counts.counted.structures(); ++s)
      certificates.push_back(raters::certify(counts.counted, s, raters::levels_of(file, counts.counted, s),
                                             candidate.name, file.distance, warnings));
    seconds = watch.seconds();
    control.reach(3);
  });
  RunFacts facts = counts.facts(warnings);
  facts.solving = seconds;
  Json::Array records;
  for (std::size_t s = 0; s < certificates.size(); ++s)
    records.push_back(certify_record(facts, settings, counts.counted.reduction(s), candidate.name,
                                     file.distance, certificates[s]));
  return to_python(counts.reported_of({}, std::move(records)));
}

}  // namespace

void bind_certify(nb::module_& m) {
  const nb::class_<Candidate> candidate(m, "Candidate");
  m.def("read_candidate", read_candidate,
        nb::sig("def read_candidate(path: str, raters: Raters, distance: str, settings: Settings) -> "
                "Candidate"));
  m.def("take_levels", take_levels, nb::arg("name"), nb::arg("levels"), nb::arg("distance"),
        nb::arg("warnings"));
  m.def("take_map", take_map, nb::arg("name"), nb::arg("labels"), nb::arg("distance"), nb::arg("warnings"));
  m.def("certify", certify, nb::arg("raters"), nb::arg("settings"), nb::arg("candidate"), nb::arg("command"),
        nb::arg("progress").none(),
        nb::sig("def certify(raters: Raters, settings: Settings, candidate: Candidate, "
                "command: Sequence[str], progress: object | None) -> dict[str, typing.Any]"));
}

}  // namespace crema::python
