// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crema/agreement/compare_methods.h"
#include "crema/agreement/records.h"
#include "crema/agreement/study.h"
#include "crema/agreement/tables.h"

/// Records of how raters agree and of how methods compare; docs/formats.md has their schema.
namespace crema {

Json agreement_record(const RunFacts& run, const Settings& settings, const Reduction& reduction,
                      const CaseNames& names, const AgreementStudy& study);

Json compare_record(const RunFacts& run, const Settings& settings, const Reduction& reduction,
                    const CaseNames& names, const std::vector<MethodRow>& rows,
                    const std::vector<MethodPair>& pairs);

/// The places to look at again as a markups file of 3D Slicer: one point for each, the most rewarding first.
Json review_markups(const CaseNames& names, const ConsensusStudy& study);

/// One sentence about a suspicion, in JSON's terms: which rater, what may have happened, whom it resembles.
Json to_json(const Suspicion& suspicion, const CaseNames& names);

}  // namespace crema
