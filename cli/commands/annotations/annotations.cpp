// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "annotations/export.h"
#include "cli/commands/annotations/shared.h"
#include "cli/commands/cohort/run.h"
#include "cli/commands/cohort/shared.h"
#include "cli/commands/commands.h"
#include "cli/commands/request.h"
#include "cli/options/options.h"
#include "cli/shell/exit.h"
#include "cli/shell/output.h"
#include "cli/text/summary.h"
#include "crema/base/error.h"
#include "crema/base/text.h"
#include "files/plan.h"
#include "raters/read/votes.h"

namespace crema::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAnnotationsDescription =
    "Reads annotations exported as COCO, from CVAT or Label Studio, fuses them picture by picture, or with "
    "--instances object by object, and writes the consensus in a form that the tool imports. It combines "
    "'crema import', 'crema cohort run' and 'crema export' in a temporary folder (TMPDIR) that is removed at "
    "the end; use these for masks, tables, pages and more options. Several categories are fused by name, as "
    "with --labels all. If some pictures cannot be fused, the others are written, with exit code 5.";

struct AnnotationsOptions {
  std::vector<std::string> files;
  std::string output;
  const annotations::Tool* tool = nullptr;
  MatchingOptions matching;
  RunRequest run;
};

/// A folder that is away again at the end, with all that is in it.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::error_code failed;
    std::string name = (fs::temp_directory_path(failed) / "crema-XXXXXX").string();
    if (failed || mkdtemp(name.data()) == nullptr)
      throw FileError("a temporary folder cannot be created; set TMPDIR to a folder that can be written.");
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void check_output(const AnnotationsOptions& options) {
  files::OutputPlan plan;
  for (const std::string& file : options.files) plan.add_input(file);
  plan.add_text(options.output, "the annotations");
  plan.check({.overwrite = options.run.options.force});
}

int run_annotations(AnnotationsOptions& options, Session& session) {
  CohortOptions& cohort = options.run.options;
  const bool quiet = std::exchange(cohort.quiet, true);  // of a folder that goes away nothing is said
  check_output(options);
  const ScratchFolder scratch;
  annotations::ImportRequest request{.paths = {},
                                     .folder = scratch.path() / "data",
                                     .instances = instances_of(options.matching),
                                     .max_memory = raters::allowed_memory(cohort.request.settings)};
  for (const std::string& file : options.files) request.paths.emplace_back(file);
  const annotations::ImportReport report = annotations::import_annotations(request);
  append(session.warnings, report.warnings);
  cohort.data = request.folder.string();
  cohort.run = (scratch.path() / "run").string();
  if (report.segments) cohort.request.settings.labels = parse_labels("all");
  const RunResult result = fuse_cohort(options.run, session, nullptr);
  const annotations::ExportReport written = annotations::export_consensus(
      {.run = cohort.run, .output = options.output, .tool = options.tool, .overwrite = cohort.force});
  session.quiet = quiet;
  if (!quiet)
    print_lines(read_text(report, options.files.size()) + results_text(result.merged) +
                failures_text(result.merged.failures, result.merged.failed, "those named here first") +
                export_text(written, options.output));
  return exit_code(result.merged);
}

Run declare_annotations(Parser& app) {
  auto options = std::make_shared<AnnotationsOptions>();
  CohortOptions& cohort = options->run.options;
  options->run.tables = cohort::TableChoice::none;
  add_files_option(app, {"FILE", "FILE...", "Exports, all from one tool.", "Input"}, options->files);
  add_text_option(app, {"-o,--output", "FILE", "The file to write.", "Output"}, options->output).required();
  take_export_tool(app, options->tool);
  take_matching(app, options->matching);
  add_setting_group(app, cohort.request.settings, "Labels");
  take(app, {"-m,--method", "NAME", "Method; 'crema methods' lists them (default: jaccard).", "Method"},
       [&cohort](const std::string& text) { cohort.request.methods = {&find_method(text)}; });
  take_fusion_groups(app, cohort.request.settings);
  add_setting_group(app, cohort.request.settings, "Limits");
  add_flag(app, {"--force,--overwrite", "", "Replace a file that exists.", "Output"}, cohort.force);
  add_quiet_option(app, cohort);
  return [options](Session& session) { return run_annotations(*options, session); };
}

}  // namespace

Command annotations_command() {
  return {"annotations",
          "Fuse the exports of an annotation tool",
          {{"COCO, a file for each annotator",
            "crema annotations anna.json ben.json carl.json -o consensus.json"},
           {"CVAT, an export for each job", "crema annotations job-*.zip -o consensus.xml"},
           {"objects instead of pictures", "crema annotations project.json -o consensus.json --instances"}},
          kAnnotationsDescription,
          declare_annotations};
}

}  // namespace crema::cli
