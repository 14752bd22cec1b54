// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/commands/request.h"
#include "cli/shell/exit.h"
#include "cli/shell/folder.h"
#include "cli/shell/terminal.h"
#include "cli/text/compare_text.h"
#include "cli/text/summary.h"
#include "crema/agreement/agreement_record.h"
#include "raters/agreement.h"
#include "raters/names.h"
#include "raters/stopwatch.h"

namespace crema::cli {
namespace {

constexpr std::string_view kDescription =
    "Asks several methods for a consensus of the same raters, whose masks are read once, and tells their "
    "results in the same terms: size, soft volume, entropy, parts, isolated voxels, the LMSD under every "
    "distance, size against majority and average, seconds, and how far the results overlap. No image is "
    "written.\n\n"
    "'--csv DIR' writes methods.csv and method_pairs.csv; docs/agreement.md tells what their columns mean.";

struct CompareRequest : Request {
  std::vector<const Method*> methods;
  std::string csv, case_name;
};

files::OutputPlan plan_compare(const CompareRequest& request) {
  files::OutputPlan plan = plan_for(request, {});
  if (!request.csv.empty()) {
    const auto folder = without_slash(request.csv);
    plan.add_folder(folder);
    plan.add_text(folder / "methods.csv", "the table of methods");
    plan.add_text(folder / "method_pairs.csv", "the table of pairs of methods");
  }
  add_record(plan, request);
  plan.check(request.write());
  return plan;
}

std::string report(const raters::Case& counted, const raters::Comparison& found, double seconds) {
  const std::size_t width = text_width(Stream::output);
  std::string text = summary_head(counted) + "\n" + method_tables(found.rows, counted.reference, width) +
                     "\n" + shape_table(found.rows, width);
  text += "\n" + pair_lines(found.rows, found.pairs);
  return text + line("time", fmt::format("{:.2f} s (reading {:.2f} s, counting {:.2f} s)", seconds,
                                         counted.reading, counted.counting));
}

int run_compare(const CompareRequest& request, Session& session) {
  const raters::Stopwatch watch;
  Progress progress(show_of(request));
  const Warnings unfit = check(request.settings, request.methods);
  raters::RaterFiles files = open(request, session);
  const files::OutputPlan plan = plan_compare(request);
  const raters::Case counted =
      raters::count(raters::from_files(std::move(files)), request.settings, raters::needs_of(request.methods),
                    hooks_of(progress, request.settings));
  progress.erase();
  append(session.warnings, counted.warnings);
  append(session.warnings, unfit);
  append(session.warnings, raters::warnings_about_size(counted));
  const raters::Comparison found =
      raters::compare(counted, request.methods, request.settings, session.warnings);
  const CaseNames names = raters::names_of(counted, request.raters, request.case_name);
  RunFacts run = facts_of(request, session, counted, {});
  for (const raters::Outcome& outcome : found.outcomes) run.solving += outcome.solving;
  const MadeFolders folders(plan.missing_folders());
  files::OutputSet outputs(request.write());
  if (!request.csv.empty()) {
    const auto folder = without_slash(request.csv);
    const Reduction& reduction = *counted.reduction;
    outputs.put_text(folder / "methods.csv", csv_text(methods_table(names, reduction, found.rows,
                                                                    {counted.reading, counted.counting})));
    outputs.put_text(folder / "method_pairs.csv",
                     csv_text(method_pairs_table(names, reduction, found.rows, found.pairs)));
  }
  deliver(request, report(counted, found, watch.seconds()),
          compare_record(run, request.settings, *counted.reduction, names, found.rows, found.pairs), outputs);
  return kOk;
}

Run declare(CLI::App& app) {
  auto request = std::make_shared<CompareRequest>();
  request->methods = parse_methods("paper");
  take_raters(app, *request);
  take(app,
       {"-m,--methods", method_choices(),
        "Which methods, separated by commas; paper for the ten of the paper (default), or all.", "Method"},
       [request = request.get()](const std::string& text) { request->methods = parse_methods(text); });
  for (const std::string_view group : {"Method", "Criterion", "Proof", "Estimate"})
    take_group(app, request->settings, group);
  take_text(app, {"--csv", "DIR", "Write methods.csv and method_pairs.csv into this folder.", "Output"},
            request->csv);
  take_text(app,
            {"--case", "NAME", "What the case is called in tables (default: the raters' folder).", "Output"},
            request->case_name);
  take_output(app, *request, "Write all numbers as a record;");
  take_settings(app, request->settings, {"provenance"});
  take_group(app, request->settings, "Limits");
  return [request](Session& session) { return run_compare(*request, session); };
}

}  // namespace

Command compare_command() {
  return {"compare",
          "Compare methods on the same raters",
          {{"the ten methods of the paper", "crema compare rater-*.nii.gz"},
           {"tables for a spreadsheet or R", "crema compare rater-*.nii.gz --methods all --csv tables"},
           {"two methods, with a proof of how good they are",
            "crema compare rater-*.nii.gz --methods jaccard,dice --certify"}},
          kDescription,
          declare};
}

}  // namespace crema::cli
