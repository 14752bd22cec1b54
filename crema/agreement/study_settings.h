// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "crema/agreement/study.h"

/// What a study of agreement is asked, in the words of people. The program and the package both go this way.
namespace crema {

inline constexpr std::string_view kHd95Words = "max|pooled|area", kLeaveOutWords = "fixed|exact",
                                  kStudyRegionWords = "full|box|union";

/// Sets one from text: tolerance, hd95, region, margin, leave_one_out, bootstrap, seed. Throws UsageError
/// that does not name it.
void set_study(StudyOptions& asked, std::string_view name, std::string_view text);

/// Throws UsageError on what does not go together.
void check_study(const StudyOptions& asked, bool seed_given);

}  // namespace crema
