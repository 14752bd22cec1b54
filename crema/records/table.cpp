// SPDX-License-Identifier: Apache-2.0
#include "crema/records/table.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/base/utf8.h"

namespace crema {
namespace {

/// Spreadsheets run a text that begins like this as a formula.
bool like_formula(const std::string& text) {
  return !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
}

std::string field(const std::string& raw) {
  std::string text = valid_utf8(raw);
  if (like_formula(text)) text.insert(0, 1, '\'');
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string field(std::int64_t number) { return fmt::format("{}", number); }
std::string field(double number) { return fmt::format("{}", number); }
std::string field(bool truth) { return truth ? "true" : "false"; }
std::string field(Undefined) { return ""; }

}  // namespace

Cell::Cell(std::string text) : content_(std::move(text)) {}
Cell::Cell(std::string_view text) : content_(std::string(text)) {}
Cell::Cell(const char* text) : content_(std::string(text)) {}
Cell::Cell(std::int64_t number) : content_(number) {}
Cell::Cell(double number) : content_(number) {}
Cell::Cell(bool truth) : content_(truth) {}
Cell::Cell(Undefined reason) : content_(reason) {}
Cell::Cell(const Cell& other) = default;
Cell::Cell(Cell&& other) noexcept = default;
Cell& Cell::operator=(const Cell& other) = default;
Cell& Cell::operator=(Cell&& other) noexcept = default;
Cell::~Cell() = default;

Cell cell(const Measured& measure) {
  if (measure.defined()) return *measure;
  return *measure.reason();
}

std::string valid_utf8(std::string_view text) {
  std::string valid;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text.substr(at));
    valid += length == 0 ? std::string_view("\uFFFD") : text.substr(at, length);
    at += length == 0 ? 1 : length;
  }
  return valid;
}

std::string csv_text(const Table& table) { return csv_header(table.columns) + csv_rows(table.rows); }

std::string csv_header(const std::vector<std::string>& columns) {
  std::string text;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (c > 0) text += ',';
    text += field(columns[c]);
  }
  return text + "\r\n";
}

std::string csv_rows(const std::vector<std::vector<Cell>>& rows) {
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) text += ',';
      text += std::visit([](const auto& held) { return field(held); }, row[c].content());
    }
    text += "\r\n";
  }
  return text;
}

void drop_column(Table& table, std::string_view name) {
  const auto found = std::find(table.columns.begin(), table.columns.end(), name);
  if (found == table.columns.end()) return;
  const auto at = found - table.columns.begin();
  table.columns.erase(found);
  for (auto& row : table.rows) row.erase(row.begin() + at);
}

Table stack(std::vector<Table> tables) {
  Table all;
  for (Table& table : tables) {
    if (all.columns.empty()) all.columns = std::move(table.columns);
    for (auto& row : table.rows) all.rows.push_back(std::move(row));
  }
  return all;
}

}  // namespace crema
