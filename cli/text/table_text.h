// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "crema/agreement/measured.h"

/// Tables for a terminal.
namespace crema::cli {

using Cells = std::vector<std::string>;

/// Letters as they stand in a column: what continues a letter of UTF-8 takes no room.
std::size_t width_of(const std::string& text);

/// Rows of cells, names to the left, numbers ending below each other; a row of one cell is a heading. The
/// first `names` columns are names.
std::string table(const std::vector<Cells>& rows, std::size_t names = 1);

/// A number with so many decimals, or a dash where there is none.
std::string decimals(const Measured& measure, int places);

/// At most `width` letters, with an ellipsis in the middle of what is longer.
std::string shortened(const std::string& text, std::size_t width);

/// Names of raters for narrow columns: without endings of image files where they stay apart, at most `width`
/// letters, with an ellipsis in the middle of longer ones; those that would look alike get their number.
std::vector<std::string> narrow_names(const std::vector<std::string>& names, std::size_t width);

}  // namespace crema::cli
