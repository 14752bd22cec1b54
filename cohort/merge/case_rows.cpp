// SPDX-License-Identifier: Apache-2.0
#include "cohort/merge/case_rows.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/records/table.h"
#include "files/io/system/regular.h"
#include "raters/read/labels.h"

namespace crema::cohort {
namespace {

namespace fs = std::filesystem;

Cell to_cell(const Json& json) {
  return std::visit(
      [](const auto& held) -> Cell {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, std::string> || std::is_same_v<Held, std::int64_t> ||
                      std::is_same_v<Held, double> || std::is_same_v<Held, bool>)
          return held;
        else
          return Undefined::not_requested;
      },
      json.value());
}

std::vector<Cell> to_cells(const Json& row) {
  std::vector<Cell> cells;
  for (const Json& item : list_in(row)) cells.push_back(to_cell(item));
  return cells;
}

/// Whether rows, their columns first, are of that case and of these columns; none where there are none.
bool fit(const Json::Array& rows, const std::vector<ColumnText>& columns, const std::string& name) {
  if (rows.empty()) return columns.empty();
  const auto same_name = [](const Json& json, const ColumnText& column) {
    return text_in(json) == column.name;
  };
  const Json::Array& header = list_in(rows.front());
  if (!std::equal(header.begin(), header.end(), columns.begin(), columns.end(), same_name)) return false;
  return std::all_of(rows.begin() + 1, rows.end(), [&](const Json& row) {
    const Json::Array& cells = list_in(row);
    return cells.size() == columns.size() && text_in(cells.front()) == name;
  });
}

/// A result has a checksum of itself, which whoever edits it can make again.
void check_tables(const Json& tables, const ReadyRun& ready, const std::string& name) {
  const auto columns = table_columns(structures_of(ready));
  for (std::size_t t = 0; t < kTables.size(); ++t) {
    const Json::Array& rows = list_in(member(tables, kTables[t]));
    if (fit(rows, columns[t], name) && (t > 0 || rows.size() > 1)) continue;
    throw InputError(
        fmt::format("{}: its table {} is not one of this case; the file was edited. Remove that file if the "
                    "case is to be done again.",
                    files::printable(ready.folder.result(name)), kTables[t]));
  }
}

/// `rows` are those of the case's own table, its columns first.
std::string case_rows(const ReadyRun& ready, const CohortCase& one, const Json::Array& rows,
                      const CaseDigest& digest) {
  using enum CaseState::Kind;
  const Structures structures = structures_of(ready);
  const std::ptrdiff_t names = names_in(structures);
  const std::string status = digest.kind == done ? "done" : digest.kind == failed ? "failed" : "missing";
  const std::vector<Cell> known{status, fmt::format("{}", fmt::join(digest.missing, ";"))};
  std::vector<std::vector<Cell>> built;
  for (std::size_t r = 1; r < rows.size(); ++r) built.push_back(to_cells(rows[r]));
  if (digest.kind != done || built.empty()) {
    std::vector<Cell> bare(table_columns(structures).front().size(), Undefined::not_requested);
    bare.front() = one.name;
    bare[static_cast<std::size_t>(names)] = std::ssize(one.raters);
    built = {std::move(bare)};
  }
  for (std::vector<Cell>& cells : built) cells.insert(cells.begin() + names, known.begin(), known.end());
  return csv_rows(built);
}

void add_tables(const Json& tables, CaseRows& all) {
  for (std::size_t t = 1; t < kTables.size(); ++t) {
    const Json::Array& rows = list_in(member(tables, kTables[t]));
    if (rows.empty()) continue;
    std::vector<std::vector<Cell>> cells;
    for (std::size_t r = 1; r < rows.size(); ++r) cells.push_back(to_cells(rows[r]));
    all.rows[t] = csv_rows(cells);
  }
}

std::string times_of(const fs::path& path) {
  try {
    const std::string text = files::read_text(path);
    const std::size_t header = text.find("\r\n");
    return header == std::string::npos ? "" : text.substr(header + 2);
  } catch (const Error&) {
    return "";  // lost with the power; only times
  }
}

}  // namespace

Structures structures_of(const ReadyRun& ready) {
  return raters::wants_labels(ready.request.settings) ? Structures::several : Structures::one;
}

CaseRows read_case_rows(const ReadyRun& ready, const CohortCase& one) {
  CaseRows all;
  CaseDigest& digest = all.digest;
  CaseState state = state_of(ready.folder, one.name, ready.identity);
  digest.name = one.name;
  digest.kind = state.kind;
  digest.missing = missing_raters(ready.cohort, one);
  digest.raters = std::ssize(one.raters);
  const Json& tables = member(state.result, "tables");
  if (state.kind == CaseState::Kind::done) check_tables(tables, ready, one.name);
  all.rows[0] = case_rows(ready, one, list_in(member(tables, "cases")), digest);
  if (state.kind == CaseState::Kind::done) {
    const std::vector<const Method*>& methods = ready.request.methods;
    take_result(digest, state.result, methods.empty() ? "" : methods.front()->name);
    add_tables(tables, all);
    all.rows[kTimes] = times_of(ready.folder.times(one.name));
  }
  // A case that is done has one where its files were away when they were looked for again.
  if (const std::optional<CaseFailure>& failure = state.failure) {
    digest.failure = failure;
    all.rows[kFailures] =
        csv_rows({{one.name, failure->kind, failure->transient(), std::ssize(one.raters), failure->message}});
  }
  for (std::size_t t = 0; t < kTableFiles; ++t) digest.bytes[t] = std::ssize(all.rows[t]);
  return all;
}

std::string_view table_name(std::size_t table) {
  return table == kFailures ? "failures" : table == kTimes ? "times" : kTables[table];
}

std::string table_header(std::size_t table, Structures structures) {
  const std::vector<ColumnText> columns = table == kFailures ? failure_columns()
                                          : table == kTimes  ? time_columns()
                                          : table == 0       ? merged_case_columns(structures)
                                                             : table_columns(structures)[table];
  std::vector<std::string> names;
  for (const ColumnText& column : columns) names.push_back(column.name);
  return names.empty() ? "" : csv_header(names);
}

}  // namespace crema::cohort
