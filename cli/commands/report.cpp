// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/commands/page.h"
#include "cli/shell/exit.h"
#include "cli/shell/output.h"
#include "cli/text/summary.h"
#include "crema/base/error.h"
#include "raters/run/memory.h"
#include "raters/run/stopwatch.h"

namespace crema::cli {
namespace {

constexpr std::string_view kReportDescription =
    "Writes one HTML file that opens with a double click, without network or installation. It shows where "
    "raters disagree and what the consensus keeps, and why: a slice viewer, tables of raters, components and "
    "methods, decisions worth a second look, text for a paper, and the provenance of all numbers.\n\n"
    "The page is about the first method; the others are shown for comparison. With --labels it begins with "
    "all labels side by side and how conflicts between them were settled, then shows one label at a time. "
    "The page contains the raters' masks and, with --image, the image around them: protect it as you protect "
    "those.";

struct ReportRequest : Request {
  PageRequest page;
  std::vector<const Method*> methods = {};  ///< empty: those for masks, or for levels
};

int run_report(ReportRequest request, Session& session) {
  const raters::Stopwatch watch;
  std::optional<raters::GreyFile> image;
  request.settings.offers_image = true;
  if (request.methods.empty())
    request.methods =
        parse_methods(std::string(request.settings.probabilities ? report::kLevelMethods : report::kMethods));
  append(session.warnings, keep_applicable(request.methods, request.settings));
  const raters::Case counted = load(
      request, session,
      {.methods = request.methods, .needs = Needs::distances, .opened = [&](const files::Header& reference) {
         image = open_image(request.page, request, reference);
         std::vector<std::string> more;
         if (image) more.push_back(request.page.image);
         files::OutputPlan plan = plan_for(request, more);
         add_page(plan, request.page.output);
         plan.check(request.write());
         check_slices(request.page, reference.grid);
       }});
  append(session.warnings, raters::warnings_about_size(counted.reference));
  raters::check_memory(counted, request.methods, request.settings,
                       {.images = raters::Afterwards::Images::none, .record = true});
  files::OutputSet outputs(request.write());
  const std::vector<raters::Outcome> outcomes =
      raters::solve_methods(counted, request.methods, request.settings, session.warnings);
  const std::string text = make_page(request.page, request, outcomes, counted, image, session);
  outputs.put_text(request.page.output, text);
  outputs.publish();
  if (!request.quiet)
    print_lines(summary_head(counted) + page_line(request.page.output, text) +
                line("time", fmt::format("{:.2f} s", watch.seconds())));
  return kOk;
}

void declare_page(Parser& app, ReportRequest& request) {
  const std::string group = "Page";
  add_text_option(app,
                  {"--image", "FILE",
                   "The image beneath the masks, on their grid, or the folder of a DICOM series; shown from "
                   "its 1st to its 99th percentile.",
                   group},
                  request.page.image);
  add_text_option(
      app,
      {"--slices", "x=A:B|y=A:B|z=A:B", "Put only slices A to B into the page, to keep it small.", group},
      request.page.slices);
  add_text_option(app, {"--case", "NAME", "Name of the case (default: the raters' folder).", group},
                  request.page.case_name);
}

Run declare_report(Parser& app) {
  auto request = std::make_shared<ReportRequest>();
  request->settings.measured = true;
  request->settings.takes_levels = true;
  add_raters_option(app, *request);
  declare_page(app, *request);
  take(app,
       {"-m,--method,--methods", method_choices(),
        fmt::format("Methods on the page, separated by commas; it is about the first (default: {}; of "
                    "probability maps {}).",
                    report::kMethods, report::kLevelMethods),
        "Method"},
       [request](const std::string& text) { request->methods = parse_methods(text); });
  for (const std::string_view group : {"Levels", "Method", "Labels", "Criterion", "Proof", "Estimate"})
    add_setting_group(app, request->settings, group);
  add_setting_group(app, request->settings, "Measures");
  add_text_option(app, {"-o,--output", "FILE", "The page: an .html file.", "Output"}, request->page.output)
      .required();
  add_flag(app,
           {"--force,--overwrite", "", "Replace files that exist. An input is never replaced.", "Output"},
           request->force);
  add_flag(app, {"-q,--quiet", "", "Print errors only. Warnings are still on the page.", "Output"},
           request->quiet);
  add_settings(app, request->settings, {"provenance"});
  add_setting_group(app, request->settings, "Limits");
  return [request](Session& session) { return run_report(*request, session); };
}

}  // namespace

Command report_command() {
  return {
      "report",
      "Write an HTML page of a case and its consensus",
      {{"a page to look at", "crema report rater-*.nii.gz -o report.html"},
       {"over the image", "crema report rater-*.nii.gz --image flair.nii.gz -o report.html"},
       {"all labels, to choose from", "crema report rater-*.nii.gz --labels all -o report.html"},
       {"about another method, with proof",
        "crema report rater-*.nii.gz --methods dice,majority,staple --certify -o report.html"},
       {"the folds of a network, as probability maps",
        "crema report fold-*.nii.gz --probabilities -o report.html"},
       {"together with the consensus", "crema fuse rater-*.nii.gz -o consensus.nii.gz --report report.html"}},
      kReportDescription,
      declare_report};
}

}  // namespace crema::cli
