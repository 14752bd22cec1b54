// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/cohort/statistics.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/shell/progress.h"
#include "files/staged.h"
#include "report/cohort/page.h"
#include "study/study.h"

namespace crema::cli {
namespace {

report::StatisticsTable table_of(const study::Study& result, std::string_view label,
                                 std::vector<std::string>& notes) {
  for (const study::Section& section : result.sections) {
    if (section.label != label) continue;
    notes.insert(notes.end(), section.missing.begin(), section.missing.end());
    return {section.text, section.table};
  }
  return {};
}

std::string size_words(const std::string& unit) {
  return fmt::format("{} of the raters, {}",
                     unit == "mm³"   ? "volume"
                     : unit == "mm²" ? "area"
                                     : "size",
                     unit);
}

report::CohortStatistics statistics_of(const cohort::RunFolder& folder, const std::string& label,
                                       const StatisticsOptions& options, Session& session) {
  Progress progress(session.quiet ? Show::never : Show::on_terminal);
  const study::StudyRequest wanted{
      .identity = options.persist ? study::Identity::persists : study::Identity::unknown,
      .raters = options.persist,
      .panel = options.panel};
  const study::Study result = study::make_study(
      study::open_runs({folder.path}, label), wanted, [&](std::size_t done, std::size_t all) {
        progress.update("masks", static_cast<double>(done) / static_cast<double>(all));
      });
  progress.erase();
  report::CohortStatistics statistics{.label = label};
  statistics.effects = table_of(result, "effects", statistics.notes);
  statistics.limits = table_of(result, "loam", statistics.notes);
  statistics.panel = table_of(result, "panel", statistics.notes);
  std::sort(statistics.notes.begin(), statistics.notes.end());
  statistics.notes.erase(std::unique(statistics.notes.begin(), statistics.notes.end()),
                         statistics.notes.end());
  if (result.bland_altman) statistics.agreement = plot_of(*result.bland_altman);
  for (const std::string& sentence : result.failures) {
    statistics.notes.push_back(sentence);
    session.warnings.push_back({sentence, WarningKind::left_out});
  }
  return statistics;
}

}  // namespace

plot::AgreementPlot plot_of(const study::BlandAltman& found) {
  plot::AgreementPlot plot{.title = "Sizes: each rater minus the mean of all raters of the case",
                           .x_name = fmt::format("mean {}", size_words(found.unit)),
                           .y_name = fmt::format("rater minus mean, {}", found.unit),
                           .points = {},
                           .limit = found.limit,
                           .raters = found.raters};
  for (const study::BlandAltman::Point& point : found.points)
    plot.points.push_back({point.mean, point.difference, point.rater});
  return plot;
}

void add_statistics_options(Parser& app, StatisticsOptions& options) {
  add_flag(app,
           {"--raters-persist", "",
            "Declare that a rater's name means the same person in every case; adds rater effects and limits "
            "of agreement to the page. Reads the masks again.",
            "Page"},
           options.persist);
  add_flag(app,
           {"--panel", "", "Show on the page how many raters are enough. Reads the masks again.", "Page"},
           options.panel);
}

cohort::PageMaker PageWriter::maker() {
  return [this](const cohort::Overview& overview) {
    overview_ = overview;
    return report::make_cohort_page(overview);
  };
}

void PageWriter::add_statistics(const cohort::RunFolder& folder, const std::filesystem::path& work,
                                const StatisticsOptions& options, Session& session) const {
  if (!options.wanted() || !overview_) return;
  std::vector<report::CohortStatistics> statistics;
  for (const cohort::LabelSpreads& one : overview_->spreads)
    statistics.push_back(statistics_of(folder, one.label, options, session));
  files::StagedSet staged(work / "page");
  staged.put_text(folder.page(), report::make_cohort_page(*overview_, statistics));
  staged.publish();
}

}  // namespace crema::cli
