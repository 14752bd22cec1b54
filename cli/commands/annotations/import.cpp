// SPDX-License-Identifier: Apache-2.0
#include "annotations/import.h"

#include <memory>

#include <fmt/format.h>

#include "cli/commands/annotations/shared.h"
#include "cli/commands/commands.h"
#include "cli/commands/request.h"
#include "cli/options/options.h"
#include "cli/shell/exit.h"
#include "cli/shell/output.h"
#include "cli/text/summary.h"
#include "crema/base/error.h"
#include "crema/base/text.h"
#include "raters/read/votes.h"

namespace crema::cli {
namespace {

constexpr std::string_view kImportDescription =
    "Reads exports of annotation tools and writes a cohort for 'crema cohort run': each annotator becomes a "
    "rater, each picture a case, each category a label. COCO: one JSON file for each annotator; "
    "polygons, "
    "plain and compressed runs. CVAT: one export 'CVAT for images 1.1' for each annotator's job; polygons "
    "and "
    "masks. Label Studio: JSON with all annotations of a task; brushes and polygons, by completed_by. 'crema "
    "export' writes the consensus as annotations again.\n\n"
    "A picture without annotations in an annotator's file counts as empty. A pixel belongs to a polygon if "
    "its centre does, even-odd. One category gives PNG masks; several give .seg.nrrd files, whose segments "
    "may overlap, for --labels all.\n\n"
    "With --instances each object becomes a case: objects of one category are matched across annotators, and "
    "each object drawn by enough of them is fused separately. objects.csv lists all objects, splits.csv "
    "those that one annotator drew as one and another as several. docs/tools.md has a recipe for each tool.";

struct ImportOptions {
  std::vector<std::string> files;
  std::string folder;
  MatchingOptions matching;
  Settings settings;
  bool quiet = false;
};

std::string report_text(const annotations::ImportReport& report, const ImportOptions& options) {
  std::string text = read_text(report, options.files.size());
  text += line("written",
               fmt::format("{} in {}", counted(report.cases, "case"), files::printable(options.folder)));
  if (options.matching.instances) {
    text += line("left out", fmt::format("{} drawn by too few annotators, in objects.csv",
                                         counted(report.too_few, "object")));
    text += line("splits", fmt::format("{} that others drew as several, in splits.csv",
                                       counted(report.splits, "object")));
  }
  const std::string folder = shell_quote(options.folder);
  return text + fmt::format("Next:\n  crema cohort run {} -o results{}\n", folder,
                            report.segments ? " --labels all" : "");
}

int run_import(const ImportOptions& options, Session& session) {
  annotations::ImportRequest request{.paths = {},
                                     .folder = without_slash(options.folder),
                                     .instances = instances_of(options.matching),
                                     .max_memory = raters::allowed_memory(options.settings)};
  for (const std::string& file : options.files) request.paths.emplace_back(file);
  const annotations::ImportReport report = annotations::import_annotations(request);
  append(session.warnings, report.warnings);
  session.quiet = options.quiet;
  if (!options.quiet) print_lines(report_text(report, options));
  return kOk;
}

Run declare_import(Parser& app) {
  auto options = std::make_shared<ImportOptions>();
  add_files_option(app, {"FILE", "FILE...", "Exports, all from one tool.", "Input"}, options->files);
  add_text_option(app, {"-o,--output", "DIR", "The folder to write the cohort into; new or empty.", "Output"},
                  options->folder)
      .required();
  take_matching(app, options->matching);
  take_matching_preset(app, options->matching);
  add_settings(app, options->settings, {"max_memory"});
  add_flag(app, {"-q,--quiet", "", "Print errors only.", "Output"}, options->quiet);
  return [options](Session& session) { return run_import(*options, session); };
}

}  // namespace

Command import_command() {
  return {"import",
          "Turn exports of an annotation tool into a cohort",
          {{"COCO, a file for each annotator", "crema import anna.json ben.json carl.json -o data"},
           {"CVAT, an export for each job", "crema import job-*.xml -o data"},
           {"objects instead of pictures", "crema import job-*.xml -o data --instances"}},
          kImportDescription,
          declare_import};
}

}  // namespace crema::cli
