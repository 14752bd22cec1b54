// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/cohort_request.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "cli/commands/request.h"
#include "cli/shell/exit.h"
#include "cli/shell/terminal.h"
#include "cli/text/cells.h"
#include "cli/text/summary.h"
#include "cli/text/table.h"
#include "crema/error.h"

namespace crema::cli {
namespace {

constexpr std::string_view kHd95 = "max|pooled|area";
constexpr std::size_t kShown = 8;

/// "4 (anna, ben, carl, dora)", at most a few of them.
std::string named(const std::vector<std::string>& names) {
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i)
    shown.push_back(shortened(printable(names[i]), 30));
  return fmt::format("{} ({}{})", names.size(), fmt::join(shown, ", "), names.size() > kShown ? ", …" : "");
}

std::string_view in_words(cohort::Layout layout) {
  using enum cohort::Layout;
  if (layout == cases) return "a folder for each case, a mask for each rater";
  if (layout == raters) return "a folder for each rater, equally named files";
  return layout == bids ? "a BIDS tree, raters in desc-" : "a manifest";
}

}  // namespace

cohort::Where CohortOptions::where() const {
  cohort::Where where{.data = data, .layout = {}, .only = only};
  if (!layout.empty()) where.layout = static_cast<cohort::Layout>(parse_choice(layout, cohort::kLayouts));
  return where;
}

std::filesystem::path CohortOptions::folder() const { return without_slash(run); }

Taken take_data(CLI::App& app, CohortOptions& options) {
  const Taken data =
      take_text(app,
                {"DATA", "DATA",
                 "A folder of cases, or a manifest: a table with the columns case, rater and path.", "Input"},
                options.data);
  take_choice(app,
              {"--layout", std::string(cohort::kLayouts),
               "How masks lie there (default: it is recognised): a folder for each case, a folder for each "
               "rater, a BIDS tree with raters in desc-, or a manifest.",
               "Input"},
              [&options](const std::string& text) { options.layout = text; });
  take_text(
      app,
      {"--only", "PATTERN",
       "Take only files whose names fit, such as '*_seg.nii.gz'; in quotes, so that the shell leaves it "
       "alone.",
       "Input"},
      options.only);
  return data;
}

void take_run(CLI::App& app, CohortOptions& options) {
  take_text(app, {"RUN", "RUN", "The folder of the run.", "Input"}, options.run).required();
}

void take_run_output(CLI::App& app, CohortOptions& options) {
  take_text(
      app,
      {"-o,--output", "RUN",
       "The folder of the run; made if it is missing. In one that is there, only what is missing or has "
       "changed is done.",
       "Output"},
      options.run)
      .required();
  take_flag(app,
            {"--force,--overwrite", "",
             "Do all cases again where the folder is of another version or of other settings.", "Output"},
            options.force);
}

void take_cohort_request(CLI::App& app, CohortOptions& options) {
  cohort::CohortRequest& request = options.request;
  take_group(app, request.settings, "Input");
  take_group(app, request.settings, "Labels");
  take(app,
       {"-m,--methods", method_choices(),
        "Which methods, separated by commas; paper for the ten of the paper, or all (default: jaccard).",
        "Method"},
       [&request](const std::string& text) { request.methods = parse_methods(text); });
  for (const std::string_view group : {"Method", "Criterion", "Proof", "Estimate"})
    take_group(app, request.settings, group);
  take_settings(app, request.settings, {"threshold_output"});
  take(app,
       {"--surface-tolerance", "MM",
        "Surfaces within so many millimetres agree, for the surface Dice (default: 1).", "Measures"},
       [&request](const std::string& text) { request.study.tolerance = parse_not_negative(text); });
  take_choice(app,
              {"--hd95", std::string(kHd95), "Which 95th percentile, as in crema agreement (default: max).",
               "Measures"},
              [&request](const std::string& text) {
                request.study.hd95 = static_cast<Hd95>(parse_choice(text, kHd95));
              });
  take_flag(app, {"--no-surfaces", "", "Leave surface distances out.", "Measures"}, request.study.surfaces,
            false);
  take_flag(app, {"--no-images", "", "Write tables alone, no consensus.", "Output"}, request.images, false);
  take_flag(
      app,
      {"--report", "",
       "Write a page for each case, report.html in its folder, to which cohort.html leads; it holds the "
       "raters' masks.",
       "Output"},
      request.reports);
  take_group(app, request.settings, "Limits");
}

void take_quiet(CLI::App& app, CohortOptions& options) {
  take_flag(app, {"-q,--quiet", "", "Print errors only.", "Output"}, options.quiet);
}

std::string cohort_text(const cohort::Cohort& found) {
  std::map<std::size_t, std::size_t> by_count;
  std::size_t lacking = 0;
  for (const cohort::CohortCase& one : found.cases) {
    ++by_count[one.raters.size()];
    lacking += one.raters.size() < found.raters.size() ? 1U : 0U;
  }
  std::vector<std::string> names;
  for (std::size_t c = 0; c < std::min(found.cases.size(), kShown + 1); ++c)
    names.push_back(found.cases[c].name);
  std::string text = line("layout", fmt::format("{} ({})", in_words(found.layout), found.reason));
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i)
    shown.push_back(shortened(printable(names[i]), 30));
  text += line("cases", fmt::format("{} ({}{})", found.cases.size(), fmt::join(shown, ", "),
                                    names.size() > kShown ? ", …" : ""));
  text += line("raters", named(found.raters));
  for (const auto& [raters, cases] : by_count)
    if (lacking > 0)
      text += line("", fmt::format("{} case{} with {} of {} raters", cases, cases == 1 ? "" : "s", raters,
                                   found.raters.size()));
  return text;
}

std::string merge_text(const cohort::MergeReport& report, const cohort::RunFolder& folder) {
  std::string text;
  if (!report.methods.empty()) {
    const bool labels = !report.methods.front().label.empty();
    std::vector<Cells> rows{{"method", labels ? "label" : "", "cases", "kept", "volume mm³", "LMSD",
                             "Dice to raters", "size vs majority"}};
    for (const cohort::MethodSummary& one : report.methods)
      rows.push_back({one.method, printable(one.label), fmt::format("{}", one.cases),
                      fmt::format("{:.2f}", one.kept), fmt::format("{:.1f}", one.volume),
                      fmt::format("{:.4f}", one.lmsd),
                      one.overlaps > 0 ? fmt::format("{:.4f}", one.dice) : "–",
                      one.defined > 0 ? fmt::format("{:+.1f} %", one.against_majority) : "–"});
    if (!labels)
      for (Cells& row : rows) row.erase(row.begin() + 1);
    text += "\n" + table(rows, {.width = text_width(Stream::output)}) + "\n";
  }
  text += line("cases", fmt::format("{} done, {} failed, {} still to be done", report.done, report.failed,
                                    report.missing));
  text += line("tables", files::printable(folder.path / "*.csv"));
  if (report.page) text += line("page", files::printable(folder.page()));
  if (report.failures.empty()) return text;
  text += "\nFailed:\n";
  for (const cohort::NamedFailure& one : report.failures)
    text += fmt::format("  {} ({}): {}\n", printable(one.name), one.failure.kind, one.failure.message);
  if (report.failed > report.failures.size())
    text += fmt::format("  and {} more, all in {}\n", report.failed - report.failures.size(),
                        files::printable(folder.path / "failures.csv"));
  return text;
}

int exit_code(const cohort::MergeReport& report) {
  return report.failed + report.missing > 0 ? kPartly : kOk;
}

}  // namespace crema::cli
