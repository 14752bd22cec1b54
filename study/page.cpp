// SPDX-License-Identifier: Apache-2.0
#include "study/page.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace crema::study {
namespace {

constexpr std::array<std::string_view, 2> kCounts{"_cases", "_lesions"};
constexpr std::array<std::string_view, 7> kTelling{"paper_name", "blocks", "empty_test", "connectivity",
                                                   "slice_wise", "prior",  "region"};

bool is_count(std::string_view column) {
  return column == "cases" || std::any_of(kCounts.begin(), kCounts.end(),
                                          [&](std::string_view end) { return column.ends_with(end); });
}

bool varies(const Table& table, std::size_t column) {
  if (std::find(kTelling.begin(), kTelling.end(), table.columns[column]) == kTelling.end()) return true;
  return std::any_of(table.rows.begin(), table.rows.end(),
                     [&](const auto& row) { return row[column] != table.rows.front()[column]; });
}

/// Where the number of cases behind a column stands.
std::size_t count_column(const Table& table, std::size_t column) {
  const auto place = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(table.columns.begin(), table.columns.end(), name) -
                                    table.columns.begin());
  };
  for (const std::string_view end : kCounts)
    if (const std::size_t found = place(table.columns[column] + std::string(end));
        found < table.columns.size())
      return found;
  return place("cases");
}

/// Bars and line feeds would end a cell.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : valid_utf8(text)) result += c == '|' ? "\\|" : c == '\n' ? " " : std::string(1, c);
  return result;
}

std::string shown(const Cell& cell) {
  const Cell::Content& content = cell.content();
  if (const auto* text = std::get_if<std::string>(&content)) return escaped(*text);
  if (const auto* whole = std::get_if<std::int64_t>(&content)) return fmt::format("{}", *whole);
  if (const auto* truth = std::get_if<bool>(&content)) return *truth ? "true" : "false";
  if (const auto* number = std::get_if<double>(&content)) return fmt::format("{:.4g}", *number);
  return "–";
}

std::string shown_with_count(const Table& table, const std::vector<Cell>& row, std::size_t column) {
  std::string text = shown(row[column]);
  const std::size_t count = count_column(table, column);
  if (std::holds_alternative<std::string>(row[column].content()) || count >= row.size()) return text;
  return fmt::format("{} ({})", text, shown(row[count]));
}

}  // namespace

std::string markdown(const Table& table) {
  std::string head = "|", rule = "|", rows;
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    if (!is_count(table.columns[c]) && varies(table, c)) columns.push_back(c);
  for (const std::size_t c : columns) {
    head += fmt::format(" {} |", escaped(table.columns[c]));
    rule += "---|";
  }
  for (const auto& row : table.rows) {
    rows += '|';
    for (const std::size_t c : columns) rows += fmt::format(" {} |", shown_with_count(table, row, c));
    rows += '\n';
  }
  return head + "\n" + rule + "\n" + rows;
}

std::string page(const std::string& head, const std::vector<Section>& sections) {
  std::string text = head;
  for (const Section& section : sections) {
    if (!section.on_page) continue;
    text += fmt::format("\n## {}: {}\n", section.label, section.title);
    if (!section.table.rows.empty()) text += fmt::format("\n{}\n\n{}", section.text, markdown(section.table));
    for (const std::string& missing : section.missing) text += fmt::format("\n{}\n", missing);
  }
  return text;
}

}  // namespace crema::study
