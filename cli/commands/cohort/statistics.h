// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "cli/options/options.h"
#include "cli/shell/command.h"
#include "cohort/merge/merge.h"
#include "plot/bland_altman.h"
#include "study/rater_study.h"

namespace crema::cli {

/// What a cohort's page says of raters over cases; masks are read again for it.
struct StatisticsOptions {
  bool persist = false, panel = false;

  [[nodiscard]] bool wanted() const { return persist || panel; }
};
/// --raters-persist and --panel.
void add_statistics_options(Parser& app, StatisticsOptions& options);

/// The sizes of raters beside the mean of their case; `size` is what they are, with the unit.
plot::AgreementPlot plot_of(const study::BlandAltman& found);

/// Makes the page of a merge, and keeps what it was made of.
class PageWriter {
 public:
  /// For MergeOptions; to be used while this lives.
  [[nodiscard]] cohort::PageMaker maker();

  /// Makes the page again with statistics, where they are wanted, of the tables that the merge has written.
  void add_statistics(const cohort::RunFolder& folder, const std::filesystem::path& work,
                      const StatisticsOptions& options, Session& session) const;

 private:
  std::optional<cohort::Overview> overview_;
};

}  // namespace crema::cli
