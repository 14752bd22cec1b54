// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cohort/merge/merge.h"
#include "cohort/merge/overview_builder.h"

namespace crema::cohort {

/// The tables of a whole run while they grow.
class TableFiles {
 public:
  TableFiles(const ReadyRun& ready, TableChoice choice, files::StagedSet& staged);

  [[nodiscard]] bool has(std::size_t table) const { return files_[table].has_value(); }
  void append(std::size_t table, std::string_view rows);
  /// Writes what waits in memory.
  void flush();
  /// The names of those that are written.
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  files::StagedSet& staged_;
  std::array<std::optional<std::size_t>, kTableFiles> files_{};  ///< none: not written
  std::array<std::string, kTableFiles> rows_;
};

/// What is reported of all cases, one by one.
class MergedRun {
 public:
  MergedRun(const ReadyRun& ready, const MergeOptions& options, std::int64_t cases);

  /// In the order of their names.
  void add(const CaseDigest& one);
  /// Puts the page behind the tables and gives all of them their names; older tables that are not among them
  /// go.
  MergeReport publish(TableFiles& tables, files::StagedSet& staged);

  [[nodiscard]] TableChoice choice() const { return report_.choice; }

 private:
  const ReadyRun& ready_;
  const MergeOptions& options_;
  OverviewBuilder overview_;
  Summariser summariser_;
  MergeReport report_;
};

}  // namespace crema::cohort
