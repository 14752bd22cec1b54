// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "crema/agreement/compare_methods.h"
#include "files/files.h"

namespace crema::cli {

/// One aligned line per method below a header: sizes, kept components, seconds; and the LMSD of each result
/// under every distance, the one that the method minimises marked. Fits the width.
std::string method_tables(const std::vector<MethodRow>& rows, const files::Header& reference,
                          std::size_t width);

/// Parts, isolated voxels, and sizes against majority and average.
std::string shape_table(const std::vector<MethodRow>& rows, std::size_t width);

/// The two methods whose results differ most, and the two that differ least.
std::string pair_lines(const std::vector<MethodRow>& rows, const std::vector<MethodPair>& pairs);

}  // namespace crema::cli
