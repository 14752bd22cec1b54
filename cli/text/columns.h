// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/text/table.h"
#include "crema/records/column.h"

namespace crema::cli {

/// A cell for people: numbers with so many digits behind the point, a dash where there is none.
std::string shown(const Cell& cell, int places);

/// Whether there is nothing because another unit is the true one.
bool in_another_unit(const Cell& cell);

/// "a|b": the first of these columns whose unit is the true one.
std::vector<std::string_view> alternatives(std::string_view pick);

/// Adds columns of a table, a heading in the first row and one cell in each that follows. Every pick is the
/// name of a column, or several between bars that hold the same in other units.
template <class Row>
void add_columns(std::vector<Cells>& cells, const Columns<Row>& columns, const std::vector<Row>& rows,
                 const std::vector<std::string_view>& picks) {
  for (const std::string_view pick : picks) {
    const Column<Row>* chosen = nullptr;
    for (const std::string_view name : alternatives(pick)) {
      const Column<Row>& column = find_column(columns, name);
      if (chosen == nullptr || (!rows.empty() && in_another_unit(chosen->cell(rows.front()))))
        chosen = &column;
    }
    if (chosen == nullptr) continue;  // a pick names one column at least
    cells.front().emplace_back(chosen->shown.heading.empty() ? chosen->name
                                                             : std::string(chosen->shown.heading));
    for (std::size_t r = 0; r < rows.size(); ++r)
      cells[r + 1].push_back(shown(chosen->cell(rows[r]), chosen->shown.places));
  }
}

}  // namespace crema::cli
