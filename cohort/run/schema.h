// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cohort/run/case_tables.h"

namespace crema::cohort {

/// schema.json: the columns of every table of a run with their types, which do not depend on the data.
std::string schema_text(Structures structures);

}  // namespace crema::cohort
