// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cohort/overview.h"

namespace crema::report {

/// All cases of a run as one HTML file, to lie in the folder of the run: links lead from there.
std::string make_cohort_page(const cohort::Overview& overview);

/// Beyond so many, the page shows those on which raters agree least; the tables beside it have all.
inline constexpr std::size_t kMostCases = 2000, kMostRaters = 64;

}  // namespace crema::report
