// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "study/chapters/section.h"
#include "study/rater_study.h"
#include "study/tables/paper_table.h"
#include "study/tables/runs.h"

/// The tables of the paper for anyone's cohort, from the tables that its runs left.
namespace crema::study {

/// What is wanted beyond the paper's tables.
struct StudyRequest {
  Identity identity = Identity::unknown;  ///< of raters over cases, unless the run's manifest declares it
  bool paper_table = false;               ///< one table for a paper
  // For these the masks of the first run's cases are read again:
  bool background = false;  ///< fig:1a and fig:1b
  bool raters = false;      ///< effects, variance components, limits of agreement
  bool panel = false;       ///< how many raters are enough
  std::string candidate;    ///< where candidates lie; empty: there are none
  std::optional<double> candidate_threshold = {};

  /// The candidate alone can be had of every label at once.
  [[nodiscard]] LabelsWanted labels() const {
    return candidate.empty() || paper_table || background || raters || panel ? LabelsWanted::one
                                                                             : LabelsWanted::every;
  }
  [[nodiscard]] bool reads_masks() const { return background || raters || panel || !candidate.empty(); }
};

struct Study {
  std::int64_t cases = 0;          ///< of the cohort
  std::vector<std::int64_t> done;  ///< per run
  std::vector<Section> sections;
  std::optional<PaperTexts> paper = {};
  std::optional<BlandAltman> bland_altman = {};
  std::vector<std::string> missing = {};   ///< cases without a candidate
  std::vector<std::string> failures = {};  ///< sentences: masks that could not be read
  Warnings warnings = {};                  ///< about candidates
};

/// Every section, those without rows included: they say what would make them; of runs of which every label is
/// wanted, the candidate's alone. Throws UsageError where raters
/// are to be compared over cases and their identity was not declared.
Study make_study(const std::vector<OpenRun>& runs, const StudyRequest& request, const ShowProgress& progress);

/// Names of all files that make_study() may have text for.
std::vector<std::string> table_names(const StudyRequest& request);

/// All sections as one page of Markdown.
std::string study_page(const std::vector<OpenRun>& runs, const Study& study);

}  // namespace crema::study
