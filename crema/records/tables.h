// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crema/agreement/measures.h"
#include "crema/records/case_names.h"

/// The tables of a case, each a list of columns over rows; docs/tables.md is made from them.
namespace crema {

/// Two raters.
struct PairRow {
  const CaseNames& names;
  const AgreementStudy& study;
  std::size_t pair;
};
Columns<PairRow> rater_pair_columns(const CaseNames& names);
std::vector<PairRow> pair_rows(const CaseNames& names, const AgreementStudy& study);
Table rater_pairs_table(const CaseNames& names, const AgreementStudy& study);

/// A rater beside a consensus.
struct RaterRow {
  const CaseNames& names;
  const AgreementStudy& study;
  const ConsensusStudy& consensus;
  std::size_t rater;
};
Columns<RaterRow> rater_columns(const CaseNames& names);
std::vector<RaterRow> rater_rows(const CaseNames& names, const AgreementStudy& study,
                                 const ConsensusStudy& consensus);
Table raters_table(const CaseNames& names, const AgreementStudy& study);

/// A consensus in one component. Components are numbered from 1.
struct ComponentRow {
  const CaseNames& names;
  const Reduction& reduction;
  const ConsensusStudy& consensus;
  std::size_t component;
};
Columns<ComponentRow> component_columns(const CaseNames& names);
Table components_table(const CaseNames& names, const Reduction& reduction, const AgreementStudy& study);

/// A rater beside a consensus in one component.
struct ComponentRaterRow {
  const CaseNames& names;
  const ConsensusStudy& consensus;
  const std::vector<ComponentOverlap>& overlaps;  ///< of the component, per rater
  std::size_t component, rater;
};
Columns<ComponentRaterRow> component_rater_columns(const CaseNames& names);
Table component_raters_table(const CaseNames& names, const Reduction& reduction, const AgreementStudy& study);

/// The same as CSV, their headers and their rows, of which `write` takes one piece after the other: a million
/// components are never held.
using WritePiece = std::function<void(std::string_view)>;
std::string components_header(const CaseNames& names);
void write_components_table(const CaseNames& names, const Reduction& reduction, const AgreementStudy& study,
                            const WritePiece& write);
std::string component_raters_header(const CaseNames& names);
void write_component_raters_table(const CaseNames& names, const Reduction& reduction,
                                  const AgreementStudy& study, const WritePiece& write);

/// A decision to look at again, the most rewarding first.
struct ReviewRow {
  const CaseNames& names;
  const Reduction& reduction;
  const ConsensusStudy& consensus;
  std::size_t place;
};
Columns<ReviewRow> review_columns(const CaseNames& names);
Table review_table(const CaseNames& names, const Reduction& reduction, const ConsensusStudy& study);

/// A row of the map of subcrowns, numbered from 1 through all components.
struct SubcrownRow {
  const CaseNames& names;
  const Reduction& reduction;
  std::span<const ConsensusStudy> consensuses;
  std::size_t component, row;
  std::int64_t number;
};
Columns<SubcrownRow> subcrown_columns(const CaseNames& names, std::span<const ConsensusStudy> consensuses);
Table rows_table(const CaseNames& names, const Reduction& reduction,
                 std::span<const ConsensusStudy> consensuses);

/// "12:20 3:9 0:4": from the first voxel to the one behind the last, along x, y and z.
std::string box_text(const Box& box);

/// The names of some raters, separated by semicolons.
std::string names_text(Raters raters, std::span<const std::string> names);

}  // namespace crema
