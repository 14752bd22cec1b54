// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "crema/agreement/compare_methods.h"

namespace crema::cli {

/// One aligned line per method below a header: sizes, kept components, seconds; and the LMSD of each result
/// under every distance, the one that the method minimises marked. Fits 80 columns.
std::string method_tables(const std::vector<MethodRow>& rows);

/// Parts, isolated voxels, and sizes against majority and average.
std::string shape_table(const std::vector<MethodRow>& rows);

/// The two methods whose results differ most, and the two that differ least.
std::string pair_lines(const std::vector<MethodRow>& rows, const std::vector<MethodPair>& pairs);

}  // namespace crema::cli
