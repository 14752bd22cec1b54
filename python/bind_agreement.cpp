// SPDX-License-Identifier: Apache-2.0
// How raters agree, how sure a consensus is, and what other methods make of the same counts.
#include <map>
#include <tuple>

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "crema/agreement/agreement_record.h"
#include "crema/agreement/study_settings.h"
#include "crema/error.h"
#include "python/arrays.h"
#include "python/bind.h"
#include "python/fused.h"
#include "python/record.h"
#include "python/work.h"
#include "raters/agreement.h"
#include "raters/names.h"

namespace crema::python {
namespace {

/// What was asked, in the words of people.
StudyOptions study_from(const std::map<std::string, std::string>& words, bool surfaces, bool flips,
                        std::optional<std::size_t> review) {
  StudyOptions asked{.surfaces = surfaces};
  for (const auto& [name, text] : words) try {
      set_study(asked, name, text);
    } catch (const UsageError& error) {
      throw UsageError(Sentence::setting(name, text) + ": " + error.sentence.marked());
    }
  check_study(asked, words.contains("seed"));
  asked.flips = flips;
  asked.review = review;
  return asked;
}

CaseNames names_of(const Fused& fused, const std::string& given) {
  return raters::names_of(fused.run->counted, fused.run->counted.names, given);
}

/// What the study looks at; the image of a method that needs neighbours went to Python and comes back.
Evaluated evaluated(const Fused& fused, const Borrowed<float>& levels) {
  const raters::Outcome& outcome = fused.outcome;
  Evaluated one{std::string(outcome.method().name), &outcome.method(), outcome.solution, outcome.options};
  if (outcome.method().needs == Needs::neighbours)
    one.solution.image = std::make_shared<Image>(image_of(levels, outcome.method().kind));
  return one;
}

using Tables = std::vector<std::pair<std::string, nb::object>>;

/// The program's record of agreement, its tables, and the bootstrap's map where one was asked for.
std::tuple<nb::object, Tables, std::optional<Given<float>>> agreement(
    const Fused& fused, const Borrowed<float>& levels, const std::string& name,
    const std::map<std::string, std::string>& words, bool surfaces, bool flips,
    std::optional<std::size_t> review) {
  const StudyOptions asked = study_from(words, surfaces, flips, review);
  AgreementStudy study;
  std::optional<Given<float>> map;
  std::vector<float> shares;
  const Reduction& reduction = fused.reduction();
  run([&] {
    const Options& options = fused.outcome.options;
    study = study_agreement(reduction, {evaluated(fused, levels)}, asked, options.threads);
    if (const auto& found = study.consensuses.front().bootstrap) {
      const Image image = paint(reduction, *found, options);
      std::visit([&](const auto& voxels) { shares.assign(voxels.begin(), voxels.end()); }, image);
    }
  });
  if (asked.replicates > 0) map = give(std::move(shares));
  const CaseNames names = names_of(fused, name);
  Tables tables{{"rater_pairs", to_python(rater_pairs_table(names, study))},
                {"raters", to_python(raters_table(names, study))},
                {"components", to_python(components_table(names, reduction, study))}};
  if (review)
    tables.emplace_back("review", to_python(review_table(names, reduction, study.consensuses.front())));
  return {to_python(agreement_record(fused.run->facts(fused.warnings), fused.run->settings, reduction, names,
                                     study)),
          std::move(tables), std::move(map)};
}

/// The program's record of a comparison and its tables, for methods that need no more than these counts hold.
std::pair<nb::object, Tables> compare(const Fused& fused, const std::vector<std::string>& names,
                                      const std::string& name) {
  const std::vector<const Method*> methods = find_methods(names);
  for (const Method* method : methods)
    if (method->needs == Needs::neighbours)
      throw UsageError(std::string(method->name) +
                       " needs to see neighbouring voxels, and only counts are kept; fuse with it instead.");
  require_counted(fused, methods);
  raters::Comparison found;
  const raters::Case& counted = fused.run->counted;
  Warnings warnings = counted.warnings;
  run([&] { found = raters::compare(counted, methods, fused.run->settings, warnings); });
  const CaseNames told = names_of(fused, name);
  const Reduction& reduction = fused.reduction();
  return {to_python(compare_record(fused.run->facts(warnings), fused.run->settings, reduction, told,
                                   found.rows, found.pairs)),
          {{"methods",
            to_python(methods_table(told, reduction, found.rows, {counted.reading, counted.counting}))},
           {"method_pairs", to_python(method_pairs_table(told, reduction, found.rows, found.pairs))}}};
}

}  // namespace

void bind_agreement(nb::module_& m) {
  m.def("agreement", agreement,
        nb::sig("def agreement(fused: Fused, levels: NDArray[numpy.float32], case: str, "
                "words: dict[str, str], surfaces: bool, flips: bool, review: int | None) -> "
                "tuple[dict[str, typing.Any], list[tuple[str, dict[str, list[typing.Any]]]], "
                "NDArray[numpy.float32] | None]"));
  m.def("compare", compare,
        nb::sig("def compare(fused: Fused, methods: Sequence[str], case: str) -> "
                "tuple[dict[str, typing.Any], list[tuple[str, dict[str, list[typing.Any]]]]]"));
}

}  // namespace crema::python
