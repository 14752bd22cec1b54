// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "crema/agreement/measures.h"
#include "crema/records/tables.h"

namespace crema::cli {

/// All that people read about how raters agree, in tables of at most 80 columns.
std::string agreement_text(const CaseNames& names, const Reduction& reduction, const AgreementStudy& study);

/// How sure each consensus is: margins, raters left out, bootstrap, places to look at again, and the rule of
/// each component; as far as it was requested.
std::string confidence_text(const CaseNames& names, const Reduction& reduction, const AgreementStudy& study,
                            const ConsensusStudy& one);

/// More pairs or components are summed up: the rest is in the tables.
inline constexpr std::size_t kMaxShownPairs = 45, kMaxShownComponents = 12, kMaxShownDecisions = 8;

}  // namespace crema::cli
