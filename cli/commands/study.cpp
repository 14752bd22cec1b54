// SPDX-License-Identifier: Apache-2.0
#include "study/study.h"

#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "cli/commands/cohort_commands.h"
#include "cli/commands/request.h"
#include "cli/shell/exit.h"
#include "cli/shell/folder.h"
#include "cli/shell/options.h"
#include "cli/shell/output.h"
#include "cli/shell/progress.h"
#include "cli/text/summary.h"
#include "files/plan.h"
#include "raters/stopwatch.h"

namespace crema::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDescription =
    "Makes the tables of the paper from what 'crema cohort run' left: each as a CSV file named after its "
    "LaTeX "
    "label, such as tab_5.csv, and all of them on one page, study.md, with the number of cases behind each "
    "number. Several runs of the same cases with other blocks, slices, priors or regions, or without the "
    "test "
    "of the empty set, are compared with each other. A table that needs a run that is not there is left out, "
    "and the page says which command would make that run.\n\n"
    "docs/study.md shows all tables on phantoms and real cases, next to the paper's.";

struct StudyRequest {
  std::vector<std::string> runs;
  std::string folder, label;
  bool background = false, force = false, quiet = false;
};

constexpr const char* kPage = "study.md";

/// Every table it may write, so that nothing is computed that could not be written.
files::OutputPlan plan_study(const StudyRequest& request, const fs::path& folder) {
  files::OutputPlan plan;
  plan.add_folder(folder);
  for (const auto& chapter : study::all_chapters())
    plan.add_text(folder / chapter->finish({}).file(), "a table");
  if (request.background)
    for (const char* name : {"fig_1a.csv", "fig_1b.csv"}) plan.add_text(folder / name, "a table");
  plan.add_text(folder / kPage, "the page");
  plan.check({.overwrite = request.force});
  return plan;
}

/// What is there from an older study and is no longer said would be taken for a part of this one.
void remove_older(const fs::path& folder, const study::Study& made) {
  std::error_code ignored;
  for (const study::Section& section : made.sections)
    if (section.table.rows.empty()) fs::remove(folder / section.file(), ignored);
}

std::string told(const study::Study& made, const fs::path& folder, double seconds) {
  std::string tables, missing;
  for (const study::Section& section : made.sections)
    (section.table.rows.empty() ? missing : tables) += section.label + " ";
  std::string text = line("cases", fmt::format("{}", made.cases)) + line("tables", tables);
  if (!missing.empty()) text += line("left out", missing + "(the page says what would make them)");
  return text + line("written", fmt::format("{}", files::printable(folder / kPage))) +
         line("time", fmt::format("{:.2f} s", seconds));
}

int run_study(const StudyRequest& request, Session& session) {
  const raters::Stopwatch watch;
  session.quiet = request.quiet;
  const std::vector<study::OpenRun> runs =
      study::open_runs(std::vector<fs::path>(request.runs.begin(), request.runs.end()), request.label);
  const fs::path folder = without_slash(request.folder);
  const files::OutputPlan plan = plan_study(request, folder);
  Progress progress(request.quiet ? Show::never : Show::on_terminal);
  const study::Study made =
      study::make_study(runs, request.background, [&](std::size_t done, std::size_t all) {
        progress.update("masks", static_cast<double>(done) / static_cast<double>(all));
      });
  progress.erase();
  const MadeFolders folders(plan.missing_folders());
  files::OutputSet outputs({.overwrite = request.force});
  for (const study::Section& section : made.sections)
    if (!section.table.rows.empty()) outputs.put_text(folder / section.file(), csv_text(section.table));
  outputs.put_text(folder / kPage, study::study_page(runs, made));
  outputs.publish();
  remove_older(folder, made);
  if (!request.quiet) print(told(made, folder, watch.seconds()));
  return kOk;
}

Run declare(CLI::App& app) {
  auto request = std::make_shared<StudyRequest>();
  take_files(app, {"RUN", "RUN...", "Folders that 'crema cohort run' made, of the same cases.", "Input"},
             request->runs);
  take_text(app,
            {"--label", "NAME", "The label to study, where the runs have several: its name, or its number.",
             "Input"},
            request->label);
  take_text(app, {"-o,--output", "DIR", "The folder for the tables; made if it is missing.", "Output"},
            request->folder)
      .required();
  take_flag(app,
            {"--background", "",
             "Read the masks of the first run's cases again, for how results depend on the background "
             "(fig:1a, fig:1b).",
             "Output"},
            request->background);
  take_flag(app, {"--force,--overwrite", "", "Replace files that exist.", "Output"}, request->force);
  take_flag(app, {"-q,--quiet", "", "Print errors only.", "Output"}, request->quiet);
  return [request](Session& session) { return run_study(*request, session); };
}

}  // namespace

Command study_command() {
  return {"study",
          "Make the tables of the paper from runs of a cohort",
          {{"all tables that one run gives", "crema study results -o tables"},
           {"other blocks, and slice by slice, beside it",
            "crema study results results-crown results-slices -o tables"},
           {"and how results depend on the background", "crema study results -o tables --background"}},
          kDescription,
          declare};
}

}  // namespace crema::cli
