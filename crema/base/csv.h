// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace crema {

/// Reads a table row by row: RFC 4180, with commas, semicolons or tabs between fields, any ends of lines, and
/// a mark of UTF-8 at its start. The text is borrowed.
class CsvReader {
 public:
  CsvReader(std::string_view text, char separator);

  /// The next row that is not empty; false at the end. Throws InputError where a quote is not closed, or more
  /// follows behind one.
  bool next(std::vector<std::string>& fields);

  /// Where the row that was read begins, counted from 1.
  [[nodiscard]] std::int64_t line() const { return line_; }

 private:
  void field(std::string& into);
  void quoted(std::string& into);
  bool end_of_row();

  std::string_view text_;
  std::size_t at_ = 0;
  char separator_;
  std::int64_t line_ = 0, next_line_ = 1;
};

/// The separator that the first line of a table has: a tab, a semicolon or a comma.
char separator_of(std::string_view text);

}  // namespace crema
