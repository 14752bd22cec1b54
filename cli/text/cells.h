// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "crema/agreement/measured.h"

/// What stands in a table.
namespace crema::cli {

/// A number with so many decimals, or a dash where there is none.
std::string decimals(const Measured& measure, int places);

/// At most `width` letters, with an ellipsis in the middle of what is longer.
std::string shortened(const std::string& text, std::size_t width);

/// Names of raters for narrow columns: without endings of image files where they stay apart, at most `width`
/// letters, with an ellipsis in the middle of longer ones; those that would look alike get their number.
std::vector<std::string> narrow_names(const std::vector<std::string>& names, std::size_t width);

}  // namespace crema::cli
