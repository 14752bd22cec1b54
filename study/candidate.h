// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "crema/records/candidate_table.h"
#include "study/chapters/section.h"
#include "study/masks.h"

namespace crema::study {

/// Where candidates lie: a folder, a pattern with * or ?, or a path with {case} in place of the case's name.
/// A file belongs to the case whose name it bears, or a folder above it.
class CandidateFiles {
 public:
  /// Throws InputError where nothing is found there, and where a case has two.
  CandidateFiles(const std::string& where, const std::vector<cohort::CohortCase>& cases);

  /// Empty where the case has none.
  [[nodiscard]] std::filesystem::path of(const std::string& name) const;

 private:
  void find_by_path(const std::string& where, const std::vector<cohort::CohortCase>& cases);
  void find_by_name(const std::string& where, const std::vector<cohort::CohortCase>& cases);
  void add(const std::string& name, const std::filesystem::path& file);

  std::map<std::string, std::filesystem::path, std::less<>> files_;
};

/// Is a candidate, such as a network's mask, as good as a rater? Over cases.
class CandidateStudy {
 public:
  /// Opens nothing but folders. `threshold`: what lies above it is inside; none: candidates are masks.
  CandidateStudy(const std::vector<cohort::CohortCase>& cases, const std::string& where,
                 std::optional<double> threshold);

  void take(const CountedCase& one);

  /// candidate and candidate_summary.
  [[nodiscard]] std::vector<Section> sections() const;
  /// Sentences: cases without a candidate, and candidates that cannot be used.
  [[nodiscard]] const std::vector<std::string>& failures() const { return failures_; }
  [[nodiscard]] std::vector<std::string> missing() const;
  /// What a colleague would say about the candidates.
  [[nodiscard]] const Warnings& warnings() const { return warnings_; }

 private:
  void fail(const std::string& sentence);

  std::vector<std::string> names_;  ///< of all cases
  CandidateFiles files_;
  std::optional<double> threshold_;
  std::vector<CandidateRow> found_;
  std::vector<std::string> failures_;
  Warnings warnings_;
};

}  // namespace crema::study
