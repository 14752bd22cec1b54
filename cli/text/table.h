// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace crema::cli {

using Cells = std::vector<std::string>;

struct TableStyle {
  std::size_t width = 80;  ///< columns that do not fit into it are shown below the others
  std::size_t gap = 2;     ///< blanks between columns
  std::size_t names = 1;   ///< so many columns at the left are names
};

/// Rows of cells, names to the left, numbers ending below each other; a row of one cell is a heading. Where
/// the table is too wide it becomes several, each with the names.
std::string table(const std::vector<Cells>& rows, const TableStyle& style);

}  // namespace crema::cli
