// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crema/base/csv.h"

namespace crema::study {

/// A table of a run, read row by row and never held: its rows stand together by case.
class TableStream {
 public:
  /// Reads the header. Throws InputError where there is none, or no column "case". Rows of other labels than
  /// `label` are passed over, if it is not empty; those of none are kept.
  explicit TableStream(const std::filesystem::path& path, std::string label = "");
  TableStream(const TableStream&) = delete;
  TableStream& operator=(const TableStream&) = delete;

  /// Where a column stands. Throws InputError that names the table where it has none of that name.
  [[nodiscard]] std::size_t column(std::string_view name) const;

  /// Moves to the next row if it is of that case.
  bool next_of(std::string_view name);
  /// Moves to the next row of whatever case.
  bool next();
  /// Passes over cases that come before that one by their names.
  void skip_before(std::string_view name);

  [[nodiscard]] const std::string& text(std::size_t column) const { return row_[column]; }
  /// None where the field is empty. Throws InputError where it is no number.
  [[nodiscard]] std::optional<double> number(std::size_t column) const;
  /// Throws InputError where the field is empty.
  [[nodiscard]] double value(std::size_t column) const;

  /// Throws InputError where a row is left: it is of no case that cases.csv has at its place.
  void check_end() const;

 private:
  [[noreturn]] void refuse(const std::string& what) const;
  bool fill();
  void read_ahead();
  bool read_row();

  std::filesystem::path path_;
  std::ifstream file_;
  std::string block_, rest_;  ///< whole rows, and the begin of the next
  std::optional<CsvReader> reader_;
  std::vector<std::string> columns_, row_, ahead_;
  std::size_t case_ = 0, label_column_ = 0;
  std::string label_;
  bool more_ = true;
};

}  // namespace crema::study
