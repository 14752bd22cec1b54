// SPDX-License-Identifier: Apache-2.0
#include "study/masks.h"

#include <algorithm>

#include <fmt/format.h>

#include "cohort/run/one_case.h"
#include "cohort/run/result.h"
#include "crema/base/error.h"
#include "files/files.h"

namespace crema::study {
namespace {

raters::Case count_again(const cohort::ReadyRun& ready, const cohort::CohortCase& one) {
  const Settings settings = cohort::for_one_case(ready.request.settings, one);
  return cohort::load_case(ready.cohort, ready.request, one, settings, Needs::distances, {});
}

/// Nothing where its masks cannot be read.
std::optional<raters::Case> try_counting(const cohort::ReadyRun& ready, const cohort::CohortCase& one) {
  try {
    return count_again(ready, one);
  } catch (const InputError&) {
    return std::nullopt;
  } catch (const FileError&) {
    return std::nullopt;
  }
}

/// Whether the run has a result of other files than those that are there now.
bool has_changed(const cohort::ReadyRun& ready, const cohort::CohortCase& one) {
  const std::optional<Json> result = cohort::read_result(ready.folder, one.name);
  if (!result) return false;
  return line_of(member(*result, "inputs")) !=
         line_of(cohort::inputs_of(ready.cohort, one, ready.request).list);
}

std::string first_of(const std::vector<std::string>& names) {
  constexpr std::size_t kNamed = 5;
  std::string list;
  for (std::size_t i = 0; i < std::min(kNamed, names.size()); ++i)
    list += fmt::format("{}{}", i == 0 ? "" : ", ", files::printable(names[i]));
  return list + (names.size() > kNamed ? ", …" : "");
}

}  // namespace

std::vector<std::string> CountedCase::raters() const {
  return cohort::rater_names(run.cohort, one, counted.names);
}

std::vector<std::string> LostCases::sentences() const {
  std::vector<std::string> all;
  if (!unread.empty())
    all.push_back(
        fmt::format("The masks of {} of {} cases could not be read ({}); `crema cohort list DATA` shows "
                    "which files are gone.",
                    unread.size(), cases, first_of(unread)));
  if (!changed.empty())
    all.push_back(
        fmt::format("The masks of {} of {} cases changed since the run ({}); `crema cohort run` fuses "
                    "them again.",
                    changed.size(), cases, first_of(changed)));
  return all;
}

LostCases read_masks(const cohort::ReadyRun& ready, const std::string& label,
                     const std::vector<TakeCase>& takers, const ShowProgress& progress) {
  LostCases lost{.cases = ready.cohort.cases.size(), .unread = {}, .changed = {}};
  for (std::size_t i = 0; i < lost.cases; ++i) {
    const cohort::CohortCase& one = ready.cohort.cases[i];
    std::optional<raters::Case> counted = try_counting(ready, one);
    if (!counted) {
      lost.unread.push_back(one.name);
    } else if (has_changed(ready, one)) {
      lost.changed.push_back(one.name);
      counted.reset();
    }
    for (std::size_t s = 0; counted && s < counted->structures(); ++s)
      if (label.empty() || counted->label(s) == label)
        for (const TakeCase& take : takers) take({ready, one, *counted, i, s});
    progress(i + 1, lost.cases);
  }
  return lost;
}

}  // namespace crema::study
