// SPDX-License-Identifier: Apache-2.0
#include "study/candidate.h"

#include <fmt/format.h>

#include "cohort/run/one_case.h"
#include "crema/base/error.h"
#include "files/files.h"
#include "raters/run/agreement.h"
#include "study/chapters/section_parts.h"
#include "study/statistics/bootstrap.h"

namespace crema::study {
namespace {

std::vector<std::string> names_of_cases(const std::vector<cohort::CohortCase>& cases) {
  std::vector<std::string> names;
  for (const cohort::CohortCase& one : cases) names.push_back(one.name);
  return names;
}

/// The mean with its interval.
Row mean_cells(const std::vector<double>& values) {
  const std::optional<Summary> found = summary_of(values);
  if (!found) return {cell({}), cell({}), cell({})};
  return {found->mean, found->interval ? Cell(found->interval->low) : cell({}),
          found->interval ? Cell(found->interval->high) : cell({})};
}

/// "Cases without a candidate: a, b, c."
std::string list_missing(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + files::printable(name);
  return fmt::format("Cases without a candidate ({}): {}.", names.size(), list);
}

}  // namespace

CandidateStudy::CandidateStudy(const std::vector<cohort::CohortCase>& cases, const std::string& where,
                               std::optional<double> threshold)
    : names_(names_of_cases(cases)), files_(where, cases), threshold_(threshold) {}

void CandidateStudy::take(const CountedCase& one) {
  const std::filesystem::path path = files_.of(one.one.name);
  if (path.empty()) return;
  Settings settings = cohort::for_one_case(one.run.request.settings, one.one);
  settings.consensus_threshold = threshold_;
  try {
    const raters::ConsensusFile file = raters::read_candidate(one.counted, path, settings);
    found_.push_back({one.one.name, one.counted.label(one.structure), one.reduction().raters,
                      raters::compare_candidate(one.counted, file, one.structure)});
    if (one.structure == 0) append(warnings_, file.warnings);
    append(warnings_,
           raters::warnings_about_candidate(one.counted, file, found_.back().index, one.structure));
  } catch (const InputError& error) {
    fail(error.sentence.text(Spelling::program));
  } catch (const FileError& error) {
    fail(error.sentence.text(Spelling::program));
  }
}

/// Once, however many labels the case has.
void CandidateStudy::fail(const std::string& sentence) {
  if (failures_.empty() || failures_.back() != sentence) failures_.push_back(sentence);
}

std::vector<std::string> CandidateStudy::missing() const {
  std::vector<std::string> names;
  for (const std::string& name : names_)
    if (files_.of(name).empty()) names.push_back(name);
  return names;
}

std::vector<Section> CandidateStudy::sections() const {
  Section cases{
      "candidate",
      "The candidate, case by case",
      "Mean Dice of the candidate with each rater, mean Dice of the raters with each other, their ratio "
      "(Williams' index, wi) and their difference (delta); two empty masks agree. " +
          std::string(kCandidateCaveat),
      table_of(candidate_columns(), found_),
      {}};
  Section summary{
      "candidate_summary",
      "Is the candidate as good as a rater?",
      "Means over cases with 95 % percentile-bootstrap intervals. Not worse than a rater by more than δ "
      "if delta_low lies above −δ; δ is yours to choose, and before looking. " +
          std::string(kCandidateCaveat),
      {{"label", "cases", "wi_mean", "wi_low", "wi_high", "delta_mean", "delta_low", "delta_high"}, {}},
      {}};
  std::map<std::string, std::array<std::vector<double>, 2>> values;
  for (const CandidateRow& one : found_) {
    auto& [ratios, differences] = values[one.label];
    if (one.index.index.defined()) ratios.push_back(*one.index.index);
    if (one.index.difference.defined()) differences.push_back(*one.index.difference);
  }
  for (const auto& [label, both] : values) {
    Row row{label, std::ssize(both[1])};
    add(row, mean_cells(both[0]));
    add(row, mean_cells(both[1]));
    summary.table.rows.push_back(std::move(row));
  }
  if (const std::vector<std::string> names = missing(); !names.empty())
    cases.missing.push_back(list_missing(names));
  cases.missing.insert(cases.missing.end(), failures_.begin(), failures_.end());
  if (cases.table.rows.empty()) summary.missing = {"No candidate could be compared."};
  return {cases, summary};
}

}  // namespace crema::study
