// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/commands/page.h"
#include "cli/shell/exit.h"
#include "cli/shell/output.h"
#include "cli/text/summary.h"
#include "crema/error.h"
#include "raters/memory.h"
#include "raters/stopwatch.h"

namespace crema::cli {
namespace {

constexpr std::string_view kDescription =
    "Writes one HTML file that anybody can open by a double click, without a network and without installing "
    "anything: where raters disagree, what the consensus took and why. It has a viewer for slices, tables of "
    "raters, components and methods, where a second look pays, what to write in a paper, and where all of it "
    "comes from.\n\n"
    "The first method is the one the page is about; the others stand beside it. The page holds the raters' "
    "masks and, with --image, the image around them: treat it as you treat those.";

struct ReportRequest : Request {
  PageRequest page;
  std::vector<const Method*> methods = parse_methods(std::string(report::kMethods));
};

int run_report(ReportRequest request, Session& session) {
  const raters::Stopwatch watch;
  Progress progress(show_of(request));
  const Warnings unfit = check(request.settings, request.methods);
  raters::RaterFiles files = open(request, session);
  const auto image = open_image(request.page, request, files.reference);
  std::vector<std::string> more;
  if (image) more.push_back(request.page.image);
  files::OutputPlan plan = plan_for(request, more);
  add_page(plan, request.page.output);
  plan.check(request.write());
  check_slices(request.page, files.reference.grid);
  const raters::Case counted =
      raters::count(raters::from_files(std::move(files)), request.settings, needs_of_page(request.methods),
                    hooks_of(progress, request.settings));
  progress.erase();
  append(session.warnings, counted.warnings);
  append(session.warnings, unfit);
  append(session.warnings, raters::warnings_about_size(counted));
  raters::check_memory(counted, request.methods, request.settings,
                       {.images = raters::Afterwards::Images::none, .record = true});
  files::OutputSet outputs(request.write());
  std::vector<raters::Outcome> outcomes =
      raters::solve_methods(counted, request.methods, request.settings, session.warnings);
  const std::string text = make_page(request.page, request, std::move(outcomes), counted, image, session);
  outputs.put_text(request.page.output, text);
  outputs.publish();
  if (!request.quiet)
    print(summary_head(counted) + page_line(request.page.output, text) +
          line("time", fmt::format("{:.2f} s", watch.seconds())));
  return kOk;
}

void declare_page(CLI::App& app, ReportRequest& request) {
  const std::string group = "Page";
  take_text(app,
            {"--image", "FILE",
             "The image that the raters looked at, on their grid; seen beneath, from its 1st to its 99th "
             "percentile.",
             group},
            request.page.image);
  take_text(app,
            {"--slices", "x=A:B|y=A:B|z=A:B", "Put the slices A to B alone into the page, to keep it small.",
             group},
            request.page.slices);
  take_text(app, {"--case", "NAME", "What the case is called (default: the raters' folder).", group},
            request.page.case_name);
}

Run declare(CLI::App& app) {
  auto request = std::make_shared<ReportRequest>();
  take_raters(app, *request);
  declare_page(app, *request);
  take(app,
       {"-m,--method,--methods", method_choices(),
        fmt::format("Which methods the page shows, separated by commas; it is about the first (default: {}).",
                    report::kMethods),
        "Method"},
       [request](const std::string& text) { request->methods = parse_methods(text); });
  for (const std::string_view group : {"Method", "Criterion", "Proof", "Estimate"})
    take_group(app, request->settings, group);
  take_text(app, {"-o,--output", "FILE", "The page: an .html file.", "Output"}, request->page.output)
      .required();
  take_flag(app,
            {"--force,--overwrite", "", "Replace files that exist. An input is never replaced.", "Output"},
            request->force);
  take_flag(app, {"-q,--quiet", "", "Print errors only. Warnings are still on the page.", "Output"},
            request->quiet);
  take_settings(app, request->settings, {"provenance"});
  take_group(app, request->settings, "Limits");
  return [request](Session& session) { return run_report(*request, session); };
}

}  // namespace

Command report_command() {
  return {
      "report",
      "Write one HTML page to look at a case and its consensus",
      {{"a page to look at", "crema report rater-*.nii.gz -o report.html"},
       {"over the image", "crema report rater-*.nii.gz --image flair.nii.gz -o report.html"},
       {"about another method, with proof",
        "crema report rater-*.nii.gz --methods dice,majority,staple --certify -o report.html"},
       {"together with the consensus", "crema fuse rater-*.nii.gz -o consensus.nii.gz --report report.html"}},
      kDescription,
      declare};
}

}  // namespace crema::cli
