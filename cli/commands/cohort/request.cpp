// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/cohort/request.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "cli/commands/cohort/shared.h"
#include "cli/commands/request.h"
#include "cli/shell/exit.h"
#include "cli/shell/terminal.h"
#include "cli/text/cells.h"
#include "cli/text/summary.h"
#include "cli/text/table.h"
#include "crema/base/error.h"
#include "crema/base/text.h"

namespace crema::cli {
namespace {

constexpr std::size_t kShown = 8;

/// "p01: anna, ben" where files of raters are at fault, else "p01".
std::string at_fault(const std::string& name, const std::vector<std::string>& raters) {
  constexpr std::size_t kRaters = 3;
  std::string text = shortened(printable(name), 30);
  for (std::size_t r = 0; r < std::min(raters.size(), kRaters); ++r)
    text += (r == 0 ? ": " : ", ") + shortened(printable(raters[r]), 30);
  return text + (raters.size() > kRaters ? ", …" : "");
}

/// "empty-mask in 3 cases (p01: anna; p07: ben; p12: anna)" for each kind of that severity.
std::string kinds_text(const std::vector<cohort::KindGlance>& kinds, Severity severity,
                       std::string_view name) {
  std::string text;
  for (const cohort::KindGlance& one : kinds) {
    if (severity_of(one.kind) != severity) continue;
    std::vector<std::string> shown;
    for (std::size_t c = 0; c < one.first.size(); ++c) shown.push_back(at_fault(one.first[c], one.raters[c]));
    text += line(text.empty() ? name : "",
                 fmt::format("{} in {} ({}{})", to_string(one.kind), counted(one.cases, "case"),
                             fmt::join(shown, "; "), one.cases > std::ssize(one.first) ? "; …" : ""));
  }
  return text;
}

/// Defects come first, by kind and with their cases; what is said routinely is one line.
std::string warnings_text(const cohort::MergeReport& report) {
  std::int64_t notes = 0, most = 0;
  for (const cohort::KindGlance& one : report.kinds) {
    if (severity_of(one.kind) != Severity::note) continue;
    notes += one.warnings;
    most = std::max(most, one.cases);
  }
  std::string text = kinds_text(report.kinds, Severity::defect, "defects") +
                     kinds_text(report.kinds, Severity::caution, "cautions");
  if (notes > 0)
    text +=
        line("notes", fmt::format("{}, in up to {}", counted(notes, "routine note"), counted(most, "case")));
  return text;
}

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

/// Of the sum of levels, in the unit that is true of all cases.
std::string soft_size(cohort::SizeUnit unit) {
  if (unit == cohort::SizeUnit::cubic_mm) return "soft mm³";
  return unit == cohort::SizeUnit::square_mm ? "soft mm²" : "soft voxels";
}

std::string mean(const cohort::OverCases& over, int places) {
  return over.cases > 0 ? fmt::format("{:.{}f}", over.mean, places) : "–";
}

std::string percent_mean(const cohort::OverCases& over) {
  return over.cases > 0 ? fmt::format("{:+.1f} %", over.mean) : "–";
}

/// One huge ratio moves a mean of ratios at will, but not this.
std::string percent_middle(const cohort::OverCases& over) {
  if (over.cases == 0) return "–";
  return fmt::format("{:+.1f} % ({:+.1f} to {:+.1f})", over.median, over.low, over.high);
}

/// Where they are, and which of them are not there.
std::string tables_text(const cohort::MergeReport& report, const cohort::RunFolder& folder) {
  using enum cohort::TableChoice;
  if (report.choice == none) return line("tables", "none; crema cohort merge --tables full writes them");
  std::string text = line("tables", files::printable(folder.path / "*.csv"));
  if (report.choice == summary)
    text += line("", fmt::format("a summary ({}){}; crema cohort merge --tables full writes all",
                                 fmt::join(report.tables, ", "),
                                 report.because_many ? fmt::format(", because there are more than {} cases",
                                                                   cohort::kManyCases)
                                                     : ""));
  return text;
}

}  // namespace

cohort::Where CohortOptions::where() const {
  cohort::Where where{.data = data, .layout = {}, .only = only, .except = {}, .image = image};
  for (const std::string& pattern : split(except, ','))
    if (!pattern.empty()) where.except.push_back(pattern);
  if (!layout.empty()) where.layout = static_cast<cohort::Layout>(parse_choice(layout, cohort::kLayouts));
  return where;
}

std::filesystem::path CohortOptions::folder() const { return without_slash(run); }

OptionRef add_data_option(Parser& app, CohortOptions& options) {
  const OptionRef data = add_text_option(
      app,
      {"DATA", "DATA",
       "A folder of cases, or a manifest: a table with the columns case, rater (or person) and path.",
       "Input"},
      options.data);
  add_choice_option(app,
                    {"--layout", std::string(cohort::kLayouts),
                     "Layout of DATA (default: detected): a folder for each case, a folder for each rater, a "
                     "BIDS tree with raters in desc-, or a manifest.",
                     "Input"},
                    [&options](const std::string& text) { options.layout = text; });
  take_patterns(app, options);
  return data;
}

void take_patterns(Parser& app, CohortOptions& options) {
  add_text_option(
      app,
      {"--only", "PATTERN",
       "Take only files whose names match, such as '*_seg.nii.gz'; quote it for the shell.", "Input"},
      options.only);
  add_text_option(app,
                  {"--except", "PATTERN,...",
                   "Leave out files whose names match, such as 'ct.nii.gz,*_old.nii.gz'; a pattern with a "
                   "slash matches paths from DATA, such as 'images/*'.",
                   "Input"},
                  options.except);
  add_text_option(app,
                  {"--image", "PATTERN",
                   "The image of a case, such as 'ct.nii.gz': not a rater; recorded in the case's result and "
                   "shown beneath the masks on its page. 'series/{case}' names the folder of a DICOM series.",
                   "Input"},
                  options.image);
}

void add_run_option(Parser& app, CohortOptions& options) {
  add_text_option(app, {"RUN", "RUN", "The folder of the run.", "Input"}, options.run).required();
}

void take_run_output(Parser& app, CohortOptions& options) {
  add_text_option(app,
                  {"-o,--output", "RUN",
                   "The folder of the run; created if missing. In an existing one only missing or changed "
                   "cases are done.",
                   "Output"},
                  options.run)
      .required();
  add_force_option(app, options);
}

void add_force_option(Parser& app, CohortOptions& options) {
  add_flag(app,
           {"--force,--overwrite", "",
            "Continue although the folder is of another version, settings or data; all cases that differ are "
            "done again.",
            "Output"},
           options.force);
}

void take_fusion_groups(Parser& app, Settings& settings) {
  for (const std::string_view group : {"Method", "Criterion", "Proof", "Estimate"})
    add_setting_group(app, settings, group);
}

void take_cohort_request(Parser& app, CohortOptions& options) {
  cohort::CohortRequest& request = options.request;
  request.settings.measured = true;
  request.settings.takes_levels = true;
  request.settings.offers_image = true;
  add_choice_option(
      app,
      {"--missing", std::string(cohort::kMissingWords),
       "Treat a rater without a file for a case as absent (skip, the default) or as an empty mask (empty).",
       "Input"},
      [&request](const std::string& text) {
        request.missing = static_cast<cohort::Missing>(parse_choice(text, cohort::kMissingWords));
      });
  add_setting_group(app, request.settings, "Input");
  add_setting_group(app, request.settings, "Levels");
  add_setting_group(app, request.settings, "Labels");
  take(app,
       {"-m,--methods", method_choices(),
        "Methods, separated by commas; paper for the ten of the paper, or all (default: jaccard).", "Method"},
       [&request](const std::string& text) { request.methods = parse_methods(text); });
  take_fusion_groups(app, request.settings);
  add_settings(app, request.settings, {"threshold_output"});
  add_setting_group(app, request.settings, "Measures");
  add_flag(app, {"--no-images", "", "Write only tables, no images.", "Output"}, request.images, false);
  add_flag(app,
           {"--report", "",
            "Write a page for each case, report.html in its folder, linked from cohort.html; it contains the "
            "raters' masks.",
            "Output"},
           request.reports);
  add_setting_group(app, request.settings, "Limits");
}

void add_quiet_option(Parser& app, CohortOptions& options) {
  add_flag(app, {"-q,--quiet", "", "Print errors only.", "Output"}, options.quiet);
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
  const auto images = std::count_if(found.cases.begin(), found.cases.end(),
                                    [](const cohort::CohortCase& one) { return !one.image.empty(); });
  if (images > 0) text += line("images", "of " + counted(images, "case"));
  for (const auto& [raters, cases] : by_count)
    if (lacking > 0)
      text += line(
          "", fmt::format("{} with {} of {} raters", counted(cases, "case"), raters, found.raters.size()));
  return text;
}

std::string results_text(const cohort::MergeReport& report) {
  std::string text;
  if (!report.methods.empty()) {
    const bool labels = !report.methods.front().label.empty();
    std::vector<Cells> rows{{"method", labels ? "label" : "", "cases", "kept", soft_size(report.unit), "LMSD",
                             "Dice to raters", "size vs majority", "median (quartiles)"}};
    for (const cohort::MethodSummary& one : report.methods)
      rows.push_back({one.method, printable(one.label), fmt::format("{}", one.cases), mean(one.kept, 2),
                      mean(one.size, 1), mean(one.lmsd, 4), mean(one.dice, 4),
                      percent_mean(one.against_majority), percent_middle(one.against_majority)});
    if (!labels)
      for (Cells& row : rows) row.erase(row.begin() + 1);
    text += "\n" +
            table(rows, {.width = text_width(Stream::output), .names = std::size_t{labels ? 2U : 1U}}) +
            "  means over cases in which any rater drew something\n\n";
  }
  text += line("cases", fmt::format("{} done, {} failed, {} still to be done", report.done, report.failed,
                                    report.missing));
  if (report.away > 0)
    text += line(
        "", fmt::format("{} of those done could not be checked again: their files are missing", report.away));
  return text + warnings_text(report);
}

std::string merge_text(const cohort::MergeReport& report, const cohort::RunFolder& folder) {
  std::string text = results_text(report) + tables_text(report, folder);
  if (report.page) text += line("page", files::printable(folder.page()));
  return text + failures_text(report.failures, report.failed + report.away,
                              report.tables.empty()
                                  ? "in failure.json of each case"
                                  : "all in " + files::printable(folder.path / "failures.csv"));
}

int exit_code(const cohort::MergeReport& report) {
  return report.failed + report.missing + report.away > 0 ? kPartly : kOk;
}

}  // namespace crema::cli
