// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "crema/agreement/study.h"
#include "crema/agreement/table.h"

/// The rows that the program writes as CSV files; docs/agreement.md tells what each column means.
namespace crema {

/// What a case and its raters are called.
struct CaseNames {
  std::string name;
  std::vector<std::string> raters;
};

/// One row per pair of raters.
Table rater_pairs_table(const CaseNames& names, const AgreementStudy& study);

/// One row per consensus and rater.
Table raters_table(const CaseNames& names, const AgreementStudy& study);

/// One row per consensus, component and rater. Components are numbered from 1.
Table components_table(const CaseNames& names, const Reduction& reduction, const AgreementStudy& study);

/// One row per place to look at again, the most rewarding first.
Table review_table(const CaseNames& names, const Reduction& reduction, const ConsensusStudy& study);

/// The legend of the map of subcrown rows: one row for each of them, numbered from 1 through all components.
Table rows_table(const CaseNames& names, const Reduction& reduction, std::span<const ConsensusStudy> studies);

/// "12:20 3:9 0:4": from the first voxel to the one behind the last, along x, y and z.
std::string box_text(const Box& box);

/// The names of some raters, separated by semicolons.
std::string names_text(Raters raters, std::span<const std::string> names);

}  // namespace crema
