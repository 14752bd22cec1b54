// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace crema::cohort {

/// What stands in a column of a run's tables, whatever the data: "text", "integer", "number" or "boolean";
/// any of them may be empty. `table` is its name without ending.
std::string_view column_type(std::string_view table, std::string_view column);

}  // namespace crema::cohort
