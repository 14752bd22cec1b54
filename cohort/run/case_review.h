// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "crema/agreement/measures.h"
#include "raters/run/run.h"

namespace crema::cohort {

/// So many findings of a case, or of one label of it, are kept; crema agreement --review lists all.
inline constexpr std::size_t kMaxFindings = 25;

/// Whether a method decides component by component, so that there is a criterion to lower.
bool has_findings(const Method& method);

/// Puts the list of decisions of the first method into a study of one structure. Where there is no memory for
/// it the list is left out, with a warning; a case does not fail for it.
void add_findings(const raters::Case& counted, std::size_t structure, AgreementStudy& study,
                  Warnings& warnings);

}  // namespace crema::cohort
