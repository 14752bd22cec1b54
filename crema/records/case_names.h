// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "crema/records/column.h"

namespace crema {

/// What a case and its raters are called.
struct CaseNames {
  std::string name;
  std::vector<std::string> raters;
  /// Of the structure, where the case has several: tables then have the column "label" behind "case".
  std::optional<std::string> label = {};
};

/// The columns "case" and, where there are several structures, "label". Rows have `names`.
template <class Row>
Columns<Row> case_columns(const CaseNames& names) {
  Columns<Row> columns{{"case", "the case", [](const Row& row) -> Cell { return row.names.name; }}};
  if (names.label)
    columns.push_back({"label", "the structure", [](const Row& row) -> Cell { return *row.names.label; }});
  return columns;
}

}  // namespace crema
