// SPDX-License-Identifier: Apache-2.0
#include "annotations/import.h"

#include <memory>

#include <fmt/format.h>

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
    "Reads what annotation tools export and writes a cohort that 'crema cohort run' takes: each annotator "
    "becomes "
    "a rater, each picture a case, categories become labels. COCO: one JSON file for each annotator; "
    "polygons, "
    "plain and compressed runs. CVAT: one export 'CVAT for images 1.1' for each annotator's job; polygons "
    "and "
    "masks. Label Studio: JSON with all annotations of a task; brushes and polygons, by completed_by. 'crema "
    "export' writes the consensus as annotations again.\n\n"
    "A picture that an annotator's file has without annotations was drawn empty. A pixel belongs to a "
    "polygon when "
    "its centre does, even-odd. One category makes PNG masks; several make .seg.nrrd files, whose segments "
    "may "
    "overlap, for --labels all.\n\n"
    "With --instances each object becomes a case: objects of one category are matched across annotators, and "
    "each "
    "that enough of them drew is fused by itself. objects.csv lists all of them, splits.csv what one drew as "
    "one "
    "object and another as several. docs/tools.md has a recipe for each tool.";

struct ImportOptions {
  std::vector<std::string> files;
  std::string folder, preset;
  annotations::InstanceOptions matching;
  Settings settings;
  bool instances = false;
  bool matched = false;  ///< a setting of the matching was given
  bool quiet = false;
};

std::optional<annotations::InstanceOptions> instances_of(const ImportOptions& options) {
  if (!options.instances && (options.matched || !options.preset.empty()))
    throw UsageError("--overlap, --min-overlap, --quorum and --preset require --instances.");
  if (!options.instances) return std::nullopt;
  if (options.preset.empty()) return options.matching;
  if (options.matched)
    throw UsageError(
        "--preset cvat has an overlap and a quorum of its own; leave --overlap, --min-overlap and "
        "--quorum out.");
  return annotations::cvat_rule();
}

std::string report_text(const annotations::ImportReport& report, const ImportOptions& options) {
  const auto count = [](std::size_t number, std::string_view one, std::string_view several = {}) {
    return counted(static_cast<std::int64_t>(number), one, several);
  };
  std::string text = line(
      "read",
      fmt::format("{} of {}: {}, {}, {}, {}", count(options.files.size(), "file"), report.tool->title,
                  count(report.pictures, "picture"), count(report.annotators, "annotator"),
                  count(report.categories, "category", "categories"), counted(report.objects, "object")));
  text +=
      line("written", fmt::format("{} in {}", count(report.cases, "case"), files::printable(options.folder)));
  if (options.instances) {
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
                                     .instances = instances_of(options),
                                     .max_memory = raters::allowed_memory(options.settings)};
  for (const std::string& file : options.files) request.paths.emplace_back(file);
  const annotations::ImportReport report = annotations::import_annotations(request);
  append(session.warnings, report.warnings);
  session.quiet = options.quiet;
  if (!options.quiet) print_lines(report_text(report, options));
  return kOk;
}

void take_matching(Parser& app, ImportOptions& options) {
  add_flag(app, {"--instances", "", "Match objects across annotators and make a case of each.", "Objects"},
           options.instances);
  add_choice_option(
      app,
      {"--overlap", "iou|smaller",
       "What two objects are compared by: pixels of both among those of either, or among those of the "
       "smaller (default: iou).",
       "Objects"},
      [&options](const std::string& text) {
        options.matched = true;
        options.matching.overlap = text == "iou" ? annotations::Overlap::iou : annotations::Overlap::smaller;
      });
  take(app,
       {"--min-overlap", "X", "So much overlap makes two objects one, above 0 and at most 1 (default: 0.5).",
        "Objects"},
       [&options](const std::string& text) {
         options.matched = true;
         options.matching.threshold = parse_not_negative(text);
         if (!(options.matching.threshold > 0 && options.matching.threshold <= 1))
           throw UsageError(fmt::format("{} does not lie above 0 and at most at 1.", text));
       });
  take(app,
       {"--quorum", "N",
        "Keep objects that at least N annotators drew (default: more than half of those who looked at the "
        "picture).",
        "Objects"},
       [&options](const std::string& text) {
         options.matched = true;
         options.matching.quorum = static_cast<int>(parse_whole(text, {1, kMaxRaters}));
       });
  add_choice_option(
      app,
      {"--preset", "cvat",
       "CVAT's rule, to compare: IoU of 0.4, half of the annotators, and of each object the outline of the "
       "one annotator that is nearest to the mean box.",
       "Objects"},
      [&options](const std::string& text) { options.preset = text; });
}

Run declare_import(Parser& app) {
  auto options = std::make_shared<ImportOptions>();
  add_files_option(app, {"FILE", "FILE...", "What a tool exported; all of one tool.", "Input"},
                   options->files);
  add_text_option(app, {"-o,--output", "DIR", "The folder to write the cohort into; new or empty.", "Output"},
                  options->folder)
      .required();
  take_matching(app, *options);
  add_settings(app, options->settings, {"max_memory"});
  add_flag(app, {"-q,--quiet", "", "Print errors only.", "Output"}, options->quiet);
  return [options](Session& session) { return run_import(*options, session); };
}

}  // namespace

Command import_command() {
  return {"import",
          "Make a cohort of what annotation tools export",
          {{"COCO, a file for each annotator", "crema import anna.json ben.json carl.json -o data"},
           {"CVAT, an export for each job", "crema import job-*.xml -o data"},
           {"objects instead of pictures", "crema import job-*.xml -o data --instances"}},
          kImportDescription,
          declare_import};
}

}  // namespace crema::cli
