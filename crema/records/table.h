// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "crema/agreement/measured.h"

namespace crema {

/// What stands in one place of a table: a text, a whole number, a number, a truth, or nothing and why.
class Cell {
 public:
  using Content = std::variant<std::string, std::int64_t, double, bool, Undefined>;

  Cell(std::string text);       // NOLINT: whatever can stand in a table is a cell
  Cell(std::string_view text);  // NOLINT
  Cell(const char* text);       // NOLINT
  Cell(std::int64_t number);    // NOLINT
  Cell(double number);          // NOLINT
  Cell(bool truth);             // NOLINT
  Cell(Undefined reason);       // NOLINT
  // Not inline: GCC 12 takes a copied variant with a text in it for uninitialised.
  Cell(const Cell& other);
  Cell(Cell&& other) noexcept;
  Cell& operator=(const Cell& other);
  Cell& operator=(Cell&& other) noexcept;
  ~Cell();

  [[nodiscard]] const Content& content() const { return content_; }
  friend bool operator==(const Cell&, const Cell&) = default;

 private:
  Content content_;
};

/// The value or the reason of a measure.
Cell cell(const Measured& measure);

/// Rows that all have as many cells as there are columns.
struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;
};

/// RFC 4180 in UTF-8, with a header: numbers read back as the same numbers, truths are true and false, what
/// is undefined is an empty field. Bytes that are not UTF-8 are replaced. A text that a spreadsheet would
/// run, because it begins with =, +, -, @, a tab or a carriage return, begins with an apostrophe instead.
std::string csv_text(const Table& table);
/// Its parts, for tables that are written piece by piece.
std::string csv_header(const std::vector<std::string>& columns);
std::string csv_rows(const std::vector<std::vector<Cell>>& rows);

/// The same text with U+FFFD in place of what is not UTF-8.
std::string valid_utf8(std::string_view text);

/// Does nothing where there is no column of that name.
void drop_column(Table& table, std::string_view name);

/// Several of them, whose columns are the same, one below the other.
Table stack(std::vector<Table> tables);

}  // namespace crema
