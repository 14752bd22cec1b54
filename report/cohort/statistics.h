// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "crema/records/table.h"
#include "plot/bland_altman.h"

namespace crema::report {

/// A table of `crema study`, and what its numbers are.
struct StatisticsTable {
  std::string text;
  Table table = {};  ///< without rows: it was not made
};

/// Statistics over cases, of masks or of one label; docs/statistics.md defines each.
struct CohortStatistics {
  std::string label;  ///< empty where raters gave masks
  StatisticsTable effects, limits, panel;
  std::optional<plot::AgreementPlot> agreement = {};  ///< volumes
  std::vector<std::string> notes = {};                ///< sentences: what is missing, and why
};

/// Pictures with their numbers beside; empty where there is nothing.
std::string statistics_section(const std::vector<CohortStatistics>& statistics);

}  // namespace crema::report
