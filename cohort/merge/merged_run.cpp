// SPDX-License-Identifier: Apache-2.0
#include "cohort/merge/merged_run.h"

#include "cohort/merge/case_rows.h"

namespace crema::cohort {
namespace {

/// A row for each case and method at most.
bool is_small(std::size_t table) {
  const std::string_view name = table_name(table);
  return name == "cases" || name == "methods" || name == "failures" || name == "joint";
}

std::string file_name(std::size_t table) { return std::string(table_name(table)) + ".csv"; }

}  // namespace

TableFiles::TableFiles(const ReadyRun& ready, TableChoice choice, files::StagedSet& staged)
    : staged_(staged) {
  for (std::size_t t = 0; t < kTableFiles; ++t) {
    const std::string header = table_header(t, structures_of(ready));
    const bool wanted = choice == TableChoice::full || (choice == TableChoice::summary && is_small(t));
    if (header.empty() || !wanted) continue;
    files_[t] = staged.begin_text(ready.folder.path / file_name(t));
    staged.append(*files_[t], header);
  }
}

void TableFiles::append(std::size_t table, std::string_view rows) {
  constexpr std::size_t kLarge = 1 << 20;
  if (!files_[table]) return;
  rows_[table] += rows;
  if (rows_[table].size() < kLarge) return;
  staged_.append(*files_[table], rows_[table]);
  rows_[table].clear();
}

void TableFiles::flush() {
  for (std::size_t t = 0; t < kTableFiles; ++t)
    if (files_[t] && !rows_[t].empty()) {
      staged_.append(*files_[t], rows_[t]);
      rows_[t].clear();
    }
}

std::vector<std::string> TableFiles::names() const {
  std::vector<std::string> names;
  for (std::size_t t = 0; t < kTableFiles; ++t)
    if (files_[t]) names.emplace_back(table_name(t));
  return names;
}

MergedRun::MergedRun(const ReadyRun& ready, const MergeOptions& options, std::int64_t cases)
    : ready_(ready), options_(options), overview_(ready) {
  report_.because_many = options.tables == TableChoice::automatic && cases > kManyCases;
  report_.choice = options.tables != TableChoice::automatic ? options.tables
                   : report_.because_many                   ? TableChoice::summary
                                                            : TableChoice::full;
}

void MergedRun::add(const CaseDigest& one) {
  using enum CaseState::Kind;
  report_.done += one.kind == done ? 1U : 0U;
  report_.failed += one.kind == failed ? 1U : 0U;
  report_.missing += one.kind == missing ? 1U : 0U;
  report_.away += one.kind == done && one.failure ? 1U : 0U;
  if (one.failure && report_.failures.size() < MergeReport::kListed)
    report_.failures.push_back({one.name, *one.failure});
  count_kinds(one, report_.kinds);
  summariser_.add(one.measures);
  if (options_.page) overview_.add(one);
}

MergeReport MergedRun::publish(TableFiles& tables, files::StagedSet& staged) {
  tables.flush();
  report_.tables = tables.names();
  report_.methods = summariser_.summaries();
  report_.unit = summariser_.unit();
  report_.page = static_cast<bool>(options_.page);
  if (report_.page)
    staged.put_text(ready_.folder.page(), options_.page(overview_.finish(summariser_, report_.tables)));
  staged.publish();
  std::error_code ignored;
  for (std::size_t t = 0; t < kTableFiles; ++t)  // of an older merge
    if (!tables.has(t)) std::filesystem::remove(ready_.folder.path / file_name(t), ignored);
  return std::move(report_);
}

}  // namespace crema::cohort
