// SPDX-License-Identifier: Apache-2.0
// How raters agree, how sure a consensus is, and what other methods make of the same counts.
#include <tuple>

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "crema/base/error.h"
#include "crema/records/agreement_record.h"
#include "python/arrays.h"
#include "python/bind.h"
#include "python/fused.h"
#include "python/record.h"
#include "python/work.h"
#include "raters/open/names.h"
#include "raters/run/agreement.h"

namespace crema::python {
namespace {

/// What is wanted; kappa is of the region of the fusion unless another one is named.
MeasureOptions wanted_of(const Fused& fused, const Settings& requested, std::optional<std::size_t> review) {
  if (!requested.region_file.empty())
    throw UsageError(fmt::format("{}: a mask as region crops the raters' masks; pass it to fuse.",
                                 Sentence::setting("roi")));
  check(requested, {});
  MeasureOptions wanted =
      measures_of(requested, was_given(requested, "roi") ? requested.options : fused.outcome.options);
  wanted.review = review;
  return wanted;
}

CaseNames names_of(const Fused& fused, std::size_t s, const std::string& given) {
  return raters::names_of(fused.run->counted, s, fused.run->counted.names, given);
}

Evaluated evaluated(const Fused& fused, std::size_t s) {
  const raters::Outcome& outcome = fused.outcome;
  return {std::string(outcome.method().name), &outcome.method(), fused.solution(s), outcome.options,
          raters::joint_part(fused.run->counted, outcome, s)};
}

/// What each table has of the structures, one below the other.
class Tables {
 public:
  void add(const std::string& name, Table table) {
    for (auto& [known, parts] : all_)
      if (known == name) return parts.push_back(std::move(table));
    all_.emplace_back(name, std::vector{std::move(table)});
  }

  std::vector<std::pair<std::string, nb::object>> give() {
    std::vector<std::pair<std::string, nb::object>> given;
    for (auto& [name, parts] : all_) given.emplace_back(name, to_python(stack(std::move(parts))));
    return given;
  }

 private:
  std::vector<std::pair<std::string, std::vector<Table>>> all_;
};

using GivenTables = std::vector<std::pair<std::string, nb::object>>;

/// One structure's study, and the bootstrap's map where one was wanted.
struct Studied {
  AgreementStudy study;
  std::vector<float> shares;
};

Studied study_one(const Fused& fused, std::size_t s, const MeasureOptions& wanted) {
  const Options& options = fused.outcome.options;
  Studied one{raters::study(fused.run->counted, s, {evaluated(fused, s)}, wanted), {}};
  if (const auto& found = one.study.consensuses.front().bootstrap) {
    const Image image = paint(fused.reduction(s), *found, options);
    std::visit([&](const auto& voxels) { one.shares.assign(voxels.begin(), voxels.end()); }, image);
  }
  return one;
}

/// The program's record of agreement of one structure or all, its tables, and the bootstrap's maps.
std::tuple<nb::object, GivenTables, std::vector<Given<float>>> agreement(const Fused& fused,
                                                                         std::optional<std::size_t> structure,
                                                                         const std::string& name,
                                                                         const Settings& requested,
                                                                         std::optional<std::size_t> review) {
  const MeasureOptions wanted = wanted_of(fused, requested, review);
  const Counted& counts = *fused.run;
  Tables tables;
  std::vector<Given<float>> maps;
  Json::Array records;
  for (const std::size_t s : counts.chosen(structure)) {
    Studied one;
    run([&] { one = study_one(fused, s, wanted); });
    const CaseNames names = names_of(fused, s, name);
    const Reduction& reduction = fused.reduction(s);
    tables.add("rater_pairs", rater_pairs_table(names, one.study));
    tables.add("raters", raters_table(names, one.study));
    tables.add("components", components_table(names, reduction, one.study));
    tables.add("component_raters", component_raters_table(names, reduction, one.study));
    if (review) tables.add("review", review_table(names, reduction, one.study.consensuses.front()));
    records.push_back(
        agreement_record(counts.facts(fused.warnings), counts.settings, reduction, names, one.study));
    if (wanted.replicates > 0) maps.push_back(give(std::move(one.shares)));
  }
  return {to_python(counts.reported_of(structure, std::move(records))), tables.give(), std::move(maps)};
}

/// The program's record of a comparison and its tables, for methods that need no more than these counts hold.
std::pair<nb::object, GivenTables> compare(const Fused& fused, std::optional<std::size_t> structure,
                                           const std::vector<std::string>& wanted, const std::string& name) {
  std::vector<const Method*> methods = find_methods(wanted);
  const Warnings left_out = keep_applicable(methods, fused.run->settings);
  for (const Method* method : methods)
    if (method->needs == Needs::neighbours)
      throw UsageError(std::string(method->name) +
                       " uses neighbouring voxels, but only counts are kept; fuse with it instead.");
  require_counted(fused, methods);
  const Counted& counts = *fused.run;
  const raters::Case& counted = counts.counted;
  Warnings warnings = counted.warnings;
  append(warnings, left_out);
  std::vector<raters::Outcome> outcomes;
  std::vector<raters::StructureComparison> compared;
  run([&] {
    outcomes = raters::solve_methods(counted, methods, counts.settings, warnings);
    compared = raters::compare_structures(counted, outcomes, counts.settings);
  });
  Tables tables;
  Json::Array records;
  for (const std::size_t s : counts.chosen(structure)) {
    const auto& [rows, pairs] = compared[s];
    const CaseNames names = names_of(fused, s, name);
    const Reduction& reduction = fused.reduction(s);
    tables.add("methods", methods_table(names, reduction, rows, {counted.reading, counted.counting}));
    tables.add("method_pairs", method_pairs_table(names, reduction, rows, pairs));
    records.push_back(compare_record(counts.facts(warnings), counts.settings, reduction, names, rows, pairs));
  }
  return {to_python(counts.reported_of(structure, std::move(records))), tables.give()};
}

}  // namespace

void bind_agreement(nb::module_& m) {
  m.def("agreement", agreement,
        nb::sig("def agreement(fused: Fused, structure: int | None, case: str, settings: Settings, "
                "review: int | None) -> "
                "tuple[dict[str, typing.Any], list[tuple[str, dict[str, list[typing.Any]]]], "
                "list[NDArray[numpy.float32]]]"));
  m.def("compare", compare,
        nb::sig("def compare(fused: Fused, structure: int | None, methods: Sequence[str], case: str) -> "
                "tuple[dict[str, typing.Any], list[tuple[str, dict[str, list[typing.Any]]]]]"));
}

}  // namespace crema::python
