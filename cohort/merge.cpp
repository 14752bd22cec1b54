// SPDX-License-Identifier: Apache-2.0
#include "cohort/merge.h"

#include <algorithm>
#include <atomic>

#include <fmt/format.h>

#include "cohort/case_tables.h"
#include "cohort/column.h"
#include "cohort/gather.h"
#include "cohort/manifest.h"
#include "crema/agreement/csv_parts.h"
#include "crema/parallel.h"
#include "raters/labels.h"

namespace crema::cohort {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlock = 512, kFailures = kTables.size(), kTimes = kFailures + 1, kFiles = kTimes + 1;

Cell to_cell(const Json& json) {
  return std::visit(
      [](const auto& held) -> Cell {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, std::string> || std::is_same_v<Held, std::int64_t> ||
                      std::is_same_v<Held, double> || std::is_same_v<Held, bool>)
          return held;
        else
          return Undefined::not_asked;
      },
      json.value());
}

std::vector<Cell> to_cells(const Json& row) {
  std::vector<Cell> cells;
  for (const Json& item : list_in(row)) cells.push_back(to_cell(item));
  return cells;
}

std::string joined(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, ";")); }

/// Columns of cases.csv that tell which row it is: the case, and the label where there are several.
std::ptrdiff_t names_in(bool labels) { return labels ? 2 : 1; }

/// The columns of cases.csv: what is known without a result comes behind the names.
std::vector<std::string> merged_case_columns(bool labels) {
  std::vector<std::string> columns = table_columns(labels).front();
  const auto place = columns.begin() + names_in(labels);
  columns.insert(place, {"status", "missing_raters"});
  return columns;
}

/// One case's part of every table, and what is summed up of it.
struct Part {
  CaseState::Kind kind = CaseState::Kind::missing;
  std::array<std::string, kFiles> rows;
  Json methods, raters;
  CaseFailure failure;
  CaseGlance glance;
};

/// `rows` are those of the case's own table, its columns first.
void add_case_rows(const ReadyRun& ready, const CohortCase& one, const Json::Array& rows, Part& part) {
  const bool labels = raters::wants_labels(ready.request.settings);
  const std::ptrdiff_t names = names_in(labels);
  const std::string status = part.kind == CaseState::Kind::done     ? "done"
                             : part.kind == CaseState::Kind::failed ? "failed"
                                                                    : "missing";
  const std::vector<Cell> known{status, joined(missing_raters(ready.cohort, one))};
  std::vector<std::vector<Cell>> made;
  for (std::size_t r = 1; r < rows.size(); ++r) made.push_back(to_cells(rows[r]));
  if (part.kind != CaseState::Kind::done || made.empty()) {
    std::vector<Cell> bare(table_columns(labels).front().size(), Undefined::not_asked);
    bare.front() = one.name;
    bare[static_cast<std::size_t>(names)] = std::ssize(one.raters);
    made = {std::move(bare)};
  }
  for (std::vector<Cell>& cells : made) cells.insert(cells.begin() + names, known.begin(), known.end());
  part.rows[0] = csv_rows(made);
}

void add_tables(const Json& tables, Part& part) {
  for (std::size_t t = 1; t < kTables.size(); ++t) {
    const Json::Array& rows = list_in(member(tables, kTables[t]));
    if (rows.empty()) continue;
    std::vector<std::vector<Cell>> cells;
    for (std::size_t r = 1; r < rows.size(); ++r) cells.push_back(to_cells(rows[r]));
    part.rows[t] = csv_rows(cells);
  }
  part.methods = member(tables, "methods");
  part.raters = member(tables, "raters");
}

std::string times_of(const fs::path& path) {
  try {
    const std::string text = read_text(path);
    return text.substr(std::min(text.find("\r\n"), text.size() - 2) + 2);
  } catch (const FileError&) {
    return "";  // lost with the power; only times
  }
}

Part read_part(const ReadyRun& ready, const CohortCase& one) {
  using enum CaseState::Kind;
  Part part;
  CaseState state = read_case(ready.folder, one.name);
  if (line_of(member(state.json, "run")) != line_of(ready.identity)) state = {};  // of an older run
  part.kind = state.kind;
  const Json& tables = member(state.json, "tables");
  add_case_rows(ready, one, list_in(member(tables, "cases")), part);
  if (state.kind == done) {
    part.glance = glance_at(member(tables, "cases"));
    part.glance.status = CaseGlance::Status::done;
    add_tables(tables, part);
    part.rows[kTimes] = times_of(ready.folder.times(one.name));
  } else if (state.kind == failed) {
    part.failure = failure_in(state.json);
    part.glance.status = CaseGlance::Status::failed;
    part.glance.failure = part.failure.kind;
    part.glance.reason = part.failure.message;
    part.glance.transient = part.failure.transient();
    part.rows[kFailures] = csv_rows({{one.name, part.failure.kind, part.failure.transient(),
                                      std::ssize(one.raters), part.failure.message}});
  }
  return part;
}

bool add_number(const std::optional<double>& number, double& sum) {
  if (number) sum += *number;
  return number.has_value();
}

MethodSummary& summary_of(std::vector<MethodSummary>& all, std::string_view method, std::string_view label) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const MethodSummary& one) {
    return one.method == method && one.label == label;
  });
  return found != all.end() ? *found
                            : all.emplace_back(MethodSummary{std::string(method), std::string(label)});
}

