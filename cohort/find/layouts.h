// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cohort/find/selection.h"

namespace crema::cohort {

/// What cases there are; those among them whose folder cannot be read say so. Throws NothingFound where there
/// is none, InputError where the layout could be one or the other.
Cohort find_cohort(const Where& where);

}  // namespace crema::cohort
