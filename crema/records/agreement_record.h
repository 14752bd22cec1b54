// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crema/agreement/measures.h"
#include "crema/records/records.h"
#include "crema/records/tables.h"
#include "crema/records/tables_methods.h"

/// Records of how raters agree and of how methods compare; docs/formats.md has their schema.
namespace crema {

Json agreement_record(const RunFacts& run, const Settings& settings, const Reduction& reduction,
                      const CaseNames& names, const AgreementStudy& study);

Json compare_record(const RunFacts& run, const Settings& settings, const Reduction& reduction,
                    const CaseNames& names, const std::vector<MethodRow>& rows,
                    const std::vector<MethodPair>& pairs);

/// One structure's list of decisions.
struct ReviewedStructure {
  const CaseNames* names;
  const Grid* grid;
  const ConsensusStudy* study;
};

/// The decisions as a markups file of 3D Slicer: a list of points for each structure, the most rewarding
/// first.
Json review_markups(const std::vector<ReviewedStructure>& structures);

/// One sentence about a suspicion, in JSON's terms: which rater, what may have happened, whom it resembles.
Json to_json(const Suspicion& suspicion, const CaseNames& names);

/// How unique a minimiser is, as records have it; null for methods that minimise no distance.
Json uniqueness_json(const std::optional<Uniqueness>& found);

}  // namespace crema
