// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cohort/merge/overview.h"
#include "report/cohort/statistics.h"

namespace crema::report {

/// All cases of a run as one HTML file, to lie in the folder of the run: links lead from there.
std::string make_cohort_page(const cohort::Overview& overview,
                             const std::vector<CohortStatistics>& statistics = {});

/// Beyond so many, the page shows those on which raters agree least; the tables beside it have all.
inline constexpr std::size_t kMaxListedCases = cohort::Overview::kMaxCases, kMaxRatersShown = 64;

}  // namespace crema::report