void sum_up(const Part& part, std::vector<MethodSummary>& all) {
  const Json::Array& rows = list_in(part.methods);
  if (rows.empty()) return;
  const Column name(part.methods, "method"), label(part.methods, "label"), kept(part.methods, "kept"),
      volume(part.methods, "volume_mm3"), distance(part.methods, "distance"),
      against(part.methods, "size_vs_majority_pct");
  for (std::size_t r = 1; r < rows.size(); ++r) {
    MethodSummary& one = summary_of(all, text_in(name.of(rows[r])), text_in(label.of(rows[r])));
    const Column lmsd(part.methods, "lmsd_" + std::string(text_in(distance.of(rows[r]))));
    ++one.cases;
    add_number(kept.number(rows[r]), one.kept);
    add_number(volume.number(rows[r]), one.volume);
    add_number(lmsd.number(rows[r]), one.lmsd);
    one.defined += add_number(against.number(rows[r]), one.against_majority) ? 1 : 0;
  }
  const Column method_of(part.raters, "method"), part_of(part.raters, "label"), dice(part.raters, "dice");
  for (std::size_t r = 1; r < list_in(part.raters).size(); ++r) {
    const Json& row = list_in(part.raters)[r];
    MethodSummary& one = summary_of(all, text_in(method_of.of(row)), text_in(part_of.of(row)));
    one.overlaps += add_number(dice.number(row), one.dice) ? 1 : 0;
  }
}

void take_means(std::vector<MethodSummary>& all) {
  const auto mean = [](double& sum, std::int64_t count) {
    if (count > 0) sum /= static_cast<double>(count);
  };
  for (MethodSummary& one : all) {
    mean(one.kept, one.cases);
    mean(one.volume, one.cases);
    mean(one.lmsd, one.cases);
    mean(one.against_majority, one.defined);
    mean(one.dice, one.overlaps);
  }
}

/// All files of a merge while they grow.
class Tables {
 public:
  Tables(const RunFolder& folder, bool labels, files::StagedSet& staged) : staged_(staged) {
    const auto columns = table_columns(labels);
    for (std::size_t t = 0; t < kFiles; ++t) {
      if (t < kTables.size() && columns[t].empty()) continue;
      const std::string_view name = t == kFailures ? "failures" : t == kTimes ? "times" : kTables[t];
      files_[t] = staged.begin_text(folder.path / (std::string(name) + ".csv"));
    }
    staged.append(*files_[0], csv_header(merged_case_columns(labels)));
    for (std::size_t t = 1; t < kTables.size(); ++t)
      if (files_[t]) staged.append(*files_[t], csv_header(columns[t]));
    staged.append(*files_[kFailures], csv_header({"case", "class", "transient", "raters", "message"}));
    staged.append(*files_[kTimes], csv_header({"case", "method", "read_s", "count_s", "solve_s", "write_s"}));
  }

  void add(const Part& part) {
    for (std::size_t t = 0; t < kFiles; ++t) rows_[t] += part.rows[t];
  }

  void flush() {
    for (std::size_t t = 0; t < kFiles; ++t) {
      if (files_[t]) staged_.append(*files_[t], rows_[t]);
      rows_[t].clear();
    }
  }

 private:
  files::StagedSet& staged_;
  std::array<std::optional<std::size_t>, kFiles> files_{};  ///< none: not written
  std::array<std::string, kFiles> rows_;
};

void count(const Part& part, const CohortCase& one, MergeReport& report) {
  using enum CaseState::Kind;
  report.done += part.kind == done ? 1U : 0U;
  report.failed += part.kind == failed ? 1U : 0U;
  report.missing += part.kind == missing ? 1U : 0U;
  if (part.kind == failed && report.failures.size() < MergeReport::kListed)
    report.failures.push_back({one.name, part.failure});
  sum_up(part, report.methods);
}

}  // namespace

MergeReport merge(const ReadyRun& ready, const fs::path& work, const PageMaker& page) {
  files::StagedSet staged(work / "merge");
  const bool labels = raters::wants_labels(ready.request.settings);
  Tables tables(ready.folder, labels, staged);
  Glancer glancer(ready);
  MergeReport report;
  const std::vector<CohortCase>& cases = ready.cohort.cases;
  for (std::size_t begin = 0; begin < cases.size(); begin += kBlock) {
    std::vector<Part> parts(std::min(kBlock, cases.size() - begin));
    parallel_for(std::ssize(parts), [&](std::int64_t i) {
      const auto p = static_cast<std::size_t>(i);
      parts[p] = read_part(ready, cases[begin + p]);
    });
    for (std::size_t p = 0; p < parts.size(); ++p) {
      tables.add(parts[p]);
      count(parts[p], cases[begin + p], report);
      if (page && !labels)
        glancer.add(cases[begin + p], std::move(parts[p].glance), parts[p].methods, parts[p].raters);
    }
    tables.flush();
  }
  take_means(report.methods);
  report.page = page && !labels;
  if (report.page) staged.put_text(ready.folder.page(), page(glancer.overview()));
  staged.publish();
  std::error_code ignored;
  fs::remove(labels ? ready.folder.page() : ready.folder.path / "joint.csv", ignored);  // of an older run
  return report;
}

Standing standing_of(const ReadyRun& ready) {
  std::atomic<std::size_t> done = 0, failed = 0;
  parallel_pieces(std::ssize(ready.cohort.cases), 256, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t c = begin; c < end; ++c) {
      const std::string& name = ready.cohort.cases[static_cast<std::size_t>(c)].name;
      std::error_code ignored;
      if (fs::exists(ready.folder.result(name), ignored))
        ++done;
      else if (fs::exists(ready.folder.failure(name), ignored))
        ++failed;
    }
  });
  return {done, failed, ready.cohort.cases.size() - done - failed};
}

}  // namespace crema::cohort
