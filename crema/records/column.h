// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "crema/records/table.h"

namespace crema {

/// How a column stands in tables for people.
struct Shown {
  std::string_view heading;  ///< empty: by its name
  int places = 0;            ///< digits behind the point
};

/// A column of a table: CSV files, records, terminal, pages and docs/tables.md are made from it.
template <class Row>
struct Column {
  std::string name;
  std::string text;  ///< what it holds, for docs/tables.md
  std::function<Cell(const Row&)> cell;
  Shown shown = {};
};

template <class Row>
using Columns = std::vector<Column<Row>>;

template <class Row>
void append(Columns<Row>& columns, Columns<Row> more) {
  for (Column<Row>& column : more) columns.push_back(std::move(column));
}

/// A column without its rows: for docs/tables.md, and for files that are begun before there is a row.
struct ColumnText {
  std::string name, text;
};

template <class Row>
std::vector<ColumnText> texts_of(const Columns<Row>& columns) {
  std::vector<ColumnText> texts;
  for (const Column<Row>& column : columns) texts.push_back({column.name, column.text});
  return texts;
}

template <class Row>
Table begin_table(const Columns<Row>& columns) {
  Table table;
  for (const Column<Row>& column : columns) table.columns.push_back(column.name);
  return table;
}

template <class Row>
std::vector<Cell> cells_of(const Columns<Row>& columns, const Row& row) {
  std::vector<Cell> cells;
  cells.reserve(columns.size());
  for (const Column<Row>& column : columns) cells.push_back(column.cell(row));
  return cells;
}

template <class Row>
Table table_of(const Columns<Row>& columns, const std::vector<Row>& rows) {
  Table table = begin_table(columns);
  for (const Row& row : rows) table.rows.push_back(cells_of(columns, row));
  return table;
}

/// Throws std::logic_error where there is none of that name.
template <class Row>
const Column<Row>& find_column(const Columns<Row>& columns, std::string_view name) {
  for (const Column<Row>& column : columns)
    if (column.name == name) return column;
  throw std::logic_error("a table has no column " + std::string(name));
}

}  // namespace crema
