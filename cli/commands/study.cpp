// SPDX-License-Identifier: Apache-2.0
#include "study/study.h"

#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "cli/commands/cohort/commands.h"
#include "cli/commands/cohort/statistics.h"
#include "cli/commands/request.h"
#include "cli/options/options.h"
#include "cli/shell/exit.h"
#include "cli/shell/folder.h"
#include "cli/shell/output.h"
#include "cli/shell/partly.h"
#include "cli/shell/progress.h"
#include "cli/text/candidate_text.h"
#include "cli/text/summary.h"
#include "crema/base/text.h"
#include "files/plan.h"
#include "raters/run/stopwatch.h"

namespace crema::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStudyDescription =
    "Makes the tables of the paper from the results of 'crema cohort run': each as a CSV file named after "
    "its LaTeX label, such as tab_5.csv, and all of them on one page, study.md, with the number of cases "
    "behind each number. Several runs of the same cases with other blocks, slices, priors or regions, or "
    "without the test of the empty set, are compared with each other. A table that needs another run is left "
    "out, and the page names the command for that run.\n\n"
    "Statistics over cases are added: methods against each other, intraclass correlations, and on request "
    "one table for a paper, rater effects, how many raters are enough, and whether a candidate, such as a "
    "network's mask, is as good as a rater.\n\n"
    "docs/study.md shows all tables on phantoms and real cases, next to the paper's; docs/statistics.md "
    "defines "
    "every statistic.";

struct StudyCommand {
  std::vector<std::string> runs;
  std::string folder, label;
  study::StudyRequest wanted;
  bool force = false, quiet = false;
};

constexpr const char* kPage = "study.md";

/// Every table it may write, so that nothing is computed that could not be written.
files::OutputPlan plan_study(const StudyCommand& request, const fs::path& folder) {
  files::OutputPlan plan;
  plan.add_folder(folder);
  for (const std::string& name : study::table_names(request.wanted)) plan.add_text(folder / name, "a table");
  plan.add_text(folder / kPage, "the page");
  plan.check({.overwrite = request.force});
  return plan;
}

/// What is there from an older study and is no longer said would be taken for a part of this one.
void remove_older(const fs::path& folder, const study::Study& result) {
  std::error_code ignored;
  for (const study::Section& section : result.sections)
    if (section.table.rows.empty()) fs::remove(folder / section.file(), ignored);
}

/// "2 cases have no candidate: a, b."
std::string missing_candidates(const study::Study& result) {
  constexpr std::size_t kNamed = 10;
  std::string list;
  for (std::size_t i = 0; i < std::min(kNamed, result.missing.size()); ++i)
    list += fmt::format("{}{}", i == 0 ? "" : ", ", files::printable(result.missing[i]));
  return fmt::format("{} no candidate: {}{}.", counted(result.missing.size(), "case has", "cases have"), list,
                     result.missing.size() > kNamed ? " … (study.md lists all)" : "");
}

Table candidate_summary(const study::Study& result) {
  for (const study::Section& section : result.sections)
    if (section.label == "candidate_summary") return section.table;
  return {};
}

std::string reported(const study::Study& result, const fs::path& folder, double seconds) {
  std::string tables, missing;
  for (const study::Section& section : result.sections)
    if (!section.table.rows.empty())
      tables += section.label + " ";
    else if (section.on_page)
      missing += section.label + " ";
  std::string text = line("cases", fmt::format("{}", result.cases)) + line("tables", tables);
  if (!missing.empty()) text += line("left out", missing + "(the page names the missing runs)");
  return text + candidate_text(candidate_summary(result)) +
         line("written", fmt::format("{}", files::printable(folder / kPage))) +
         line("time", fmt::format("{:.2f} s", seconds));
}

void put_study(const study::Study& result, const std::vector<study::OpenRun>& runs, const fs::path& folder,
               files::OutputSet& outputs) {
  for (const study::Section& section : result.sections)
    if (!section.table.rows.empty()) outputs.put_text(folder / section.file(), csv_text(section.table));
  if (result.paper) {
    outputs.put_text(folder / "paper_table.csv", csv_text(result.paper->table));
    outputs.put_text(folder / "paper_table.md", result.paper->markdown);
    outputs.put_text(folder / "paper_table.tex", result.paper->latex);
  }
  if (result.bland_altman)
    outputs.put_text(folder / "bland_altman.svg", plot::draw_agreement(plot_of(*result.bland_altman)));
  outputs.put_text(folder / kPage, study::study_page(runs, result));
}

