// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/commands/request.h"
#include "cli/shell/exit.h"
#include "cli/shell/folder.h"
#include "cli/shell/terminal.h"
#include "cli/text/compare_text.h"
#include "cli/text/label_summary.h"
#include "cli/text/summary.h"
#include "cli/text/uniqueness_text.h"
#include "crema/records/agreement_record.h"
#include "raters/open/names.h"
#include "raters/run/agreement.h"
#include "raters/run/stopwatch.h"

namespace crema::cli {
namespace {

constexpr std::string_view kCompareDescription =
    "Runs several methods on the same raters, read once, and compares their results: size, soft volume, "
    "entropy, parts, isolated voxels, the LMSD in every distance, size against majority and average, "
    "seconds, and overlap between results. No image is written.\n\n"
    "'--csv DIR' writes methods.csv and method_pairs.csv; docs/agreement.md explains their columns.";

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

/// Of each structure where it was requested, else of none.
using AllUniqueness = std::vector<std::vector<NamedUniqueness>>;

AllUniqueness uniqueness_of(const CompareRequest& request, const raters::Case& counted,
                            const raters::Comparison& found) {
  AllUniqueness all(counted.structures());
  if (!request.settings.measures.uniqueness) return all;
  for (std::size_t s = 0; s < counted.structures(); ++s)
    for (const raters::Outcome& outcome : found.outcomes)
      all[s].emplace_back(std::string(outcome.method().name),
                          measure_uniqueness(counted.reduction(s), outcome.method(), outcome.options));
  return all;
}

std::string report(const raters::Case& counted, const raters::Comparison& found, const AllUniqueness& unique,
                   double seconds) {
  const std::size_t width = text_width(Stream::output);
  std::string text = summary_head(counted);
  for (std::size_t s = 0; s < counted.structures(); ++s) {
    const auto& [rows, pairs] = found.structures[s];
    text += structure_heading(counted, s) + "\n" + method_tables(rows, counted.reference, width) + "\n" +
            shape_table(rows, width) + uniqueness_text(unique[s], width) + "\n" + pair_lines(rows, pairs);
  }
  return text + line("time", fmt::format("{:.2f} s (reading {:.2f} s, counting {:.2f} s)", seconds,
                                         counted.reading, counted.counting));
}

/// Tables and records of all structures.
struct Compared {
  std::vector<Table> methods, pairs;
  Json::Array records;
};

Compared tabulate(const CompareRequest& request, const raters::Case& counted, const raters::Comparison& found,
                  const AllUniqueness& unique, const RunFacts& run) {
  Compared all;
  for (std::size_t s = 0; s < counted.structures(); ++s) {
    const CaseNames names = raters::names_of(counted, s, request.raters, request.case_name);
    const Reduction& reduction = counted.reduction(s);
    const auto& [rows, pairs] = found.structures[s];
    all.methods.push_back(methods_table(names, reduction, rows, {counted.reading, counted.counting}));
    all.pairs.push_back(method_pairs_table(names, reduction, rows, pairs));
    all.records.push_back(compare_record(run, request.settings, reduction, names, rows, pairs));
    for (const NamedUniqueness& one : unique[s])
      all.records.back()["uniqueness"].push_back(
          {{"method", one.first}, {"minimiser", uniqueness_json(one.second)}});
  }
  return all;
}

int run_compare(CompareRequest request, Session& session) {
  const raters::Stopwatch watch;
  append(session.warnings, keep_applicable(request.methods, request.settings));
  files::OutputPlan plan;
  const raters::Case counted = load(
      request, session,
      {.methods = request.methods, .opened = [&](const files::Header&) { plan = plan_compare(request); }});
  append(session.warnings, raters::warnings_about_size(counted.reference));
  const raters::Comparison found =
      raters::compare(counted, request.methods, request.settings, session.warnings);
  RunFacts run = facts_of(request, session, counted, {});
  for (const raters::Outcome& outcome : found.outcomes) run.solving += outcome.solving;
  const AllUniqueness unique = uniqueness_of(request, counted, found);
  Compared all = tabulate(request, counted, found, unique, run);
  const MadeFolders folders(plan.missing_folders());
  files::OutputSet outputs(request.write());
  if (!request.csv.empty()) {
    const auto folder = without_slash(request.csv);
    outputs.put_text(folder / "methods.csv", csv_text(stack(std::move(all.methods))));
    outputs.put_text(folder / "method_pairs.csv", csv_text(stack(std::move(all.pairs))));
  }
  deliver(request, report(counted, found, unique, watch.seconds()),
          join_records(label_names(counted), std::move(all.records)), outputs);
  return kOk;
}

Run declare_compare(Parser& app) {
  auto request = std::make_shared<CompareRequest>();
  request->methods = parse_methods("paper");
  request->settings.takes_levels = true;
  add_raters_option(app, *request);
  take(app,
       {"-m,--methods", method_choices(),
        "Methods, separated by commas; paper for the ten of the paper (default), or all.", "Method"},
       [request = request.get()](const std::string& text) { request->methods = parse_methods(text); });
  for (const std::string_view group : {"Levels", "Method", "Labels", "Criterion", "Proof", "Estimate"})
    add_setting_group(app, request->settings, group);
  add_settings(app, request->settings, {"uniqueness"});
  add_text_option(app, {"--csv", "DIR", "Write methods.csv and method_pairs.csv into this folder.", "Output"},
                  request->csv);
  add_text_option(app,
                  {"--case", "NAME", "Name of the case in tables (default: the raters' folder).", "Output"},
                  request->case_name);
  add_output_option(app, *request, "Write all numbers as a record;");
  add_settings(app, request->settings, {"provenance"});
  add_setting_group(app, request->settings, "Limits");
  return [request](Session& session) { return run_compare(*request, session); };
}

}  // namespace

Command compare_command() {
  return {"compare",
          "Compare methods on the same raters",
          {{"the ten methods of the paper", "crema compare rater-*.nii.gz"},
           {"tables for a spreadsheet or R", "crema compare rater-*.nii.gz --methods all --csv tables"},
           {"two methods, with a proof of how good they are",
            "crema compare rater-*.nii.gz --methods jaccard,dice --certify"},
           {"how unique are their minimisers?", "crema compare rater-*.nii.gz --uniqueness"},
           {"the folds of a network, as probability maps",
            "crema compare fold-*.nii.gz --methods all --probabilities"}},
          kCompareDescription,
          declare_compare};
}

}  // namespace crema::cli
