// SPDX-License-Identifier: Apache-2.0
// A case whose files hold several labels.
#pragma once

#include "cohort/case_tables.h"
#include "cohort/one_case.h"
#include "raters/labels.h"

namespace crema::cohort {

/// Such a case, fused: tables of each label in the consensus that all of them share.
struct LabelCaseMade {
  raters::LabelCase counted;
  std::vector<raters::LabelOutcome> outcomes;
  CaseTables tables;
  Warnings warnings;
  std::vector<MethodTimes> times;  ///< per method; writing is known once images are put
};

/// What a label is called in tables: its name, or its number where it has none.
std::string label_name(const Structure& structure);

/// One label's counts on the whole image, where measures of agreement know their background.
Reduction reduce_label(const raters::LabelCase& counted, std::size_t structure);

/// Some cases of a cohort lack what others have: no label needs to occur in each.
Settings for_one_case(Settings settings);

/// `raters` are the names of a case's raters.
LabelCaseMade fuse_label_case(const RunContext& run, const CohortCase& one, const Settings& settings,
                              std::vector<std::string> raters);

/// One label map for each method, and the levels of soft ones, one map for each label.
void put_label_images(const RunContext& run, const CohortCase& one, LabelCaseMade& made,
                      files::StagedSet& staged);

}  // namespace crema::cohort