int run_study(const StudyCommand& request, Session& session) {
  const raters::Stopwatch watch;
  session.quiet = request.quiet;
  const std::vector<study::OpenRun> runs =
      study::open_runs(std::vector<fs::path>(request.runs.begin(), request.runs.end()), request.label,
                       request.wanted.labels());
  const fs::path folder = without_slash(request.folder);
  const files::OutputPlan plan = plan_study(request, folder);
  Progress progress(request.quiet ? Show::never : Show::on_terminal);
  const study::Study result = study::make_study(runs, request.wanted, [&](std::size_t done, std::size_t all) {
    progress.update("masks", static_cast<double>(done) / static_cast<double>(all));
  });
  progress.erase();
  const MadeFolders folders(plan.missing_folders());
  files::OutputSet outputs({.overwrite = request.force});
  put_study(result, runs, folder, outputs);
  outputs.publish();
  remove_older(folder, result);
  for (const std::string& sentence : result.failures)
    session.warnings.push_back({sentence, WarningKind::left_out});
  append(session.warnings, result.warnings);
  if (!result.missing.empty())
    session.warnings.push_back({missing_candidates(result), WarningKind::left_out});
  if (!request.quiet) print_lines(reported(result, folder, watch.seconds()));
  return result.failures.empty() ? kOk : kPartly;
}

void declare_statistics(Parser& app, study::StudyRequest& wanted, bool& persist) {
  const std::string group = "Statistics";
  add_flag(app,
           {"--paper-table", "",
            "Write one table for a paper, paper_table.csv, .md and .tex: mean ± SD, median [quartiles] and "
            "the 95 % "
            "bootstrap interval over cases of Dice, Jaccard, HD95, ASSD and volume difference, and how "
            "raters agree.",
            group},
           wanted.paper_table);
  add_text_option(app,
                  {"--candidate", "DIR|PATTERN",
                   "Compare an external mask with the raters of each case: a folder or pattern whose files "
                   "or folders are named after cases, or a path with {case} in it. Reads the masks again.",
                   group},
                  wanted.candidate);
  take(app, {"--consensus-threshold", "T", "Candidates are maps; voxels above T are inside.", group},
       [&wanted](const std::string& text) { wanted.candidate_threshold = parse_level(text); });
  add_flag(
      app,
      {"--raters", "",
       "Compare raters over cases: effects, variance components, limits of agreement. Reads the masks again.",
       group},
      wanted.raters);
  add_flag(app,
           {"--raters-persist", "",
            "Declare that a rater's name means the same person in every case, like a manifest with the "
            "column person instead of rater; never assumed.",
            group},
           persist);
  add_flag(app,
           {"--panel", "",
            "Report how many raters are enough: the consensus of some raters against that of the others and "
            "of all. Reads the masks again.",
            group},
           wanted.panel);
}

Run declare_study(Parser& app) {
  auto request = std::make_shared<StudyCommand>();
  auto persist = std::make_shared<bool>(false);
  add_files_option(app, {"RUN", "RUN...", "Folders of 'crema cohort run', of the same cases.", "Input"},
                   request->runs);
  add_text_option(app,
                  {"--label", "NAME",
                   "The label to study, by name or number, if the runs have several. Without it only a "
                   "candidate is compared, for every label.",
                   "Input"},
                  request->label);
  add_text_option(app,
                  {"-o,--output", "DIR", "The folder for the tables; created if it is missing.", "Output"},
                  request->folder)
      .required();
  add_flag(app,
           {"--background", "",
            "Read the masks of the first run's cases again, for how results depend on the background "
            "(fig:1a, fig:1b).",
            "Output"},
           request->wanted.background);
  declare_statistics(app, request->wanted, *persist);
  add_flag(app, {"--force,--overwrite", "", "Replace files that exist.", "Output"}, request->force);
  add_flag(app, {"-q,--quiet", "", "Print errors only.", "Output"}, request->quiet);
  return [request, persist](Session& session) {
    if (*persist) request->wanted.identity = study::Identity::persists;
    return run_study(*request, session);
  };
}

}  // namespace

Command study_command() {
  return {"study",
          "Make the tables of the paper from runs of a cohort",
          {{"all tables that one run gives", "crema study results -o tables"},
           {"with other blocks, and slice by slice",
            "crema study results results-crown results-slices -o tables"},
           {"and how results depend on the background", "crema study results -o tables --background"},
           {"one table for a paper", "crema study results -o tables --paper-table"},
           {"is a network as good as a rater?", "crema study results -o tables --candidate predictions"},
           {"how many raters are enough?", "crema study results -o tables --panel"}},
          kStudyDescription,
          declare_study};
}

}  // namespace crema::cli
